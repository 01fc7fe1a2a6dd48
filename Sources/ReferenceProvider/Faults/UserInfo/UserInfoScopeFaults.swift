import Conformance
import JSONTree

extension Fault {
    /// Faults of which claims UserInfo returns.
    static let userInfoScopes: [Fault] = [
        .provider("userinfo.updated-at.is-plausible", "updated_at at UserInfo counts milliseconds") {
            $0.changeUserInfo("updated_at", 1_750_000_000_000)
        },
        .provider("userinfo.claims.were-asked-for", "UserInfo tells a telephone number that nobody asked for") {
            $0.setUserInfo("phone_number", "+49 30 901820")
        },
        Fault(
            "userinfo.address.is-present",
            "the scope address yields nothing",
            configure: { $0.scopes.append("address") },
            change: { $0.setUserInfo("address", nil) }
        ),
        Fault(
            "userinfo.phone-number.is-present",
            "the scope phone yields nothing",
            configure: { $0.scopes.append("phone") },
            change: { $0.setUserInfo("phone_number", nil) }
        ),
        .provider("userinfo.claims.were-asked-for-by-one-scope", "the scope email yields the whole profile") { seams in
            seams.userInfoScopes = { $0.contains("email") ? $0 + ["profile"] : $0 }
        },
        .provider("userinfo.claims.are-present-by-one-scope", "the address belongs to the scope profile") { seams in
            seams.userInfoScopes = { $0.contains("profile") ? $0 : $0.filter { $0 != "email" } }
        },
        .provider(
            "userinfo.claims.are-present-by-one-scope",
            variant: "profile",
            "names are told to those alone who ask for the address too"
        ) { seams in
            seams.userInfoScopes = { $0.contains("email") ? $0 : $0.filter { $0 != "profile" } }
        },
        .provider("userinfo.email-verified.is-true", "the address is not verified", persona: .manyKeys) {
            $0.changeUserInfo("email_verified", false)
        },
        .provider("userinfo.claim-sources.are-stated", "a claim's source is missing") {
            $0.setUserInfo("_claim_names", ["payment_info": "src1"])
        },
        .provider("userinfo.groups.are-lists", "groups at UserInfo is one string") {
            $0.setUserInfo("groups", "staff")
        },
    ]
}
