extension Cause {
    /// An ordinary authorization request that is rejected with an error; `nil` if the error is the expected one.
    static func refusal(
        by redirect: RedirectAnswer,
        _ error: String,
        _ exchange: Int,
        _ run: ScenarioRun,
        _ target: Target
    ) -> Cause? {
        // Without a user these mean that the request itself is valid (Core section 3.1.2.6).
        if run.scenario == Scenario.asThePlatformSends.id, needsAUser.contains(error) { return nil }
        // A provider may demand PKCE of every client (RFC 9700 section 2.1.1).
        let lacksPKCE = error == "invalid_request" && run.responseType.hasCode && target.leavesOutPKCE(run)
        return Cause(
            .authorizationRequest,
            as: .error(error),
            "The provider rejects the ordinary authorization request with the error \(error.quoted).",
            words: redirect.values("error_description").first?.shown(limit: 1_000),
            advice: lacksPKCE ? pkceAdvice : advice(for: error, run),
            keys: lacksPKCE ? ["client.pkce"] : keys(for: error, run),
            mayBeConfiguration: lacksPKCE || mayLackParameter(error, run) || ofTheRegistration.contains(error)
                || needsAUser.contains(error),
            exchange: exchange
        )
    }

    /// Whether it is the error of a request that lacks a required parameter (RFC 6749 section 4.1.2.1): providers report that before
    /// the sign-in.
    private static func mayLackParameter(_ error: String, _ run: ScenarioRun) -> Bool {
        error == "invalid_request" && run.visits.allSatisfy(\.filled.isEmpty)
    }

    static let pkceAdvice =
        "client.pkce: false removes PKCE from the request, and the provider may require it. Remove client.pkce from the "
        + "configuration, or allow the client to omit PKCE at the provider."

    /// The errors about the permissions of a client or a user: settings of the registration, which is the user's.
    private static let ofTheRegistration: Set<String> = [
        "unauthorized_client", "unsupported_response_type", "invalid_client", "access_denied", "invalid_scope",
        "invalid_target",
    ]
    /// The errors that require a user (Core section 3.1.2.6).
    private static let needsAUser: Set<String> = [
        "login_required", "interaction_required", "consent_required", "account_selection_required",
    ]

    /// The fix if an ordinary request is rejected with an error.
    package static func advice(for error: String, _ run: ScenarioRun) -> String {
        switch error {
        case "unsupported_response_type", "unauthorized_client":
            "Allow response_type \(run.responseType.text.quoted) for client \(run.clientID.quoted) at the provider, or "
                + "remove it from flows."
        case "invalid_scope":
            "Compare scopes with those that client \(run.clientID.quoted) is allowed and those that the provider requires; the "
                + "request has \((run.sentParameter("scope") ?? "openid").quoted)."
        case "invalid_target":
            "Allow the resource \((run.sentParameter("resource") ?? "").quoted) for client \(run.clientID.quoted) at the "
                + "provider (RFC 8707 section 2), or correct resource."
        case "access_denied":
            "Allow the test user to use client \(run.clientID.quoted), and grant consent." + submitted(run)
        default:
            "See the provider's log for this request; the client's registration is the usual cause"
                + (mayLackParameter(error, run)
                    ? ", or a parameter that the provider requires (custom_parameters)" : "")
                + (run.sentParameter("resource") == nil
                    ? "." : ", or the parameter resource, which some providers reject.")
        }
    }

    /// The fields of the last form: a failed consent may be the run's fault.
    private static func submitted(_ run: ScenarioRun) -> String {
        guard let form = run.visits.last(where: { $0.pressed != nil || !$0.filled.isEmpty }) else { return "" }
        let fields =
            form.filled.isEmpty ? "no field filled or ticked" : "the fields \(form.filled.joined(separator: ", "))"
        return " The last form was sent with \(fields.shown())"
            + (form.pressed.map { " and the button \($0.quoted)." } ?? ".")
    }

    static func keys(for error: String, _ run: ScenarioRun) -> [String] {
        switch error {
        case "unsupported_response_type", "unauthorized_client": ["client.id", "flows"]
        case "invalid_scope": ["client.id", "scopes"]
        case "invalid_target": ["client.id", "resource"]
        case "access_denied": ["client.id", "sign_in.username"]
        default: ["client.id"] + (run.sentParameter("resource") == nil ? [] : ["resource"])
        }
    }
}
