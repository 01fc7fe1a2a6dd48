package import Conformance
import JSONTree

/// The two ID Tokens of a hybrid flow, compared with each other (Core section 3.3.3.6).
///
/// The checks of subjects compare `iss` and `sub`.
package enum HybridChecks {
    static let claimsAgree = Check(
        "idtoken.hybrid.claims-agree",
        "Both ID Tokens of a hybrid flow have the same values for the same claims about the user",
        .should,
        .conformance,
        Citation(.core, "3.3.3.6", "any that are present in both SHOULD have the same values in both"),
        why: "The user data that a client shows depends on which of the two tokens it read last.",
        reads: pairs
    ) { tokens, _ in
        (StandardClaims.texts + StandardClaims.booleans + ["updated_at", "address"])
            .compactMap { name in
                guard let front = tokens.front.claims[name], let back = tokens.back.claims[name], front != back else {
                    return nil
                }
                return .claim(
                    name,
                    "The two ID Tokens of one sign-in differ in \(name).",
                    expected: front.shown,
                    found: back,
                    fix: "Read \(name) for both ID Tokens from the same source."
                )
            }
    }

    static let authenticationIsInBoth = Check(
        "idtoken.hybrid.authentication-is-in-both",
        "Both ID Tokens of a hybrid flow have the same auth_time, acr and amr",
        .should,
        .conformance,
        Citation(
            .core,
            "3.3.3.6",
            "All Claims about the Authentication event present in either SHOULD be present in both."
        ),
        why: "A client that reads the other token does not learn when or how the user signed in.",
        reads: pairs,
        supersededBy: ["idtoken.auth-time.is-plausible"]
    ) { tokens, _ in
        ["auth_time", "acr", "amr"].filter { tokens.front.claims[$0] != tokens.back.claims[$0] }
            .map { name in
                if let front = tokens.front.claims[name], let back = tokens.back.claims[name] {
                    return .claim(
                        name,
                        "The two ID Tokens of one sign-in differ in \(name).",
                        expected: front.shown,
                        found: back,
                        fix: "Read \(name) for both ID Tokens from the record of the sign-in."
                    )
                }
                let isInFront = tokens.front.claims.has(name)
                return .claim(
                    name,
                    "\(name) is only in the ID Token of the \(isInFront ? "authorization" : "token") endpoint.",
                    expected: "\(name) in both ID Tokens, or in neither",
                    found: isInFront ? tokens.front.claims[name] : tokens.back.claims[name],
                    fix: "Add \(name) to both ID Tokens."
                )
            }
    }

    package static let all: [Check] = [claimsAgree, authenticationIsInBoth]

    private static let pairs = Query<(front: IDToken, back: IDToken)>(
        "both ID Tokens of each hybrid flow",
        needs: StepResults.idTokens.needs,
        whenEmpty: "no configured flow returns ID Tokens from both endpoints"
    ) { facts in
        let samples = StepResults.idTokens.samples(facts)
        return facts.target.flows.filter { $0.hasCode && $0.hasIDToken }
            .map { type in
                let label = "response_type \(type)"
                func token(_ place: IDTokenPlace) -> Sample<IDToken>? {
                    samples.first { $0.label == "\(label), \(place.rawValue)" }
                }
                let missing = Observation<IDToken>.absent("one of the two ID Tokens did not arrive")
                let front = token(.authorizationEndpoint)?.observation ?? missing
                let back = token(.tokenEndpoint)?.observation ?? missing
                return Sample(
                    front.flatMap { front in back.map { (front: front, back: $0) } },
                    label: label,
                    exchange: token(.tokenEndpoint)?.exchange
                )
            }
    }
}
