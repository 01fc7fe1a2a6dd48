package import Conformance
import JSONTree

/// Checks of Firebase's sign-in with Yahoo beyond the specifications.
package enum YahooChecks {
    private static let contacts = Citation(
        .firebaseYahoo,
        "",
        "sdct-w has to be passed instead of the readonly OAuth scope sdct-r"
    )

    static let writesContacts = Check(
        "platform.yahoo.scopes.hold-one-for-contacts",
        "The configuration does not request sdct-r together with sdct-w",
        .platform,
        .signIn,
        contacts,
        why: "Yahoo rejects sdct-r from an application with read and write access to contacts, and shows an error.",
        reads: Documents.target,
        finding: { target, _ in
            guard target.scopes.contains("sdct-r"), target.scopes.contains("sdct-w") else { return nil }
            return Finding(
                "The configuration requests both sdct-r and sdct-w.",
                at: "scopes",
                expected: "sdct-w without sdct-r",
                found: target.scopes.joined(separator: " ").shown(),
                fix: "Remove sdct-r, because sdct-w includes it."
            )
        }
    )

    static let readsContacts = Check(
        "platform.yahoo.scopes.exclude-sdct-r",
        "The configuration does not request sdct-r",
        .risk,
        .conformance,
        contacts,
        why: "Yahoo rejects sdct-r from an application with read and write access, which a run cannot detect.",
        reads: Documents.target,
        supersededBy: ["platform.yahoo.scopes.hold-one-for-contacts"],
        finding: { target, _ in
            guard target.scopes.contains("sdct-r") else { return nil }
            return Finding(
                "The configuration requests sdct-r, which works only if the registration at Yahoo is for reading contacts.",
                at: "scopes",
                expected: "sdct-w",
                found: target.scopes.joined(separator: " ").shown(),
                fix: "Request sdct-w, or verify that the application is registered for read access only."
            )
        }
    )

    static let arePreconfigured = Check(
        "platform.yahoo.scopes.are-preconfigured",
        "Scopes beyond profile and email are among the application's API permissions at Yahoo",
        .risk,
        .conformance,
        Citation(.firebaseYahoo, "", "Requested OAuth scopes must be exact matches to the preconfigured ones"),
        why: "The sign-in fails if a scope is not registered, and the user sees an error.",
        reads: Documents.target,
        supersededBy: ["platform.yahoo.scopes.hold-one-for-contacts"],
        exempt: { target, _ in
            furtherScopes(target).isEmpty ? "the configuration requests no scope beyond profile and email" : nil
        },
        finding: { target, facts in
            let unproven = furtherScopes(target).filter { !facts.hasWorked(.scope($0)) }
            guard !unproven.isEmpty else { return nil }
            return Finding(
                "No sign-in was granted \(unproven.listed), which the application's API permissions must include.",
                at: "scopes",
                expected: "the scopes of the application's API permissions",
                found: target.scopes.joined(separator: " ").shown(),
                fix: "Add the API permissions to the application in Yahoo's developer console, or remove "
                    + "\(unproven.listed) from scopes."
            )
        }
    )

    /// The requested scopes beyond the two permissions of every application; sdct-r has its own checks.
    private static func furtherScopes(_ target: Target) -> [String] {
        target.scopes.filter { !["openid", "profile", "email", "sdct-r"].contains($0) }
    }

    static let keysAreReportedApart = Check(
        "platform.yahoo.keys.are-told-apart",
        "Every key has kid and alg if the key set contains several key types",
        .risk,
        .conformance,
        Citation(.experience, "", "tokens are signed ES256, and the key set mixes EC and RSA keys"),
        why: "A client that selects the first key, or a key of the wrong type, rejects every ID Token.",
        reads: Documents.keySet,
        exempt: { set, _ in
            Set(set.keys.compactMap { $0.object["kty"]?.stringValue }).count > 1 ? nil : "all keys are of one type"
        },
        rule: { set, _ in
            set.keys.flatMap { key in
                ["kid", "alg"].filter { key.object[$0]?.stringValue?.isEmpty ?? true }
                    .map { member in
                        Finding(
                            "\(key.label.sentenceStart) has no \(member) in a key set with several key types.",
                            at: key.pointer + "/" + member,
                            expected: "a string",
                            found: key.object[member]?.shown ?? "missing",
                            fix:
                                "Add \(member) to every key, so that clients find it by kid and alg of the token's header."
                        )
                    }
            }
        }
    )

    static let pkceIsAccepted = Check(
        "platform.yahoo.pkce.is-accepted",
        "Yahoo accepts a code_challenge from a client with a secret",
        // Only one developer's notes say that Yahoo rejects it, so a failure does not block.
        .may,
        .conformance,
        Citation(.experience, "", "PKCE from a confidential client: unauthorized_client"),
        why: "The error names the client, so developers look for the cause in the registration instead of in PKCE.",
        reads: StepResults.authorization(.withPKCE),
        supersededBy: ["platform.firebase.request.is-accepted", "authorization.unknown-parameter.is-ignored"],
        unless: { facts in facts.target.client(for: "code")?.hasSecret == true ? nil : "the client has no secret" },
        finding: { subject, _ in
            guard let refusal = subject.answer.refusal else { return nil }
            return Finding(
                "For a request with a code_challenge, the authorization endpoint returns \(refusal).",
                at: "code_challenge",
                expected: "the sign-in page",
                found: refusal,
                fix:
                    "Set client.pkce: false, and send no code_challenge: the client secret protects the code. Firebase sends none."
            )
        }
    )

    static let parametersAreAccepted = DocumentedParameters.check(
        "platform.yahoo.parameters.are-accepted",
        "Yahoo accepts prompt and language as documented",
        Citation(.firebaseYahoo, "", "Specify additional custom OAuth parameters that you want to send"),
        of: .yahooParameters
    )

    package static let all: [Check] = [
        writesContacts, readsContacts, arePreconfigured, keysAreReportedApart, pkceIsAccepted, parametersAreAccepted,
    ]
}
