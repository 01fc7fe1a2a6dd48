import Conformance
import JSONTree

extension Fault {
    /// Faults of members that are nearly known ones, or that hold others.
    static let memberNames: [Fault] = [
        .document("discovery.members.are-not-misspelt", "a member has an s too many") {
            $0["service_documentations"] = "https://op.example/documentation"
        },
        .document("discovery.mtls-endpoint-aliases.are-endpoints", "an alias is relative") {
            $0["mtls_endpoint_aliases"] = ["token_endpoint": "/mtls/token"]
        },
        .document("discovery.mtls-endpoint-aliases.are-endpoints", variant: "space", "an alias with a space") {
            $0["mtls_endpoint_aliases"] = ["token_endpoint": "https://mtls.op.example/to ken"]
        },
        .document("discovery.mtls-endpoint-aliases.are-endpoints", variant: "list", "the aliases are a list") {
            $0["mtls_endpoint_aliases"] = ["https://mtls.op.example/token"]
        },
        .document("discovery.locales.are-in-usual-case", "a region in small letters") {
            $0["ui_locales_supported"] = ["en", "pt-br"]
        },
        .document("discovery.userinfo-signing-alg-values-supported.include-rs256", "UserInfo is signed by ES256 only") {
            $0["userinfo_signing_alg_values_supported"] = ["ES256"]
        },
        Fault(
            "discovery.response-types-supported.fit-registration",
            "clients can register, and only for codes",
            configure: { target in
                target.flows = ["code"]
                target.registration.responseTypes = ["code"]
            },
            change: { seams in
                seams.discovery = { document, _ in
                    document["registration_endpoint"] = .string("https://op.example/register")
                    document["response_types_supported"] = ["code"]
                }
            }
        ),
    ]
}
