package import Conformance
import JSONTree

/// The claim that identifies a user.
package enum SubjectChecks {
    private static let noString = "sub is not a string (reported by another check)"

    static let isPresent = Check(
        "idtoken.sub.is-present",
        "The ID Token has a sub that is not empty",
        .must,
        .signIn,
        Citation(.core, "2", "sub REQUIRED. Subject Identifier."),
        why: "Without sub, a client does not know who signed in.",
        reads: StepResults.idTokens,
        finding: { token, _ in
            guard token.claims["sub"].map({ $0.isNull || $0.stringValue == "" }) ?? true else { return nil }
            return .claim(
                "sub",
                "The ID Token has no sub, or an empty one.",
                expected: "a string that identifies the user and never changes",
                found: token.claims["sub"],
                fix: "Add sub, a string that identifies the user, to the ID Token."
            )
        }
    )

    static let isAString = Check(
        "idtoken.sub.is-a-string",
        "The ID Token's sub is a string",
        .must,
        .signIn,
        Citation(.core, "2", "The sub value is a case-sensitive string."),
        why: "A number loses digits in some languages, and two users become one.",
        reads: StepResults.idTokens,
        exempt: { token, _ in
            token.claims["sub"].map(\.isNull) ?? true ? "the token has no sub (reported by another check)" : nil
        },
        finding: { token, _ in
            .unlessString(
                "sub",
                token.claims["sub"],
                fix: "Write sub in quotation marks, as in \"sub\": \"248289761001\"."
            )
        }
    )

    static let isShort = Check(
        "idtoken.sub.is-short-enough",
        "The ID Token's sub has at most 255 characters",
        .must,
        .signIn,
        Citation(.core, "2", "It MUST NOT exceed 255 ASCII [RFC20] characters in length."),
        why: "Clients store sub in a column of that width; a longer value is truncated or rejected.",
        reads: StepResults.idTokens,
        exempt: { token, _ in token.claims["sub"]?.stringValue == nil ? noString : nil },
        finding: { token, _ in
            guard let sub = token.claims["sub"]?.stringValue, sub.unicodeScalars.count > 255 else { return nil }
            return .claim(
                "sub",
                "sub has \(sub.unicodeScalars.count) characters.",
                expected: "at most 255 characters",
                found: .string(sub),
                fix: "Set sub to a shorter identifier, such as a hash of the long one."
            )
        }
    )

    static let isASCII = Check(
        "idtoken.sub.is-ascii",
        "The ID Token's sub contains only ASCII characters",
        // Inferred: the sentence limits the length and counts ASCII characters.
        .must,
        .conformance,
        Citation(.core, "2", "It MUST NOT exceed 255 ASCII [RFC20] characters in length."),
        why: "Systems compare other characters differently, so a client may not find the user again.",
        reads: StepResults.idTokens,
        exempt: { token, _ in token.claims["sub"]?.stringValue == nil ? noString : nil },
        finding: { token, _ in
            guard let sub = token.claims["sub"]?.stringValue, !sub.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
            return .claim(
                "sub",
                "sub contains characters outside ASCII.",
                expected: "ASCII characters",
                found: .string(sub),
                fix: "Set sub to an identifier that contains only ASCII characters."
            )
        }
    )

    static let isTheSame = Check(
        "idtoken.sub.is-the-same-in-every-flow",
        "A user has the same sub in all flows of a client",
        .must,
        .safety,
        Citation(.core, "2", "A locally unique and never reassigned identifier within the Issuer for the End-User"),
        why:
            "In another flow a user finds an empty account, or another user with the same email address gets the account.",
        endangers: .allUsers,
        reads: IDTokenQueries.together,
        supersededBy: ["idtoken.hybrid.iss-and-sub-agree"],
        exempt: { tokens, _ in
            groups(tokens).contains { $0.count > 1 } ? nil : "no client received more than one ID Token with a sub"
        },
        rule: { tokens, _ in
            groups(tokens)
                .compactMap { group in
                    guard let first = group.first,
                        let other = group.first(where: { !$0.sub.hasSameBytes(as: first.sub) })
                    else { return nil }
                    return .claim(
                        "sub",
                        "The same user has different values of sub with response_type \(other.token.asked.responseType) "
                            + "and \(first.token.asked.responseType).",
                        expected: first.sub.shown(),
                        found: .string(other.sub),
                        fix: "Use one sub for each user and client; it must not depend on the response type."
                    )
                }
        }
    )

    static let channelsAgree = Check(
        "idtoken.hybrid.iss-and-sub-agree",
        "Both ID Tokens of a hybrid flow have the same iss and sub",
        .must,
        .safety,
        Citation(.core, "3.3.3.6", "the iss and sub Claim Values MUST be identical in both ID Tokens."),
        why: "Two tokens of one sign-in name different users, so a client may open the account of another user.",
        endangers: .allUsers,
        reads: IDTokenQueries.together,
        exempt: { tokens, _ in pairs(tokens).isEmpty ? "no flow returned two ID Tokens" : nil },
        rule: { tokens, _ in
            pairs(tokens)
                .flatMap { front, back in
                    ["iss", "sub"].filter { front.claims[$0] != back.claims[$0] }
                        .map { name in
                            .claim(
                                name,
                                "The two ID Tokens of one sign-in differ in \(name).",
                                expected: front.claims[name]?.shown ?? "missing",
                                found: back.claims[name],
                                fix: "Issue both tokens with the same \(name)."
                            )
                        }
                }
        }
    )

    static let containsPlatformClaims = Check(
        "idtoken.subject-claims.are-present",
        "The ID Token has the claims by which the platform identifies a user",
        .platform,
        .signIn,
        Citation(.experience, "", "oid and tid identify a user across applications, sub does not"),
        why: "The platform identifies its users by these claims, not by sub, and rejects the token.",
        reads: StepResults.idTokens,
        supersededBy: ["platform.microsoft.scopes.include-profile"],
        unless: { facts in
            facts.profile.parameters.subjectClaims.isEmpty ? "the profile identifies users by sub alone" : nil
        },
        rule: { token, facts in
            facts.profile.parameters.subjectClaims.filter { token.claims[$0]?.stringValue?.isEmpty ?? true }
                .map { name in
                    .claim(
                        name,
                        "The ID Token has no \(name).",
                        expected: "a string",
                        found: token.claims[name],
                        fix: "Add the claim \(name) to the ID Tokens of this client."
                    )
                }
        }
    )

    package static let all: [Check] = [
        isPresent, isAString, isShort, isASCII, isTheSame, channelsAgree, containsPlatformClaims,
    ]

    private struct Named {
        let token: IDToken
        let sub: String
    }

    /// The tokens of each client, because pairwise subjects differ between clients (Core section 8.1).
    private static func groups(_ tokens: [IDToken]) -> [[Named]] {
        let named = tokens.compactMap { token in token.claims["sub"]?.stringValue.map { Named(token: token, sub: $0) } }
        return Set(named.map(\.token.asked.clientID)).sorted()
            .map { client in named.filter { $0.token.asked.clientID == client } }
    }

    private static func pairs(_ tokens: [IDToken]) -> [(IDToken, IDToken)] {
        tokens.filter { $0.place == .authorizationEndpoint }
            .compactMap { front in
                tokens.first { $0.place == .tokenEndpoint && $0.asked.scenario == front.asked.scenario }
                    .map { (front, $0) }
            }
    }
}
