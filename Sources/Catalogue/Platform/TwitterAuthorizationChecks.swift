import Conformance

/// The way through the provider's pages and back (RFC 5849 section 2.2).
enum TwitterAuthorizationChecks {
    static let leadsToCallback = Check(
        "platform.twitter.authorization.leads-to-the-callback",
        "Who signs in comes back to the callback",
        .must,
        .signIn,
        Citation(.rfc5849, "2.2", "the server redirects the resource owner to the callback URI"),
        why: "The sign-in ends at the provider, and the application never hears of it.",
        reads: OAuth1Slots.authorizations,
        finding: { subject, facts in
            let answer = subject.1
            if let redirect = answer.redirect, redirect.isRedirectURI { return nil }
            let found = answer.refusal ?? answer.redirect.map { "a redirect to \($0.address.shown(limit: 120))" }
            return Finding(
                "The way through the provider's pages ended with \(found ?? "a page").",
                expected: facts.target.redirectURI?.shown(),
                found: found ?? "a page",
                fix: "Register \(facts.target.redirectURI?.shown() ?? "the callback") as a callback URL of the app."
            )
        }
    )

    static let returnsTheToken = Check(
        "platform.twitter.authorization.returns-the-token",
        "The callback names the temporary credentials",
        .must,
        .signIn,
        Citation(.rfc5849, "2.2", "oauth_token … The temporary credentials identifier received from the client."),
        why: "A client that holds several sign-ins at once cannot tell whose answer it is, and takes none.",
        reads: OAuth1Slots.arrivals,
        exempt: TwitterAuthorizationChecks.elsewhere,
        finding: { subject, _ in
            guard subject.0.returnsToken != true else { return nil }
            let isOther = subject.0.returnsToken == false
            return Finding(
                isOther ? "The callback names other credentials." : "The callback has no oauth_token in its query.",
                at: "oauth_token",
                expected: "the value that the pages were opened with",
                found: isOther ? "another" : "missing",
                fix: "Append oauth_token with the temporary credentials' identifier to the callback."
            )
        }
    )

    static let returnsAVerifier = Check(
        "platform.twitter.authorization.returns-a-verifier",
        "The callback brings a verification code",
        .must,
        .signIn,
        Citation(.rfc5849, "2.2", "the server MUST generate a verification code"),
        why: "Without it no token credentials can be had, or anybody can have those of another's sign-in.",
        reads: OAuth1Slots.arrivals,
        exempt: TwitterAuthorizationChecks.elsewhere,
        finding: { subject, _ in
            let verifier = subject.1.query.first { $0.name == "oauth_verifier" }
            guard verifier?.value.isEmpty ?? true else { return nil }
            return Finding(
                "The callback has no oauth_verifier in its query.",
                at: "oauth_verifier",
                expected: "a verification code",
                found: verifier == nil ? "missing" : "empty",
                fix: "Append oauth_verifier to the callback once the person has allowed the access."
            )
        }
    )

    static let verifierIsVaried = Check(
        "platform.twitter.verifier.is-varied",
        "The verification code does not look like a counter or a short number",
        .risk,
        .safety,
        Citation(.rfc5849, "2.2", "an unguessable value passed to the client via the resource owner"),
        why: "Who can guess it can take over another's sign-in.",
        reads: OAuth1Slots.arrivals,
        exempt: { subject, _ in
            let verifier = subject.1.query.first { $0.name == "oauth_verifier" }
            return verifier?.variety == nil ? "no verification code was recorded with its variety" : nil
        },
        finding: { subject, _ in
            let verifier = subject.1.query.first { $0.name == "oauth_verifier" }
            guard let bits = verifier?.variety, bits < leastVariety else { return nil }
            return Finding(
                "The characters of the verification code vary by about \(bits) bits only.",
                at: "oauth_verifier",
                expected: "\(leastVariety) bits or more; a random code of 128 bits has over 80",
                found: "\(bits) bits",
                fix: "Make verification codes of at least 128 bits from a cryptographic random generator."
            )
        }
    )

    static let customAreAccepted = Check(
        "platform.twitter.custom-parameters.are-accepted",
        "The pages accept lang and the custom parameters of the configuration",
        .platform,
        .signIn,
        Citation(
            .firebaseTwitter,
            "",
            "additional custom OAuth parameters that you want to send with the OAuth request"
        ),
        why: "The platform adds them to every sign-in, and every sign-in would end in the provider's error.",
        reads: OAuth1Slots.custom,
        excusedBy: ["platform.twitter.authorization.leads-to-the-callback"],
        finding: { subject, _ in
            let (session, answer) = subject
            if let redirect = answer.redirect, redirect.isRedirectURI { return nil }
            let names = session.sent.map(\.name).filter { $0 != "oauth_token" }.joined(separator: ", ")
            let found = answer.refusal ?? "another way"
            return Finding(
                "The page with \(names.shown()) was answered with \(found).",
                at: "custom_parameters",
                expected: "the callback",
                found: found,
                fix: "Remove the parameter that the provider refuses, or correct its value."
            )
        }
    )

    private static let elsewhere: @Sendable ((OAuth1Session, RedirectAnswer), Facts) -> String? = { subject, _ in
        subject.1.isRedirectURI ? nil : "the redirect did not go to the callback, which another check reports"
    }

    static let all: [Check] = [leadsToCallback, returnsTheToken, returnsAVerifier, verifierIsVaried, customAreAccepted]
}
