package import Conformance
import JSONTree

/// The types of the claims about the user and the sign-in.
package enum ClaimTypeChecks {
    package static let textsAreStrings = Check(
        "idtoken.claims.have-right-types",
        "Names, addresses and the like are strings",
        .must,
        .signIn,
        Citation(.core, "5.1", "name string End-User's full name in displayable form"),
        why: "Typed clients refuse the whole token when one claim has another type.",
        reads: Conversations.idTokens
    ) { token, _ in StandardClaims.wrongTexts(token.claims) }

    package static let verifiedIsABoolean = Check(
        "idtoken.email-verified.is-a-boolean",
        "email_verified and phone_number_verified are true or false",
        .must,
        .signIn,
        Citation(.core, "5.1", "email_verified boolean True if the End-User's e-mail address has been verified"),
        why: "The string \"false\" counts as true in some languages, and an unverified address takes over an account.",
        reads: Conversations.idTokens
    ) { token, _ in StandardClaims.wrongBooleans(token.claims) }

    package static let updatedAtIsANumber = Check(
        "idtoken.updated-at.is-a-number",
        "updated_at is a number of seconds",
        .must,
        .signIn,
        Citation(.core, "5.1", "updated_at number Time the End-User's information was last updated"),
        why: "Typed clients refuse the whole token when the time is a text.",
        reads: Conversations.idTokens
    ) { token, _ in StandardClaims.wrongUpdatedAt(token.claims) }

    package static let emailIsAnAddress = Check(
        "idtoken.email.is-an-address",
        "email is an e-mail address",
        .must,
        .signIn,
        Citation(.core, "5.1", "Its value MUST conform to the RFC 5322 [RFC5322] addr-spec syntax"),
        why: "Platforms keep it as the account's address and refuse what is none.",
        reads: Conversations.idTokens,
        exempt: { token, _ in token.claims.has("email") ? nil : "the token has no email" },
        rule: { token, _ in StandardClaims.wrongEmail(token.claims) }
    )

    package static let acrIsAString = Check(
        "idtoken.acr.is-a-string",
        "acr is a string",
        .must,
        .signIn,
        Citation(.core, "2", "The acr value is a case-sensitive string."),
        why: "Clients that ask for a level of assurance cannot compare anything else.",
        reads: Conversations.idTokens,
        exempt: { token, _ in token.claims.has("acr") ? nil : "the token has no acr, which is optional" },
        rule: { token, _ in
            guard let acr = token.claims["acr"], acr.stringValue == nil else { return [] }
            return [
                .claim(
                    "acr",
                    "acr is \(acr.kind.phrase).",
                    expected: "a string",
                    found: acr,
                    fix: "Write acr as a string."
                )
            ]
        }
    )

    package static let amrIsAList = Check(
        "idtoken.amr.is-a-list-of-strings",
        "amr is a list of strings",
        .must,
        .signIn,
        Citation(.core, "2", "JSON array of strings that are identifiers for authentication methods"),
        why: "Typed clients refuse the whole token when amr is a single string.",
        reads: Conversations.idTokens,
        exempt: { token, _ in token.claims.has("amr") ? nil : "the token has no amr, which is optional" },
        rule: { token, _ in
            guard let amr = token.claims["amr"], amr.strings == nil else { return [] }
            return [
                .claim(
                    "amr",
                    "amr is \(amr.arrayValue == nil ? amr.kind.phrase : "a list with other values than strings").",
                    expected: "a list such as [\"pwd\"]",
                    found: amr,
                    fix: "Write amr as a list of strings."
                )
            ]
        }
    )

    package static let haveValues = Check(
        "idtoken.claims.have-values",
        "No claim about the user is null or empty",
        .risk,
        .conformance,
        Citation(.core, "5.3.2", "it SHOULD NOT be present with a null or empty string value"),
        why: "Typed clients fail on null, and an empty name is shown as one.",
        reads: Conversations.idTokens
    ) { token, _ in StandardClaims.empties(token.claims) }

    package static let all: [Check] = [
        textsAreStrings, verifiedIsABoolean, updatedAtIsANumber, emailIsAnAddress, acrIsAString, amrIsAList, haveValues,
    ]
}
