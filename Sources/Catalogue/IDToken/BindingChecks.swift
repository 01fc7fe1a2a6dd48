package import Conformance
import JSONTree

/// What binds an ID Token to the request, the access token and the code.
package enum BindingChecks {
    package static let nonceIsEchoed = Check(
        "idtoken.nonce.is-echoed",
        "nonce is the one that was sent, character for character",
        .must,
        .signIn,
        Citation(.core, "2", "Authorization Servers MUST include a nonce Claim in the ID Token"),
        why: "Clients refuse tokens whose nonce they did not choose.",
        reads: Conversations.idTokens,
        concerns: .ofClaim("nonce"),
        exempt: { token, _ in
            token.asked.sentParameter("nonce") == nil ? "the nonce that was sent is not known, or none was" : nil
        },
        finding: { token, _ in
            guard let sent = token.asked.sentParameter("nonce") else { return nil }
            if let nonce = token.claims["nonce"]?.stringValue, nonce.hasSameOctets(as: sent) { return nil }
            return .claim(
                "nonce",
                token.claims.has("nonce") ? "The nonce came back changed." : "The ID Token has no nonce.",
                expected: sent.shown(),
                found: token.claims["nonce"],
                fix: "Copy the nonce of the authorization request into the ID Token unchanged."
            )
        }
    )

    package static let nonceIsNotInvented = Check(
        "idtoken.nonce.is-not-invented",
        "A request without a nonce yields no nonce",
        .risk,
        .conformance,
        Citation(.core, "2", "the nonce value sent in the Authentication Request"),
        why: "Clients that sent none refuse a token that has one, as it answers somebody else's request.",
        reads: IDTokenSlots.withoutNonce,
        concerns: .ofClaim("nonce"),
        excusedBy: ["platform.firebase.id-token.nonce-is-not-invented"],
        finding: { token, _ in
            guard let nonce = token.claims["nonce"] else { return nil }
            return .claim(
                "nonce",
                "The ID Token has a nonce though none was sent.",
                expected: "no nonce",
                found: nonce,
                fix: "Leave nonce out when the request had none."
            )
        }
    )

    package static let atHashIsPresent = Check(
        "idtoken.at-hash.is-present",
        "An ID Token that comes beside an access token from the authorization endpoint has at_hash",
        .must,
        .conformance,
        Citation(.core, "3.2.2.10", "which is the case for the response_type value id_token token, this is REQUIRED"),
        why: "Clients cannot tell whether the access token beside the ID Token belongs to it.",
        reads: Conversations.idTokens,
        exempt: { token, _ in
            token.place == .authorizationEndpoint && token.asked.responseType.hasToken
                ? nil : "at_hash is optional here"
        },
        rule: { token, _ in absent("at_hash", token, "access token") }
    )

    package static let atHashIsCorrect = Check(
        "idtoken.at-hash.is-correct",
        "at_hash is the hash of the access token",
        .must,
        .signIn,
        Citation(.core, "3.2.2.9", "The value of at_hash in the ID Token MUST match the value produced"),
        why: "Clients refuse an access token that does not fit.",
        reads: Conversations.idTokens,
        exempt: { token, _ in
            if !token.claims.has("at_hash") { return "the token has no at_hash" }
            return token.facts.expectedAccessTokenHash == nil ? "no access token came with it" : nil
        },
        rule: { token, _ in mismatch("at_hash", token, token.facts.expectedAccessTokenHash, "access token") }
    )

    package static let cHashIsPresent = Check(
        "idtoken.c-hash.is-present",
        "An ID Token that comes beside a code has c_hash",
        .must,
        .signIn,
        Citation(
            .core,
            "3.3.2.11",
            "which is the case for the response_type values code id_token and code id_token token, this is REQUIRED"
        ),
        why: "Without it an attacker can put another code beside the ID Token.",
        reads: Conversations.idTokens,
        exempt: { token, _ in
            token.place == .authorizationEndpoint && token.asked.responseType.hasCode ? nil : "no code came with it"
        },
        rule: { token, _ in absent("c_hash", token, "code") }
    )

    package static let cHashIsCorrect = Check(
        "idtoken.c-hash.is-correct",
        "c_hash is the hash of the code",
        .must,
        .signIn,
        Citation(.core, "3.3.2.10", "The value of c_hash in the ID Token MUST match the value produced"),
        why: "Clients refuse a code that does not fit.",
        reads: Conversations.idTokens,
        excusedBy: ["authorization.code.has-no-spaces"],
        exempt: { token, _ in
            if !token.claims.has("c_hash") { return "the token has no c_hash" }
            return token.facts.expectedCodeHash == nil ? "no code came with it" : nil
        },
        rule: { token, _ in mismatch("c_hash", token, token.facts.expectedCodeHash, "code") }
    )

    package static let all: [Check] = [
        nonceIsEchoed, nonceIsNotInvented, atHashIsPresent, atHashIsCorrect, cHashIsPresent, cHashIsCorrect,
    ]

    private static func absent(_ name: String, _ token: IDToken, _ what: String) -> [Finding] {
        guard !token.claims.has(name) else { return [] }
        return [
            .claim(
                name,
                "The ID Token has no \(name) for the \(what) beside it.",
                expected: "the left half of the \(what)'s hash, in base64url",
                found: nil,
                fix: "Add \(name) to ID Tokens of this response type."
            )
        ]
    }

    private static func mismatch(_ name: String, _ token: IDToken, _ expected: String?, _ what: String) -> [Finding] {
        guard let expected else { return [] }
        if let value = token.claims[name]?.stringValue, value.hasSameOctets(as: expected) { return [] }
        return [
            .claim(
                name,
                "\(name) does not fit the \(what) that came with the token.",
                expected: expected,
                found: token.claims[name],
                fix:
                    "Hash the ASCII octets of the \(what) with the hash of alg, take the left half, encode in base64url."
            )
        ]
    }
}
