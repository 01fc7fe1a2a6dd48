package import Conformance

/// How exactly redirect URIs are compared with the registered ones.
package enum RedirectURIChecks {
    private static let exactly = Citation(
        .core,
        "3.1.2.1",
        "This URI MUST exactly match one of the Redirection URI values for the Client pre-registered"
    )

    package static let addedPath = refused(
        "authorization.redirect-uri.added-path-is-refused",
        "A redirect URI with a further path segment is refused",
        .safety,
        exactly,
        why: "Whoever can write somewhere below the client's address receives codes and tokens of other people.",
        .addedPath
    )

    package static let addedQuery = refused(
        "authorization.redirect-uri.added-query-is-refused",
        "A redirect URI with a query that is not registered is refused",
        .safety,
        exactly,
        why: "A parameter of the attacker's choice can send the client's own redirector elsewhere, with the code.",
        .addedQuery
    )

    package static let fragment = refused(
        "authorization.redirect-uri.fragment-is-refused",
        "A redirect URI with a fragment is refused",
        .conformance,
        Citation(.rfc6749, "3.1.2", "The endpoint URI MUST NOT include a fragment component."),
        why: "A fragment hides the response from the client, or the client from the response.",
        .fragment
    )

    package static let otherCaseOfPath = refused(
        "authorization.redirect-uri.other-case-of-path-is-refused",
        "A redirect URI with a letter of its path in the other case is refused",
        .safety,
        exactly,
        why: "Whoever runs another application on the host, at a path that differs in case, receives the codes.",
        .otherCaseOfPath
    )

    package static let otherScheme = refused(
        "authorization.redirect-uri.other-scheme-is-refused",
        "A redirect URI with http in place of https is refused",
        .safety,
        exactly,
        why: "Over http everybody on the way can read the code.",
        .otherScheme
    )

    package static let otherCaseOfScheme = refused(
        "authorization.redirect-uri.other-case-of-scheme-is-refused",
        "A redirect URI with its scheme in the other case is refused",
        .conformance,
        Citation(
            .core,
            "3.1.2.1",
            "with the matching performed as described in Section 6.2.1 of [RFC3986] (Simple String Comparison)"
        ),
        why:
            "A provider that normalises before it compares can be led astray by what its normaliser and browsers read apart.",
        .otherCaseOfScheme
    )

    package static let otherPort = refused(
        "authorization.redirect-uri.other-port-is-refused",
        "A redirect URI with another port is refused",
        .safety,
        exactly,
        why: "Another port of the host can belong to another program, which would receive the code.",
        .otherPort,
        exempt: { facts in
            facts.target.hasLoopbackRedirectURI
                ? "the port of a redirect URI on this machine may vary (RFC 8252 section 7.3)" : nil
        }
    )

    package static let trailingSlash = refused(
        "authorization.redirect-uri.trailing-slash-is-compared",
        "A redirect URI with a slash more or less at its end is refused",
        .conformance,
        exactly,
        why: "The token request must repeat the redirect URI; sooner or later the two differ and no token comes.",
        .trailingSlash
    )

    package static let userInfo = refused(
        "authorization.redirect-uri.user-info-is-refused",
        "A redirect URI with user information before its host is refused",
        .safety,
        exactly,
        why: "A reader that takes the part before the @ for the host is led to a host of the attacker's choice.",
        .userInfo
    )

    package static let subdomain = refused(
        "authorization.redirect-uri.sub-domain-is-refused",
        "A redirect URI on a sub-domain of the registered host is refused",
        .safety,
        Citation(.rfc9700, "4.1.3", "the authorization server MUST ensure that the two URIs are equal"),
        why: "A forgotten sub-domain that somebody else took over receives codes and tokens of other people.",
        .subdomain
    )

    package static let percentEncoded = refused(
        "authorization.redirect-uri.percent-encoding-is-compared",
        "A redirect URI with a letter percent-encoded is refused",
        .conformance,
        exactly,
        why: "What a provider decodes before it compares, a browser or a server in front may read as another path.",
        .percentEncoded
    )

    package static let missing = Check(
        "authorization.redirect-uri.missing-is-refused",
        "A request without redirect_uri is refused",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "redirect_uri REQUIRED."),
        why: "The response goes to whatever is registered today, and the client cannot notice that it was not meant.",
        reads: Conversations.authorization(.redirectURIVariations, .promptNone),
        passesOn: .refusal,
        exempt: { subject, _ in subject.isUndecided },
        finding: { subject, _ in
            guard subject.isGranted, let redirect = subject.answer.redirect else { return nil }
            return Finding(
                "A request without redirect_uri was granted, and the response went to "
                    + "\(redirect.address.shown()).",
                at: "redirect_uri",
                expected: "an error page",
                found: "a redirect with a code or token",
                fix:
                    "Refuse requests with the scope openid that have no redirect_uri, also when only one is registered."
            )
        }
    )

    package static let mismatchIsShown = Check(
        "authorization.redirect-uri.mismatch-is-shown",
        "A redirect URI that does not match is told to the person, not to the client",
        .should,
        .conformance,
        Citation(.rfc6749, "4.1.2.1", "SHOULD inform the resource owner of the error"),
        why: "The client is told of an error of a request that it did not make, and the person learns nothing.",
        reads: mismatches,
        excusedBy: ["authorization.redirect-uri.unregistered-is-not-redirected-to"],
        exempt: { subject, _ in subject.isUndecided },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.has("error"), !subject.answer.wentToTheOther else {
                return nil
            }
            return Finding(
                "A redirect URI that is not registered was answered at the registered one, with the error "
                    + "\(redirect.errorText).",
                at: "redirect_uri",
                expected: "an error page",
                found: redirect.address.shown(),
                fix: "Show an error page when redirect_uri is not registered; never fall back to another one."
            )
        }
    )

    package static let all: [Check] = [
        addedPath, addedQuery, fragment, otherCaseOfPath, otherScheme, otherCaseOfScheme, otherPort, trailingSlash,
        userInfo, subdomain, percentEncoded, missing, mismatchIsShown,
    ]

    private static let mismatches: Slot<AnsweredAuthorization> = {
        let steps = RedirectURIVariation.allCases.map { Conversations.authorization(.redirectURIVariations, $0.step) }
        return Slot(
            "answers to: " + Scenario.redirectURIVariations.title,
            needs: [.discovery, .probe(Scenario.redirectURIVariations.id)]
        ) { facts in
            zip(RedirectURIVariation.allCases, steps)
                .flatMap { variation, slot in
                    slot.samples(facts)
                        .map { Sample($0.observation, label: variation.words, exchange: $0.exchange) }
                }
        }
    }()

    /// What is told with a further path segment: who may add one has the same freedom, and more.
    private static let ofThePath: [RedirectURIVariation] = [
        .addedQuery, .trailingSlash, .otherCaseOfPath, .percentEncoded, .fragment,
    ]

    private static func alsoTaken(_ facts: Facts) -> [String] {
        ofThePath.filter { variation in
            Conversations.authorization(.redirectURIVariations, variation.step).samples(facts)
                .compactMap(\.observation.value)
                .contains { isTaken($0, variation) && !isRegisteredToo($0, facts) }
        }
        .map(\.words)
    }

    private static func isTaken(_ subject: AnsweredAuthorization, _ variation: RedirectURIVariation) -> Bool {
        let wentThere =
            subject.answer.wentToTheOther
            && (!variation.keepsPlace || subject.answer.redirect?.has("error") == false)
        return subject.isGranted || wentThere
    }

    private static func isRegisteredToo(_ subject: AnsweredAuthorization, _ facts: Facts) -> Bool {
        let asked = subject.asked.sentParameter("redirect_uri") ?? ""
        return facts.target.otherRedirectURIs?.contains(where: asked.hasSameOctets) == true
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
            reads: Conversations.authorization(.redirectURIVariations, variation.step),
            excusedBy: ["authorization.redirect-uri.unregistered-is-not-redirected-to"]
                + (ofThePath.contains(variation) ? ["authorization.redirect-uri.added-path-is-refused"] : []),
            passesOn: .refusal,
            exempt: { subject, facts in
                isRegisteredToo(subject, facts)
                    ? "the client registered it too, by other_redirect_uris" : exempt(facts) ?? subject.isUndecided
            },
            finding: { subject, facts in
                guard let redirect = subject.answer.redirect, isTaken(subject, variation) else { return nil }
                let asked = subject.asked.sentParameter("redirect_uri") ?? ""
                let likewise = variation == .addedPath ? alsoTaken(facts).listed : ""
                return Finding(
                    "A redirect URI with \(variation.words) was taken for the registered one"
                        + (redirect.has("error") ? ", with the error \(redirect.errorText)" : "")
                        + (likewise.isEmpty ? "." : "; so were those with \(likewise)."),
                    at: "redirect_uri",
                    expected: "an error page",
                    found: "a redirect to \(redirect.address.shown())"
                        + (redirect.address == asked ? "" : " for \(asked.shown())"),
                    fix: "Compare redirect_uri with the registered ones character for character; on a difference "
                        + "show an error page. If the client registered this one too, name it in other_redirect_uris."
                )
            }
        )
    }
}

extension AuthorizationAnswer {
    /// Whether the browser was sent to the redirect URI of the request.
    fileprivate var wentToTheOther: Bool { redirect?.isRedirectURI ?? false }
}
