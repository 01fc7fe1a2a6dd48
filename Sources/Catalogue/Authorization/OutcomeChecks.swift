package import Conformance

/// How an ordinary authorization request ends.
package enum OutcomeChecks {
    static let succeeds = Check(
        "authorization.flow.succeeds",
        "The flow ends at the redirect URI without an error",
        .must,
        .signIn,
        Citation(
            .rfc6749,
            "4.1.2",
            "If the resource owner grants the access request, the authorization server issues an authorization code"
        ),
        why: "Users who sign in and consent never reach the client.",
        reads: StepResults.flows,
        supersededBy: [
            "platform.microsoft.id-token.is-enabled", "authorization.response.goes-to-the-client-alone",
            "authorization.state-and-nonce.may-be-long", "authorization.code-challenge-method.advertised-is-taken",
        ]
    ) { subject, facts in
        switch subject.answer.ending {
        case .page(let page):
            return [
                Finding(
                    "The flow ends on \(page.phrase), not at the redirect URI.",
                    expected: "a redirect to \(subject.asked.sentParameter("redirect_uri") ?? "the redirect URI")",
                    found: page.text.shown(limit: 120),
                    fix: page.nextStep ?? page.stopped
                        ?? "Read the message on the page, and complete sign_in.steps or the client's registration."
                )
            ]
        case .redirected(let redirect) where !redirect.isRedirectURI:
            return [
                Finding(
                    "The provider redirects to an address other than the redirect URI of the request.",
                    at: "redirect_uri",
                    expected: subject.asked.sentParameter("redirect_uri"),
                    found: redirect.address.shown(),
                    fix: "Register exactly the redirect_uri of the configuration at the provider."
                )
            ]
        case .redirected(let redirect):
            guard redirect.has("error") else { return [] }
            return [
                Finding(
                    "The provider returns the error \(redirect.errorText).",
                    at: "error",
                    expected: "no error",
                    found: redirect.error?.shown(),
                    fix: facts.collected.takesRefusedRequest(.formPost)
                        ? Cause.takesFormPost(facts.target) : Cause.advice(for: redirect.error ?? "", subject.asked.run)
                )
            ]
        }
    }

    static let goesToTheClientAlone = Check(
        "authorization.response.goes-to-the-client-alone",
        "The provider sends the response only to the redirect URI of the request",
        .must,
        .safety,
        Citation(.rfc9700, "4.1.3", "the authorization server MUST ensure that the two URIs are equal"),
        why: "An attacker who owns the other address receives the codes and tokens of every user who signs in.",
        reads: StepResults.flows,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, !redirect.isRedirectURI else { return nil }
            let reported = Artefact.all.map(\.parameter).filter(redirect.has) + (redirect.has("error") ? ["error"] : [])
            guard !reported.isEmpty else { return nil }
            return Finding(
                "The provider sends \(reported.joined(separator: ", ")) to an address other than the redirect URI.",
                at: "redirect_uri",
                expected: subject.asked.sentParameter("redirect_uri"),
                found: redirect.address.shown(),
                fix:
                    "Compare redirect_uri with the registered values character by character, and send the response to it. "
                    + "Do not build the address from parts, or read another one from a session or a setting."
            )
        }
    )

    static let containsWhatWasAsked = Check(
        "authorization.response.holds-what-was-asked",
        "The response contains the code and the tokens that response_type requests",
        .must,
        .signIn,
        Citation(.core, "3.2.2.5", "id_token REQUIRED. ID Token."),
        why: "A client that requests a code or a token cannot continue without it.",
        reads: StepResults.successes
    ) { subject, _ in
        let (answered, redirect) = subject
        return Artefact.all.filter { answered.asked.responseType.values.contains($0.responseTypeValue) }
            .filter { !redirect.hasValue($0.parameter) }
            .map { artefact in
                Finding(
                    "The response contains no \(artefact.parameter), although response_type is "
                        + "\(answered.asked.responseType.text.quoted).",
                    at: artefact.parameter,
                    expected: artefact.parameter,
                    found: "missing or empty",
                    fix: "Return \(artefact.parameter) for this response type, or stop advertising the response type."
                )
            }
    }

    static let containsNothingMore = Check(
        "authorization.response.holds-nothing-more",
        "The response contains no code or token that response_type does not request",
        .should,
        .safety,
        Citation(
            .multipleResponseTypes,
            "3",
            "SHOULD NOT return an OAuth 2.0 Authorization Code, Access Token, or Access Token Type"
        ),
        why: "An unrequested token still passes through the browser, where an attacker may steal it.",
        reads: StepResults.successes,
        supersededBy: ["authorization.tokens.are-not-in-query"]
    ) { subject, _ in
        let (answered, redirect) = subject
        return Artefact.all
            .filter { !answered.asked.responseType.values.contains($0.responseTypeValue) && redirect.has($0.parameter) }
            .map { artefact in
                Finding(
                    "The response to response_type \(answered.asked.responseType.text.quoted) also contains "
                        + "\(artefact.parameter).",
                    at: artefact.parameter,
                    expected: "no \(artefact.parameter)",
                    found: "\(artefact.parameter) present",
                    fix: "Return only the code and the tokens that response_type requests."
                )
            }
    }

    static let namesNothingTwice = Check(
        "authorization.parameters.are-not-repeated",
        "The response contains each parameter only once",
        .must,
        .signIn,
        Citation(.rfc6749, "3.1", "Request and response parameters MUST NOT be included more than once."),
        why: "Clients disagree on which of two values counts, so an attacker can smuggle one past a check.",
        reads: StepResults.successes
    ) { subject, _ in
        let names = subject.1.parameters.map(\.name)
        let known = names.filter(Artefact.responseParameters.contains)
        return Set(known).sorted()
            .compactMap { name in
                let count = known.count { $0 == name }
                guard count > 1 else { return nil }
                return Finding(
                    "The response contains the parameter \(name) \(count) times.",
                    at: name,
                    expected: "once",
                    found: "\(count) times",
                    fix: "Return \(name) once."
                )
            }
    }

    package static let all: [Check] = [
        succeeds, goesToTheClientAlone, containsWhatWasAsked, containsNothingMore, namesNothingTwice,
    ]
}

/// A code or token that an authorization response can contain, by response type (OAuth 2.0 Multiple Response Types sections 2 to 5).
struct Artefact: Sendable {
    let responseTypeValue: String
    let parameter: String
    let isToken: Bool

    static let code = Artefact(responseTypeValue: "code", parameter: "code", isToken: false)
    static let idToken = Artefact(responseTypeValue: "id_token", parameter: "id_token", isToken: true)
    static let accessToken = Artefact(responseTypeValue: "token", parameter: "access_token", isToken: true)
    static let all = [code, idToken, accessToken]

    /// The parameters that specifications define for responses; the query of a redirect URI may have others.
    static let responseParameters: Set<String> = [
        "code", "id_token", "access_token", "token_type", "expires_in", "scope", "state", "iss", "error",
        "error_description", "error_uri", "session_state",
    ]
}
