package import Conformance
import JSONTree

/// Checks of accounts and application parameters, beyond the validity of the ID Token.
package enum FirebaseAccountChecks {
    static let nonceIsNotInvented = Check(
        "platform.firebase.id-token.nonce-is-not-invented",
        "The ID Token of a Firebase sign-in without a nonce contains no nonce",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "token nonce, no request nonce: MISSING_OR_INVALID_NONCE"),
        why: "The platform rejects an ID Token with a nonce if the application passes no raw nonce with it.",
        reads: FirebaseQueries.withoutNonce,
        // The platform sends no nonce that the provider could keep.
        exempt: { token, facts in
            token.claims["nonce"].map(facts.sent(nonce:)) == true
                ? "the nonce is that of another request of this run, which the provider keeps for the user" : nil
        },
        finding: { token, _ in
            guard let nonce = token.claims["nonce"] else { return nil }
            return .claim(
                "nonce",
                "The ID Token has a nonce although the request had none; the platform returns MISSING_OR_INVALID_NONCE.",
                expected: "no nonce",
                found: nonce,
                fix: "Omit nonce from the ID Token if the request has none."
            )
        }
    )

    static let emailIsVerified = Check(
        "platform.firebase.email-verified.is-true",
        "The provider returns email_verified true for the user's address",
        .risk,
        .signIn,
        Citation(.identityPlatformObserved, "", "unverified e-mail: needConfirmation true, nothing linked"),
        why: "A user who already has an account with that address must confirm it, and is not signed in to it.",
        reads: FirebaseQueries.reported,
        supersededBy: [
            "idtoken.email-verified.is-a-boolean", "userinfo.email-verified.is-a-boolean",
            "idtoken.sub.differs-between-persons",
        ],
        exempt: { reported, _ in
            reported.claims.has("email") ? nil : "the provider returned no address, which another check reports"
        },
        finding: { reported, _ in
            guard reported.claims["email_verified"]?.boolValue != true else { return nil }
            return .claim(
                "email_verified",
                "The email claim has no email_verified: true; the platform then returns needConfirmation for an existing account.",
                expected: "true",
                found: reported.claims["email_verified"],
                fix: "Return email_verified true for verified addresses only, and verify the address of the "
                    + "test user."
            )
        }
    )

    static let emailIsNotCareless = Check(
        "platform.firebase.email-verified.is-not-careless",
        "The provider does not return email_verified true for an unverified address",
        .platform,
        .safety,
        Citation(.core, "5.1", "True if the End-User's e-mail address has been verified; otherwise false."),
        why:
            "The platform links accounts by verified addresses. An attacker who signs up at the provider with a user's "
            + "address takes over that user's account.",
        reads: FirebaseQueries.reportedOfOther,
        supersededBy: ["idtoken.email-verified.is-a-boolean", "userinfo.email-verified.is-a-boolean"],
        exempt: { reported, _ in
            reported.claims.has("email") ? nil : "the provider returned no address for the second user"
        },
        finding: { reported, _ in
            let value = reported.claims["email_verified"]
            guard value?.boolValue == true || value?.stringValue?.lowercased() == "true" else { return nil }
            return .claim(
                "email_verified",
                "The provider returns email_verified true for the second user, whose configured address is unverified.",
                expected: "false, or no such claim",
                found: value,
                fix: "Return email_verified true only after the user has confirmed the address."
            )
        }
    )

    static let scopeContainsNothingMore = Check(
        "platform.firebase.scope.holds-nothing-more",
        "The token endpoint grants only scopes that the platform requested",
        .may,
        .conformance,
        Citation(.firebaseYahoo, "", "Requested OAuth scopes must be exact matches to the preconfigured ones"),
        why:
            "The application gains access that the user did not approve, or its client is registered for more than it needs.",
        reads: StepResults.tokenSuccesses,
        supersededBy: ["token.scope.is-legal"],
        exempt: { subject, _ in subject.1["scope"]?.stringValue == nil ? "the token response states no scope" : nil },
        finding: { subject, _ in
            let granted = (subject.1["scope"]?.stringValue ?? "").split(separator: " ").map(String.init)
            let more = granted.filter { !subject.0.asked.askedScopes.contains($0) }
            guard !more.isEmpty else { return nil }
            return Finding(
                "The token endpoint grants scopes that were not requested: \(more.joined(separator: ", ").shown()).",
                at: "/scope",
                expected: subject.0.asked.sentParameter("scope")?.shown(),
                found: granted.joined(separator: " ").shown(),
                fix:
                    "Remove \(more.conjoined.shown()) from the client's registration, or add \(more.count == 1 ? "it" : "them") to "
                    + "the application's scopes."
            )
        }
    )

    static let duplicatesDoNotWin = Check(
        "platform.firebase.duplicates.do-not-win",
        "The provider does not use the second value of a repeated parameter",
        .risk,
        .safety,
        Citation(.rfc6749, "3.1", "Request and response parameters MUST NOT be included more than once."),
        why:
            "An application, or an attacker who crafts the link, can override the platform's value by repeating the parameter.",
        reads: StepResults.run(.repeatedParameters),
        exempt: { _, facts in
            let answers = ["state", "scope", "nonce"]
                .flatMap { StepResults.authorization(.repeatedParameters, StepID($0)).samples(facts) }
                .compactMap(\.observation.value)
            let open = answers.compactMap(\.isInconclusive)
            return open.count == answers.count ? open.first ?? "no such request received a response" : nil
        },
        rule: { run, facts in
            secondValues(run, facts)
                .map { name, second in
                    Finding(
                        "The provider uses the second of two values of \(name).",
                        at: name,
                        expected: "an error, or the first value",
                        found: second,
                        fix: "Reject requests that contain a parameter more than once (RFC 6749 section 3.1)."
                    )
                }
        }
    )

    /// The parameters whose second value appears in the responses.
    private static func secondValues(_ run: ScenarioRun, _ facts: Facts) -> [(name: String, second: String)] {
        let scope = run[.scope]
        let tokens = scope?.answer.value?.body.bytes.flatMap { try? JSONDocument.parse($0) }
        let granted = tokens?.root["scope"]?.stringValue
        var second: [(name: String, second: String)] = []
        if run.authorization(.state).value?.redirect?.first("state") == Scenario.otherState {
            second.append((name: "state", second: Scenario.otherState))
        }
        if granted == Scenario.otherScope, scope?.sent.first(where: { $0.name == "scope" })?.value != granted {
            second.append((name: "scope", second: Scenario.otherScope))
        }
        let tokensOfTwoNonces = StepResults.anyIDToken(.repeatedParameters, .nonce).samples(facts)
        if tokensOfTwoNonces.contains(where: {
            $0.observation.value?.claims["nonce"]?.stringValue == Scenario.otherNonce
        }) {
            second.append((name: "nonce", second: Scenario.otherNonce))
        }
        return second
    }

    static let keysContainAKnownOne = Check(
        "platform.firebase.keys.hold-one-for-a-known-algorithm",
        "The key set contains a key for an algorithm that the platform is known to accept",
        .risk,
        .conformance,
        Citation(.identityPlatformObserved, "", "JWK members used: kty n e kid alg use"),
        why: "Every recorded sign-in used an RSA key, and it is unknown whether the platform accepts other keys.",
        reads: Documents.keySet,
        supersededBy: [
            "platform.id-token.algorithm-is-accepted", "idtoken.kid.is-published", "idtoken.signature.verifies",
            "keys.signing-key.is-present",
        ],
        unless: { facts in facts.profile.parameters[.tokenAlgorithms] == nil ? "the profile names no algorithms" : nil
        },
        finding: { set, facts in
            let known = facts.profile.parameters[.tokenAlgorithms] ?? []
            guard !set.keys.contains(where: { Self.isGood($0, for: known) }) else { return nil }
            return Finding(
                "No published key is for \(known.joined(separator: " or ")); the platform returns "
                    + "INVALID_IDP_RESPONSE unless it accepts other algorithms.",
                at: "/keys",
                expected: known.joined(separator: ", "),
                found: set.keys.map { $0.object["alg"]?.stringValue ?? $0.object["kty"]?.shown ?? "no kty" }
                    .joined(separator: ", ").shown(),
                fix: "Publish a signing key for \(known.first ?? "RS256") and sign this client's ID Tokens with it."
            )
        }
    )

    package static let all: [Check] = [
        nonceIsNotInvented, emailIsVerified, emailIsNotCareless, scopeContainsNothingMore, duplicatesDoNotWin,
        keysContainAKnownOne,
    ]

    private static func isGood(_ key: PublishedKey, for algorithms: [String]) -> Bool {
        if let use = key.object["use"]?.stringValue, use != "sig" { return false }
        if let alg = key.object["alg"]?.stringValue { return algorithms.contains(alg) }
        // RFC 7518 section 3.1: RS and PS are for RSA, ES for elliptic curves.
        return algorithms.contains { $0.hasPrefix("ES") == (key.object["kty"]?.stringValue == "EC") }
    }
}
