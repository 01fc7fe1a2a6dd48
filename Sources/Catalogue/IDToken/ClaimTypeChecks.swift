package import Conformance
import JSONTree

/// The types of the claims about the user and the sign-in.
package enum ClaimTypeChecks {
    static let claims = UserClaims(
        stage: .idtoken,
        holder: "token",
        name: "the token",
        query: StepResults.idTokens,
        claims: { $0.claims },
        asked: { $0.asked }
    )

    static let textsAreStrings = claims.textsAreStrings(.signIn)

    static let verifiedIsABoolean = claims.verifiedIsABoolean(.signIn)

    static let updatedAtIsANumber = claims.updatedAtIsANumber(.signIn)

    static let emailIsAnAddress = claims.emailIsAnAddress(.signIn)

    static let acrIsAString = Check(
        "idtoken.acr.is-a-string",
        "The ID Token's acr is a string",
        .must,
        .signIn,
        Citation(.core, "2", "The acr value is a case-sensitive string."),
        why: "Clients that require an assurance level compare acr with a string; any other type never matches.",
        reads: StepResults.idTokens,
        concerns: .ofClaim("acr"),
        exempt: { token, _ in token.claims.has("acr") ? nil : "the token has no acr, which is optional" },
        finding: { token, _ in .unlessString("acr", token.claims["acr"]) }
    )

    static let identifiersAreStrings = Check(
        "idtoken.identifiers.are-strings",
        "The ID Token's jti and sid are strings",
        .must,
        .signIn,
        Citation(.rfc7519, "4.1.7", "The \"jti\" value is a case-sensitive string."),
        why: "13 of 30 measured clients reject a token whose jti is a number.",
        reads: StepResults.idTokens
    ) { token, _ in
        ["jti", "sid"].filter { $0 == "jti" || token.claims[$0] != .null }
            .compactMap { .unlessString($0, token.claims[$0]) }
    }

    static let sourcesAreStated = claims.sourcesAreStated(.signIn)

    static let amrIsAList = Check(
        "idtoken.amr.is-a-list-of-strings",
        "The ID Token's amr is a list of strings",
        .must,
        .signIn,
        Citation(.core, "2", "JSON array of strings that are identifiers for authentication methods"),
        why: "Typed clients reject the whole token when amr is a single string.",
        reads: StepResults.idTokens,
        concerns: .ofClaim("amr"),
        exempt: { token, _ in token.claims.has("amr") ? nil : "the token has no amr, which is optional" },
        finding: { token, _ in
            guard let amr = token.claims["amr"], amr.strings == nil else { return nil }
            return .claim(
                "amr",
                "amr is \(amr.arrayValue == nil ? amr.kind.phrase : "a list that does not contain only strings").",
                expected: "a list such as [\"pwd\"]",
                found: amr,
                fix: "Write amr as a list of strings."
            )
        }
    )

    static let haveValues = claims.haveValues(.risk)

    package static let all: [Check] = [
        textsAreStrings, verifiedIsABoolean, updatedAtIsANumber, emailIsAnAddress, acrIsAString, identifiersAreStrings,
        sourcesAreStated, amrIsAList, haveValues,
    ]
}

extension Finding {
    /// A finding if a claim or a header parameter has a value that is no string.
    static func unlessString(_ name: String, _ value: JSON?, fix: String? = nil) -> Finding? {
        guard let value, value.stringValue == nil else { return nil }
        return .claim(
            name,
            "\(name) is \(value.kind.phrase).",
            expected: "a string",
            found: value,
            fix: fix ?? "Write \(name) as a string."
        )
    }
}
