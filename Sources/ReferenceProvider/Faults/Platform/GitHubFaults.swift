import Conformance
import JSONTree

/// Faults of a provider that is registered as GitHub, and of its registration.
extension Fault {
    static let gitHub: [Fault] = gitHubRegistrations + gitHubTokens + gitHubErrors + gitHubUsers

    private static let gitHubRegistrations: [Fault] = [
        gitHub(
            "platform.github.flow.is-code",
            "the implicit flow is configured too",
            configure: { $0.flows = ["code", "id_token"] }
        ),
        gitHub(
            "platform.github.redirect-uri.mismatch-brings-no-code",
            "a redirect_uri on another host is accepted and redirected to",
            change: { hooks in
                let one = hooks.parameters.one
                hooks.parameters.redirectURI = { parameters, client in
                    let asked = one("redirect_uri", parameters)
                    let used = asked == Scenario.foreignRedirectURI ? client.redirectURIs.first : asked
                    return used.map { (checked: $0, used: $0) }
                }
            }
        ),
        gitHub(
            "platform.github.parameters.are-accepted",
            "a request with allow_signup is rejected",
            change: { $0.alsoRefuse("invalid_request") { $0["allow_signup"] != nil } }
        ),
    ]

    private static let gitHubTokens: [Fault] = [
        gitHub(
            "platform.github.token-answer.is-json-when-asked",
            "the Accept header is ignored",
            change: { $0.dialect.accept = { _ in nil } }
        ),
        gitHub(
            "platform.github.token-answer.form-is-readable",
            "the form-encoded token response has no token_type",
            change: { $0.dialect.tokenForm = { fields in fields.removeAll { $0.name == "token_type" } } }
        ),
        gitHub(
            "platform.github.scope.is-granted",
            "user:email is not granted",
            change: { $0.tokenResponse = { $0["scope"] = "read:user" } }
        ),
        gitHub(
            "platform.github.scope.is-parted-by-commas",
            "granted scopes are separated by spaces",
            change: { $0.tokenResponse = { $0.rewrite("scope") { $0.replacing(",", with: " ") } } }
        ),
        gitHub(
            "platform.github.code-verifier.is-enforced",
            "any code_verifier is accepted",
            change: { hooks in
                hooks.overrideRedemption { _, rejection in rejection == .wrongVerifier }
            }
        ),
        gitHub(
            "platform.github.id-token.is-not-issued",
            "the token response contains an ID Token",
            change: { $0.tokenResponse = { $0["id_token"] = "e30.e30.e30" } }
        ),
        gitHub(
            "platform.github.discovery.promises-no-id-token",
            "openid is in scopes_supported",
            change: { $0.discovery = { document, _ in document.append("openid", to: "scopes_supported") } }
        ),
    ]

    private static let gitHubErrors: [Fault] = [
        gitHub(
            "platform.github.wrong-code.is-refused",
            "a bogus code is accepted",
            change: { hooks in
                hooks.overrideRedemption { _, rejection in rejection == .unknownGrant }
            }
        ),
        gitHub(
            "platform.github.wrong-code.has-bad-verification-code",
            "a bogus code returns invalid_grant",
            change: { $0.renameError("bad_verification_code", "invalid_grant") }
        ),
        gitHub(
            "platform.github.wrong-secret.is-refused",
            "a wrong secret returns an empty JSON object",
            change: { hooks in
                hooks.tokenErrorResponse = { response in
                    if response["error"] == "incorrect_client_credentials" { response = JSONObject() }
                }
            }
        ),
        gitHub(
            "platform.github.wrong-secret.has-incorrect-client-credentials",
            "a wrong secret returns invalid_client",
            change: { $0.renameError("incorrect_client_credentials", "invalid_client") }
        ),
    ]

    private static let gitHubUsers: [Fault] = [
        gitHub(
            "platform.github.user.email-is-reachable",
            "the API does not return the user's email addresses",
            change: { $0.dialect.reportsEmails = false }
        ),
        gitHub(
            "platform.github.user.primary-email-is-verified",
            "the primary email address is not verified",
            change: { hooks in
                hooks.dialect.userEmails = { list in
                    list = .array(
                        (list.arrayValue ?? [])
                            .map { element in
                                var address = element.objectValue ?? JSONObject()
                                address["verified"] = false
                                return .object(address)
                            }
                    )
                }
            }
        ),
        gitHub(
            "platform.user-api.has-members",
            "the user object has no id",
            change: { $0.dialect.userAPI = { user, _ in user["id"] = nil } }
        ),
        gitHub(
            "platform.user-api.subject-is-stable",
            "the user's id changes with every authorization",
            change: { $0.dialect.userAPI = { userData, user in userData["id"] = .string(user.authorization) } }
        ),
    ]

    private static func gitHub(
        _ trips: CheckID,
        _ title: String,
        also: [CheckID] = [],
        configure: @escaping @Sendable (inout Target) -> Void = { _ in },
        change: @escaping @Sendable (inout Hooks) -> Void = { _ in }
    ) -> Fault {
        Fault(trips, title, also: also, persona: .github, configure: configure, change: change)
    }
}

extension Hooks {
    fileprivate mutating func renameError(_ name: String, _ other: String) {
        tokenErrorResponse = { response in
            if response["error"]?.stringValue == name { response["error"] = .string(other) }
        }
    }
}
