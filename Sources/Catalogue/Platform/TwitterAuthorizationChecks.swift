import Conformance

/// Checks of the authorization and the redirect to the callback (RFC 5849 section 2.2).
enum TwitterAuthorizationChecks {
    static let leadsToCallback = Check(
        "platform.twitter.authorization.leads-to-the-callback",
        "The provider redirects the user to the callback after the sign-in",
        .must,
        .signIn,
        Citation(.rfc5849, "2.2", "the server redirects the resource owner to the callback URI"),
        why: "The sign-in ends at the provider, and the application never receives the result.",
        reads: OAuth1Queries.authorizations,
        finding: { subject, facts in
            let answer = subject.1
            if let redirect = answer.redirect, redirect.isRedirectURI { return nil }
            let found = answer.refusal ?? answer.redirect.map { "a redirect to \($0.address.shown(limit: 120))" }
            return Finding(
                "The authorization does not end with a redirect to the callback, but with \(found ?? "a page").",
                expected: facts.target.redirectURI?.shown(),
                found: found ?? "a page",
                fix: "Register \(facts.target.redirectURI?.shown() ?? "the callback") as a callback URL of the app."
            )
        }
    )

    static let returnsTheToken = Check(
        "platform.twitter.authorization.returns-the-token",
        "The callback contains the identifier of the temporary credentials",
        .must,
        .signIn,
        Citation(.rfc5849, "2.2", "oauth_token … The temporary credentials identifier received from the client."),
        why: "A client with several sign-ins in progress cannot assign the response to one of them, and rejects it.",
        reads: OAuth1Queries.arrivals,
        exempt: TwitterAuthorizationChecks.elsewhere,
        finding: { subject, _ in
            guard subject.0.returnsToken != true else { return nil }
            let isOther = subject.0.returnsToken == false
            return Finding(
                isOther
                    ? "The callback contains another oauth_token." : "The callback has no oauth_token in its query.",
                at: "oauth_token",
                expected: "the value with which the authorization was started",
                found: isOther ? "another value" : "missing",
                fix: "Append oauth_token with the identifier of the temporary credentials to the callback."
            )
        }
    )

    static let returnsAVerifier = Check(
        "platform.twitter.authorization.returns-a-verifier",
        "The callback contains a verification code",
        .must,
        .signIn,
        Citation(.rfc5849, "2.2", "the server MUST generate a verification code"),
        why:
            "Without it the client receives no token credentials, or an attacker can obtain those of another user's sign-in.",
        reads: OAuth1Queries.arrivals,
        exempt: TwitterAuthorizationChecks.elsewhere,
        finding: { subject, _ in
            let verifier = subject.1.query.first { $0.name == "oauth_verifier" }
            guard verifier?.value.isEmpty ?? true else { return nil }
            return Finding(
                "The callback has no oauth_verifier in its query.",
                at: "oauth_verifier",
                expected: "a verification code",
                found: verifier == nil ? "missing" : "empty",
                fix: "Append oauth_verifier to the callback after the user has granted access."
            )
        }
    )

    static let verifierIsVaried = Check(
        "platform.twitter.verifier.is-varied",
        "The verification code does not look like a counter or a short number",
        .risk,
        .safety,
        Citation(.rfc5849, "2.2", "an unguessable value passed to the client via the resource owner"),
        why: "An attacker who guesses the code can take over another user's sign-in.",
        reads: OAuth1Queries.arrivals,
        exempt: { subject, _ in
            let verifier = subject.1.query.first { $0.name == "oauth_verifier" }
            return verifier?.variety == nil
                ? "the run recorded no verification code with a known number of possible values" : nil
        },
        finding: { subject, _ in
            let verifier = subject.1.query.first { $0.name == "oauth_verifier" }
            guard let bits = verifier?.variety, bits < leastVariety else { return nil }
            return Finding(
                "The characters of the verification code have only about \(bits) bits of entropy.",
                at: "oauth_verifier",
                expected: "\(leastVariety) bits or more; a random code of 128 bits has over 80",
                found: "\(bits) bits",
                fix: "Generate verification codes of at least 128 bits with a cryptographic random number generator."
            )
        }
    )

    static let customAreAccepted = Check(
        "platform.twitter.custom-parameters.are-accepted",
        "The provider accepts lang and the configured custom parameters",
        .platform,
        .signIn,
        Citation(
            .firebaseTwitter,
            "",
            "additional custom OAuth parameters that you want to send with the OAuth request"
        ),
        why: "The platform adds these parameters to every sign-in, so every sign-in ends with the provider's error.",
        reads: OAuth1Queries.custom,
        supersededBy: ["platform.twitter.authorization.leads-to-the-callback"],
        finding: { subject, _ in
            let (session, answer) = subject
            if let redirect = answer.redirect, redirect.isRedirectURI { return nil }
            let names = session.sent.map(\.name).filter { $0 != "oauth_token" }.joined(separator: ", ")
            let found = answer.refusal ?? "no redirect to the callback"
            return Finding(
                "For a request with \(names.shown()), the provider returns \(found).",
                at: "custom_parameters",
                expected: "the callback",
                found: found,
                fix: "Remove the custom parameter that the provider rejects, or correct its value."
            )
        }
    )

    private static let elsewhere: @Sendable ((OAuth1Session, RedirectAnswer), Facts) -> String? = { subject, _ in
        subject.1.isRedirectURI ? nil : "the redirect did not go to the callback, which another check reports"
    }

    static let all: [Check] = [leadsToCallback, returnsTheToken, returnsAVerifier, verifierIsVaried, customAreAccepted]
}
