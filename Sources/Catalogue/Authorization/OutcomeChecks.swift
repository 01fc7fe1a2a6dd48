package import Conformance

/// How an ordinary authorization request ends.
package enum OutcomeChecks {
    package static let succeeds = Check(
        "authorization.flow.succeeds",
        "The flow ends at the redirect URI without an error",
        .must,
        .signIn,
        Citation(
            .rfc6749,
            "4.1.2",
            "If the resource owner grants the access request, the authorization server issues an authorization code"
        ),
        why: "A person who signs in and consents has to arrive at the client; otherwise nobody can sign in.",
        reads: Conversations.flows,
        excusedBy: [
            "platform.microsoft.id-token.is-enabled", "authorization.response.goes-to-the-client-alone",
            "authorization.state-and-nonce.may-be-long", "authorization.code-challenge-method.advertised-is-taken",
        ]
    ) { subject, facts in
        switch subject.answer.ending {
        case .page(let page):
            return [
                Finding(
                    "The flow ended on \(page.phrase), not at the redirect URI.",
                    expected: "a redirect to \(subject.asked.sentParameter("redirect_uri") ?? "the redirect URI")",
                    found: page.text.shown(limit: 120),
                    fix: page.nextStep ?? page.stopped
                        ?? "See what the page says, and complete sign_in.steps or the registration."
                )
            ]
        case .redirected(let redirect) where !redirect.isRedirectURI:
            return [
                Finding(
                    "The provider redirected to another address than the redirect URI of the request.",
                    at: "redirect_uri",
                    expected: subject.asked.sentParameter("redirect_uri"),
                    found: redirect.address.shown(),
                    fix: "Register exactly the redirect URI of the configuration at the provider."
                )
            ]
        case .redirected(let redirect):
            guard redirect.has("error") else { return [] }
            return [
                Finding(
                    "The provider answered with the error \(redirect.errorText).",
                    at: "error",
                    expected: "no error",
                    found: redirect.error?.shown(),
                    fix: facts.collected.takesRefusedRequest(.formPost)
                        ? Cause.takesFormPost : Cause.advice(for: redirect.error ?? "", subject.asked.run)
                )
            ]
        }
    }

    package static let goesToTheClientAlone = Check(
        "authorization.response.goes-to-the-client-alone",
        "The response is sent to the redirect URI of the request, and nowhere else",
        .must,
        .safety,
        Citation(.rfc9700, "4.1.3", "the authorization server MUST ensure that the two URIs are equal"),
        why: "Whoever owns the other address receives the codes and tokens of everybody who signs in.",
        reads: Conversations.flows,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, !redirect.isRedirectURI else { return nil }
            let told = Artefact.all.map(\.parameter).filter(redirect.has) + (redirect.has("error") ? ["error"] : [])
            guard !told.isEmpty else { return nil }
            return Finding(
                "The response, with \(told.joined(separator: ", ")), was sent to another address than the redirect URI.",
                at: "redirect_uri",
                expected: subject.asked.sentParameter("redirect_uri"),
                found: redirect.address.shown(),
                fix:
                    "Send the response to the redirect URI of the request, after comparing that with the registered ones "
                    + "character for character; build no address of parts, and take no other one from a session or a setting."
            )
        }
    )

    package static let holdsWhatWasAsked = Check(
        "authorization.response.holds-what-was-asked",
        "Every artefact that the response type names is in the response",
        .must,
        .signIn,
        Citation(.core, "3.2.2.5", "id_token REQUIRED. ID Token."),
        why: "A client that asked for a code or a token cannot go on without it.",
        reads: Conversations.successes
    ) { subject, _ in
        let (answered, redirect) = subject
        return Artefact.all.filter { answered.asked.responseType.values.contains($0.responseTypeValue) }
            .filter { !redirect.hasValue($0.parameter) }
            .map { artefact in
                Finding(
                    "The response holds no \(artefact.parameter), though response_type was "
                        + "\(answered.asked.responseType.text.quoted).",
                    at: artefact.parameter,
                    expected: artefact.parameter,
                    found: "missing or empty",
                    fix: "Return \(artefact.parameter) for this response type, or stop advertising the response type."
                )
            }
    }

    package static let holdsNothingMore = Check(
        "authorization.response.holds-nothing-more",
        "Nothing that was not asked for is in the response",
        .should,
        .safety,
        Citation(
            .multipleResponseTypes,
            "3",
            "SHOULD NOT return an OAuth 2.0 Authorization Code, Access Token, or Access Token Type"
        ),
        why: "A token that nobody asked for still passes through the browser, where a thief may find it.",
        reads: Conversations.successes,
        excusedBy: ["authorization.tokens.are-not-in-query"]
    ) { subject, _ in
        let (answered, redirect) = subject
        return Artefact.all
            .filter { !answered.asked.responseType.values.contains($0.responseTypeValue) && redirect.has($0.parameter) }
            .map { artefact in
                Finding(
                    "The response to response_type \(answered.asked.responseType.text.quoted) also holds "
                        + "\(artefact.parameter).",
                    at: artefact.parameter,
                    expected: "no \(artefact.parameter)",
                    found: "\(artefact.parameter) present",
                    fix: "Return only what the response type names."
                )
            }
    }

    package static let namesNothingTwice = Check(
        "authorization.parameters.are-not-repeated",
        "No response parameter comes twice",
        .must,
        .signIn,
        Citation(.rfc6749, "3.1", "Request and response parameters MUST NOT be included more than once."),
        why: "Clients disagree on which of two values counts, which lets one be smuggled past the other.",
        reads: Conversations.successes
    ) { subject, _ in
        let names = subject.1.parameters.map(\.name)
        let known = names.filter(Artefact.responseParameters.contains)
        return Set(known).sorted()
            .compactMap { name in
                let count = known.count { $0 == name }
                guard count > 1 else { return nil }
                return Finding(
                    "The response parameter \(name) comes \(count) times.",
                    at: name,
                    expected: "once",
                    found: "\(count) times",
                    fix: "Return \(name) once."
                )
            }
    }

    package static let all: [Check] = [
        succeeds, goesToTheClientAlone, holdsWhatWasAsked, holdsNothingMore, namesNothingTwice,
    ]
}

/// What an authorization response can carry by response type (OAuth 2.0 Multiple Response Types sections 2 to 5).
struct Artefact: Sendable {
    let responseTypeValue: String
    let parameter: String
    let isToken: Bool

    static let code = Artefact(responseTypeValue: "code", parameter: "code", isToken: false)
    static let idToken = Artefact(responseTypeValue: "id_token", parameter: "id_token", isToken: true)
    static let accessToken = Artefact(responseTypeValue: "token", parameter: "access_token", isToken: true)
    static let all = [code, idToken, accessToken]

    /// The parameters that specifications define for responses; a redirect URI may bring others of its own.
    static let responseParameters: Set<String> = [
        "code", "id_token", "access_token", "token_type", "expires_in", "scope", "state", "iss", "error",
        "error_description", "error_uri", "session_state",
    ]
}
