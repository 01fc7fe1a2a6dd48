package import Conformance
import JOSE
import JSONTree

/// The claims that bind an ID Token to the request, the access token and the code.
package enum BindingChecks {
    static let nonceIsEchoed = Check(
        "idtoken.nonce.is-echoed",
        "The ID Token's nonce is exactly the one in the request",
        .must,
        .signIn,
        Citation(.core, "2", "Authorization Servers MUST include a nonce Claim in the ID Token"),
        why: "Clients reject tokens whose nonce differs from the one that they sent.",
        reads: StepResults.idTokens,
        concerns: .ofClaim("nonce"),
        exempt: { token, _ in whyNoNonce(token) },
        finding: { token, facts in
            wrongNonce(token, facts, fix: "Copy nonce from the authorization request to the ID Token unchanged.")
        }
    )

    static let nonceIsNotInvented = Check(
        "idtoken.nonce.is-not-invented",
        "The ID Token has no nonce if the request had none",
        .risk,
        .conformance,
        Citation(.core, "2", "the nonce value sent in the Authentication Request"),
        why: "Clients that sent no nonce reject a token that has one, because it belongs to another request.",
        reads: IDTokenQueries.withoutNonce,
        concerns: .ofClaim("nonce"),
        supersededBy: ["platform.firebase.id-token.nonce-is-not-invented"],
        finding: { token, facts in
            guard let nonce = token.claims["nonce"] else { return nil }
            return .claim(
                "nonce",
                facts.sent(nonce: nonce)
                    ? "The ID Token has the nonce of another request of this run, although its own request had none."
                    : "The ID Token has a nonce although the request had none.",
                expected: "no nonce",
                found: nonce,
                fix: "Omit nonce from the ID Token if the request had none."
            )
        }
    )

    static let nonceIsOfItsRequest = Check(
        "idtoken.nonce.is-of-its-own-request",
        "The ID Token has the nonce of its own request, even after a later request in the session",
        .must,
        .conformance,
        Citation(.core, "2", "with the Claim Value being the nonce value sent in the Authentication Request"),
        why: "A user who opens a client in two browser tabs completes the sign-in in neither or in only one of them.",
        reads: ofTheEarlierRequest,
        concerns: .ofClaim("nonce"),
        supersededBy: ["idtoken.nonce.is-echoed"],
        exempt: { token, _ in whyNoNonce(token) },
        finding: { token, facts in
            wrongNonce(
                token,
                facts,
                fix: "Store nonce with each authorization code, and not with the user or the session."
            )
        }
    )

    static let atHashIsPresent = Check(
        "idtoken.at-hash.is-present",
        "An ID Token that the authorization endpoint returns with an access token has at_hash",
        .must,
        .conformance,
        Citation(.core, "3.2.2.10", "which is the case for the response_type value id_token token, this is REQUIRED"),
        why: "Clients cannot verify that the access token belongs to the ID Token.",
        reads: StepResults.idTokens,
        exempt: { token, _ in
            token.place == .authorizationEndpoint && token.asked.responseType.hasToken
                ? nil : "at_hash is optional here"
        },
        rule: { token, _ in absent("at_hash", token, "access token") }
    )

    static let atHashIsCorrect = Check(
        "idtoken.at-hash.is-correct",
        "The ID Token's at_hash is the hash of the access token",
        .must,
        .signIn,
        Citation(.core, "3.2.2.9", "The value of at_hash in the ID Token MUST match the value produced"),
        why: "Clients reject an access token that does not match at_hash.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.at-hash.is-a-string"],
        exempt: { token, _ in
            if !token.claims.has("at_hash") { return "the token has no at_hash" }
            return token.facts.expectedAccessTokenHash == nil ? "no access token was returned with the ID Token" : nil
        },
        rule: { token, _ in mismatch("at_hash", token, token.facts.expectedAccessTokenHash, "access token") }
    )

    static let atHashIsAString = Check(
        "idtoken.at-hash.is-a-string",
        "The ID Token's at_hash is a string",
        .must,
        .signIn,
        Citation(
            .core,
            "3.1.3.6",
            "Access Token hash value. Its value is the base64url encoding of the left-most half"
        ),
        why:
            "Client libraries such as go-oidc reject a token whose at_hash is not a string, even if they do not compare it.",
        reads: StepResults.idTokens,
        exempt: { token, _ in token.claims.has("at_hash") ? nil : "the token has no at_hash" },
        finding: { token, _ in .unlessString("at_hash", token.claims["at_hash"]) }
    )

    static let cHashIsPresent = Check(
        "idtoken.c-hash.is-present",
        "An ID Token that the authorization endpoint returns with a code has c_hash",
        .must,
        .signIn,
        Citation(
            .core,
            "3.3.2.11",
            "which is the case for the response_type values code id_token and code id_token token, this is REQUIRED"
        ),
        why: "Without c_hash, an attacker can replace the code that is returned with the ID Token.",
        reads: StepResults.idTokens,
        exempt: { token, _ in
            token.place == .authorizationEndpoint && token.asked.responseType.hasCode
                ? nil : "no code was returned with the ID Token"
        },
        rule: { token, _ in absent("c_hash", token, "code") }
    )

    static let cHashIsCorrect = Check(
        "idtoken.c-hash.is-correct",
        "The ID Token's c_hash is the hash of the code",
        .must,
        .signIn,
        Citation(.core, "3.3.2.10", "The value of c_hash in the ID Token MUST match the value produced"),
        why: "Clients reject a code that does not match c_hash.",
        reads: StepResults.idTokens,
        supersededBy: ["authorization.code.has-no-spaces"],
        exempt: { token, _ in
            if !token.claims.has("c_hash") { return "the token has no c_hash" }
            return token.facts.expectedCodeHash == nil ? "no code was returned with the ID Token" : nil
        },
        rule: { token, _ in mismatch("c_hash", token, token.facts.expectedCodeHash, "code") }
    )

    /// The ID Token of the first of two open requests, if the second one was granted and the first one got an ID Token.
    private static let ofTheEarlierRequest = StepResults.idToken(.silentReturn, .otherTab, at: .tokenEndpoint)
        .narrowed("the ID Token of the first of two open requests") { sample, facts in
            let run = facts.evidence.run(Scenario.silentReturn.id)
            let reason: String? =
                if let later = run?.authorization(.hint).value, later.redirect?.isGrant != true {
                    "the later request was not granted"
                } else if let answer = run?.answer(.otherTab.token).value, answer.idToken == nil {
                    "the token endpoint issued no ID Token for the code of the earlier request"
                } else { nil }
            return reason.map { Sample(.notAttempted(Reason($0)), exchange: sample.exchange) } ?? sample
        }

    package static let all: [Check] = [
        nonceIsEchoed, nonceIsNotInvented, nonceIsOfItsRequest, atHashIsPresent, atHashIsCorrect, atHashIsAString,
        cHashIsPresent, cHashIsCorrect,
    ]

    private static func whyNoNonce(_ token: IDToken) -> String? {
        token.asked.sentParameter("nonce") == nil ? "the request had no nonce, or it is not known" : nil
    }

    private static func wrongNonce(_ token: IDToken, _ facts: Facts, fix: String) -> Finding? {
        guard let sent = token.asked.sentParameter("nonce") else { return nil }
        if let nonce = token.claims["nonce"]?.stringValue, nonce.hasSameBytes(as: sent) { return nil }
        return .claim(
            "nonce",
            facts.differingNonce(token.claims["nonce"]),
            expected: sent.shown(),
            found: token.claims["nonce"],
            fix: fix
        )
    }

    private static func absent(_ name: String, _ token: IDToken, _ what: String) -> [Finding] {
        guard !token.claims.has(name) else { return [] }
        return [
            .claim(
                name,
                "The ID Token has no \(name) for the \(what) that is returned with it.",
                expected: "the left half of the \(what)'s hash, in base64url",
                found: nil,
                fix: "Add \(name) to ID Tokens that the authorization endpoint returns with this response type."
            )
        ]
    }

    /// Whether a hash is the same of fewer bytes: no text says how many SHAKE256 yields for Ed448, and products differ.
    private static func isShorter(_ value: String, _ expected: String) -> Bool {
        guard let bytes = try? Base64URL.decode(value), let all = try? Base64URL.decode(expected) else { return false }
        return all.count == 57 && bytes.count >= 32 && all.starts(with: bytes)
    }

    private static func mismatch(_ name: String, _ token: IDToken, _ expected: String?, _ what: String) -> [Finding] {
        guard let expected else { return [] }
        if let value = token.claims[name]?.stringValue, value.hasSameBytes(as: expected) { return [] }
        if token.claims[name]?.stringValue.map({ isShorter($0, expected) }) == true { return [] }
        return [
            .claim(
                name,
                "\(name) does not match the \(what) that is returned with the token.",
                expected: expected,
                found: token.claims[name],
                fix:
                    "Hash the ASCII bytes of the \(what) with the hash function of alg. Set \(name) to the left half of the hash, in base64url."
            )
        ]
    }
}
