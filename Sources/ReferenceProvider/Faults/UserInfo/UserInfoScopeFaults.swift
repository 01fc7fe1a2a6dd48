import Conformance
import JSONTree

extension Fault {
    /// Faults of the claims that UserInfo returns.
    static let userInfoScopes: [Fault] = [
        .provider("userinfo.updated-at.is-plausible", "updated_at at UserInfo is in milliseconds") {
            $0.changeUserInfo("updated_at", 1_750_000_000_000)
        },
        .provider("userinfo.claims.were-asked-for", "UserInfo has phone_number although it was not requested") {
            $0.setUserInfo("phone_number", "+49 30 901820")
        },
        Fault(
            "userinfo.address.is-present",
            "UserInfo has no address although the scope address is granted",
            configure: { $0.scopes.append("address") },
            change: { $0.setUserInfo("address", nil) }
        ),
        Fault(
            "userinfo.phone-number.is-present",
            "UserInfo has no phone_number although the scope phone is granted",
            configure: { $0.scopes.append("phone") },
            change: { $0.setUserInfo("phone_number", nil) }
        ),
        .provider("userinfo.claims.were-asked-for-by-one-scope", "the scope email alone returns the profile claims") {
            hooks in
            hooks.userInfoScopes = { $0.contains("email") ? $0 + ["profile"] : $0 }
        },
        .provider("userinfo.claims.are-present-by-one-scope", "the scope email alone returns no email") { hooks in
            hooks.userInfoScopes = { $0.contains("profile") ? $0 : $0.filter { $0 != "email" } }
        },
        .provider(
            "userinfo.claims.are-present-by-one-scope",
            variant: "profile",
            "the scope profile alone returns no profile claims"
        ) { hooks in
            hooks.userInfoScopes = { $0.contains("email") ? $0 : $0.filter { $0 != "profile" } }
        },
        .provider("userinfo.email-verified.is-true", "email_verified at UserInfo is false", persona: .manyKeys) {
            $0.changeUserInfo("email_verified", false)
        },
        .provider("userinfo.claim-sources.are-stated", "_claim_names names a source that _claim_sources lacks") {
            $0.setUserInfo("_claim_names", ["payment_info": "src1"])
        },
        .provider("userinfo.groups.are-lists", "groups at UserInfo is a string") {
            $0.setUserInfo("groups", "staff")
        },
    ]
}
