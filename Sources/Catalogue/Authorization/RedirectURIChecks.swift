package import Conformance

/// How exactly redirect URIs are compared with the registered ones.
package enum RedirectURIChecks {
    private static let exactly = Citation(
        .core,
        "3.1.2.1",
        "This URI MUST exactly match one of the Redirection URI values for the Client pre-registered"
    )

    static let addedPath = refused(
        "authorization.redirect-uri.added-path-is-refused",
        "The provider rejects a redirect URI with an additional path segment",
        .safety,
        exactly,
        why: "An attacker who controls a page below the client's URL receives the codes and tokens of other users.",
        .addedPath
    )

    static let addedQuery = refused(
        "authorization.redirect-uri.added-query-is-refused",
        "The provider rejects a redirect URI with an unregistered query",
        .safety,
        exactly,
        why: "An attacker can add a parameter that makes an open redirector of the client forward the code.",
        .addedQuery
    )

    static let fragment = refused(
        "authorization.redirect-uri.fragment-is-refused",
        "The provider rejects a redirect URI with a fragment",
        .conformance,
        Citation(.rfc6749, "3.1.2", "The endpoint URI MUST NOT include a fragment component."),
        why: "A fragment in the redirect URI can hide the response from the client.",
        .fragment
    )

    static let otherCaseOfPath = refused(
        "authorization.redirect-uri.other-case-of-path-is-refused",
        "The provider rejects a redirect URI whose path differs in letter case",
        .safety,
        exactly,
        why:
            "An attacker with an application on the same host, at a path that differs only in case, receives the codes.",
        .otherCaseOfPath
    )

    static let otherScheme = refused(
        "authorization.redirect-uri.other-scheme-is-refused",
        "The provider rejects a redirect URI with http instead of https",
        .safety,
        exactly,
        why: "An attacker on the network can read a code that is sent over http.",
        .otherScheme
    )

    static let otherCaseOfScheme = refused(
        "authorization.redirect-uri.other-case-of-scheme-is-refused",
        "The provider rejects a redirect URI whose scheme differs in letter case",
        .conformance,
        Citation(
            .core,
            "3.1.2.1",
            "with the matching performed as described in Section 6.2.1 of [RFC3986] (Simple String Comparison)"
        ),
        why: "A client that compares the URI exactly may not recognise its own response. "
            + "Browsers ignore the letter case of the scheme.",
        .otherCaseOfScheme
    )

    static let otherPort = refused(
        "authorization.redirect-uri.other-port-is-refused",
        "The provider rejects a redirect URI with another port",
        .safety,
        exactly,
        why: "Another program that listens on that port of the host receives the code.",
        .otherPort,
        exempt: { facts in
            facts.target.hasLoopbackRedirectURI
                ? "the port of a loopback redirect URI may vary (RFC 8252 section 7.3)" : nil
        }
    )

    static let trailingSlash = refused(
        "authorization.redirect-uri.trailing-slash-is-compared",
        "The provider rejects a redirect URI with a trailing slash added or removed",
        .conformance,
        exactly,
        why: "The token request must repeat the redirect URI. When the two differ, the client gets no token.",
        .trailingSlash
    )

    static let userInfo = refused(
        "authorization.redirect-uri.user-info-is-refused",
        "The provider rejects a redirect URI with user information before its host",
        .safety,
        exactly,
        why: "A parser that mistakes the part before the @ for the host accepts a host of the attacker's choice.",
        .userInfo
    )

    static let subdomain = refused(
        "authorization.redirect-uri.sub-domain-is-refused",
        "The provider rejects a redirect URI on a subdomain of the registered host",
        .safety,
        Citation(.rfc9700, "4.1.3", "the authorization server MUST ensure that the two URIs are equal"),
        why: "An attacker who takes over a forgotten subdomain receives the codes and tokens of other users.",
        .subdomain
    )

    static let percentEncoded = refused(
        "authorization.redirect-uri.percent-encoding-is-compared",
        "The provider rejects a redirect URI with a percent-encoded letter",
        .conformance,
        exactly,
        why: "A browser or reverse proxy may read a different path than a provider that decodes before it compares.",
        .percentEncoded
    )

    static let blankBefore = refused(
        "authorization.redirect-uri.space-is-compared",
        "The provider rejects a redirect URI with a leading space",
        .conformance,
        exactly,
        why: "A component that does not remove the space redirects to an address other than the one that was compared.",
        .blankBefore
    )

    static let tabBehind = refused(
        "authorization.redirect-uri.tab-is-compared",
        "The provider rejects a redirect URI with a trailing tab",
        .conformance,
        exactly,
        why: "A component that does not remove the tab redirects to an address other than the one that was compared.",
        .tabBehind
    )

    static let emptyQuery = refused(
        "authorization.redirect-uri.question-mark-is-compared",
        "The provider rejects a redirect URI with a question mark added",
        .conformance,
        exactly,
        why: "The token request must repeat the redirect URI. When the two differ, the client gets no token.",
        .emptyQuery
    )

    static let backslash = refused(
        "authorization.redirect-uri.backslash-is-refused",
        "The provider rejects a redirect URI with a backslash and another host after its host",
        .safety,
        exactly,
        why: "A parser that mistakes the part behind the @ for the host accepts a host of the attacker's choice.",
        .backslash
    )

    static let sibling = refused(
        "authorization.redirect-uri.sibling-host-is-refused",
        "The provider rejects a redirect URI with a different first label of the registered host",
        .safety,
        exactly,
        why: "At a hosting service, an attacker can register a host next to the client's and receive users' codes.",
        .sibling
    )

    static let hostSuffix = refused(
        "authorization.redirect-uri.host-suffix-is-refused",
        "The provider rejects a redirect URI with another domain after the registered host",
        .safety,
        exactly,
        why: "An attacker can register a domain, and give it a host that begins with the client's.",
        .hostSuffix
    )

    static let dotReplaced = refused(
        "authorization.redirect-uri.dot-is-compared",
        "The provider rejects a redirect URI with a letter in place of a dot of the registered host",
        .safety,
        exactly,
        why: "A pattern with an unescaped dot also fits a domain that an attacker can register.",
        .dotReplaced
    )

    static let loopback = refused(
        "authorization.redirect-uri.unregistered-loopback-is-refused",
        "The provider rejects an unregistered redirect URI on localhost",
        .safety,
        exactly,
        why: "An attacker's program on the user's machine can receive the codes of a client on the web.",
        .loopback
    )

    static let customScheme = refused(
        "authorization.redirect-uri.custom-scheme-is-refused",
        "The provider rejects a redirect URI with an unregistered custom scheme",
        .safety,
        exactly,
        why:
            "An attacker's application can claim the scheme and receive the codes; the scheme javascript runs as a script.",
        .customScheme
    )

    static let missing = Check(
        "authorization.redirect-uri.missing-is-refused",
        "The provider rejects a request without redirect_uri",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "redirect_uri REQUIRED."),
        why:
            "The response goes to a registered URI that the client may not have intended, and the client cannot detect it.",
        reads: StepResults.authorization(.redirectURIVariations, .promptNone),
        passesOn: .refusal,
        exempt: { subject, _ in subject.isInconclusive },
        finding: { subject, _ in
            guard subject.isGranted, let redirect = subject.answer.redirect else { return nil }
            return Finding(
                "The provider grants a request without redirect_uri, and sends the response to "
                    + "\(redirect.address.shown()).",
                at: "redirect_uri",
                expected: "an error page",
                found: "a redirect with a code or token",
                fix: "Reject requests with the scope openid that have no redirect_uri, even if only one is registered."
            )
        }
    )

    static let mismatchIsShown = Check(
        "authorization.redirect-uri.mismatch-is-shown",
        "The provider reports a redirect URI mismatch to the user, not to the client",
        .should,
        .conformance,
        Citation(.rfc6749, "4.1.2.1", "SHOULD inform the resource owner of the error"),
        why: "The client receives an error for a request that it did not make, and the user sees no explanation.",
        reads: mismatches,
        supersededBy: ["authorization.redirect-uri.unregistered-is-not-redirected-to"],
        exempt: { subject, _ in subject.isInconclusive },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.has("error"), !subject.answer.wentToTheOther else {
                return nil
            }
            return Finding(
                "The provider reports an unregistered redirect URI to the registered one, with the error "
                    + "\(redirect.errorText).",
                at: "redirect_uri",
                expected: "an error page",
                found: redirect.address.shown(),
                fix: "Show an error page when redirect_uri is not registered, and never fall back to a registered one."
            )
        }
    )

    package static let all: [Check] = [
        addedPath, addedQuery, fragment, otherCaseOfPath, otherScheme, otherCaseOfScheme, otherPort, trailingSlash,
        userInfo, subdomain, percentEncoded, blankBefore, tabBehind, emptyQuery, backslash, sibling, dotReplaced,
        hostSuffix, loopback, customScheme, missing, mismatchIsShown,
    ]

    private static let mismatches = answers(
        to: .redirectURIVariations,
        RedirectURIVariation.allCases.map { ($0.step, $0.words) }
    )

    /// The responses to the steps of a scenario, each labelled with its words.
    static func answers(to scenario: Scenario, _ steps: [(id: StepID, words: String)]) -> Query<AuthorizationResult> {
        let queries = steps.map { ($0.words, StepResults.authorization(scenario, $0.id)) }
        return Query("answers to: " + scenario.title, needs: [.discovery, .probe(scenario.id)]) { facts in
            queries.flatMap { words, query in
                query.samples(facts).map { Sample($0.observation, label: words, exchange: $0.exchange) }
            }
        }
    }

    /// Reported together with an added path segment, which gives an attacker the same freedom and more.
    private static let ofThePath: [RedirectURIVariation] = [
        .addedQuery, .trailingSlash, .otherCaseOfPath, .percentEncoded, .fragment, .tabBehind, .emptyQuery,
    ]

    private static func alsoTaken(_ facts: Facts) -> [String] {
        ofThePath.filter { variation in
            StepResults.authorization(.redirectURIVariations, variation.step).samples(facts)
                .compactMap(\.observation.value).contains { isAccepted($0, variation) && !isRegisteredToo($0, facts) }
        }
        .map(\.words)
    }

    private static func isAccepted(_ subject: AuthorizationResult, _ variation: RedirectURIVariation) -> Bool {
        guard let redirect = subject.answer.redirect, redirect.isRedirectURI else { return subject.isGranted }
        // A code that is appended to the fragment of the changed redirect URI is unreadable.
        let isUsed = variation == .fragment && !redirect.fragment.isEmpty && !redirect.has("error")
        return subject.isGranted || isUsed || !variation.keepsPlace
    }

    private static func isRegisteredToo(_ subject: AuthorizationResult, _ facts: Facts) -> Bool {
        let asked = subject.asked.sentParameter("redirect_uri") ?? ""
        return facts.target.otherRedirectURIs?.contains(where: asked.hasSameBytes) == true
    }

    private static func refused(
        _ id: CheckID,
        _ title: String,
        _ consequence: Consequence,
        _ citation: Citation,
        why: String,
        _ variation: RedirectURIVariation,
        exempt: @escaping @Sendable (Facts) -> String? = { _ in nil }
    ) -> Check {
        Check(
            id,
            title,
            .must,
            consequence,
            citation,
            why: why,
            reads: StepResults.authorization(.redirectURIVariations, variation.step),
            supersededBy: ["authorization.redirect-uri.unregistered-is-not-redirected-to"]
                + (ofThePath.contains(variation) ? ["authorization.redirect-uri.added-path-is-refused"] : []),
            passesOn: .refusal,
            exempt: { subject, facts in
                isRegisteredToo(subject, facts)
                    ? "the client also registered it (other_redirect_uris)" : exempt(facts) ?? subject.isInconclusive
            },
            finding: { subject, facts in
                guard let redirect = subject.answer.redirect, isAccepted(subject, variation) else { return nil }
                let asked = subject.asked.sentParameter("redirect_uri") ?? ""
                let likewise = variation == .addedPath ? alsoTaken(facts).listed : ""
                return Finding(
                    "The provider accepts a redirect URI with \(variation.words)"
                        + (redirect.has("error") ? ", and sends it the error \(redirect.errorText)." : ".")
                        + (likewise.isEmpty ? "" : " It also accepts those with \(likewise)."),
                    at: "redirect_uri",
                    expected: "an error page",
                    found: "a redirect to \(redirect.address.shown())"
                        + (redirect.address == asked ? "" : " for \(asked.shown())"),
                    fix:
                        "Compare redirect_uri with the registered values character by character, and show an error page "
                        + "on a mismatch. If the client registered the changed URI too, list it in "
                        + "other_redirect_uris of the configuration."
                )
            }
        )
    }
}

extension AuthorizationAnswer {
    /// Whether the browser was sent to the redirect URI of the request.
    fileprivate var wentToTheOther: Bool { redirect?.isRedirectURI ?? false }
}
