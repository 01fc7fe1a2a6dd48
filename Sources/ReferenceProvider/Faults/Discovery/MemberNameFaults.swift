import Conformance
import JSONTree

extension Fault {
    /// Faults of misspelt members and of members with nested values.
    static let memberNames: [Fault] = [
        .document("discovery.members.are-not-misspelt", "service_documentation is misspelt") {
            $0["service_documentations"] = "https://op.example/documentation"
        },
        .document("discovery.mtls-endpoint-aliases.are-endpoints", "a URL in mtls_endpoint_aliases is relative") {
            $0["mtls_endpoint_aliases"] = ["token_endpoint": "/mtls/token"]
        },
        .document(
            "discovery.mtls-endpoint-aliases.are-endpoints",
            variant: "space",
            "a URL in mtls_endpoint_aliases contains a space"
        ) {
            $0["mtls_endpoint_aliases"] = ["token_endpoint": "https://mtls.op.example/to ken"]
        },
        .document("discovery.mtls-endpoint-aliases.are-endpoints", variant: "list", "mtls_endpoint_aliases is an array")
        {
            $0["mtls_endpoint_aliases"] = ["https://mtls.op.example/token"]
        },
        .document("discovery.locales.are-in-usual-case", "a language tag has its region in lower case") {
            $0["ui_locales_supported"] = ["en", "pt-br"]
        },
        .document("discovery.userinfo-signing-alg-values-supported.include-rs256", "only ES256 is listed for UserInfo")
        {
            $0["userinfo_signing_alg_values_supported"] = ["ES256"]
        },
        Fault(
            "discovery.response-types-supported.fit-registration",
            "dynamic registration is offered, but only for the response type code",
            configure: { target in
                target.flows = ["code"]
                target.registration.responseTypes = ["code"]
            },
            change: { hooks in
                hooks.discovery = { document, _ in
                    document["registration_endpoint"] = .string("https://op.example/register")
                    document["response_types_supported"] = ["code"]
                }
            }
        ),
    ]
}
