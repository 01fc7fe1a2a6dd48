package import Conformance
import JSONTree

/// What Firebase's sign-in with Yahoo needs beyond the specifications.
package enum YahooChecks {
    private static let contacts = Citation(
        .firebaseYahoo,
        "",
        "sdct-w has to be passed instead of the readonly OAuth scope sdct-r"
    )

    package static let writesContacts = Check(
        "platform.yahoo.scopes.hold-one-for-contacts",
        "For contacts, sdct-w is asked for alone",
        .platform,
        .signIn,
        contacts,
        why: "With read and write access to contacts registered, Yahoo refuses sdct-r, and the user sees an error.",
        reads: Documents.target,
        finding: { target, _ in
            guard target.scopes.contains("sdct-r"), target.scopes.contains("sdct-w") else { return nil }
            return Finding(
                "Both sdct-r and sdct-w are asked for.",
                at: "scopes",
                expected: "sdct-w without sdct-r",
                found: target.scopes.joined(separator: " ").shown(),
                fix: "Remove sdct-r: sdct-w holds it."
            )
        }
    )

    package static let readsContacts = Check(
        "platform.yahoo.scopes.exclude-sdct-r",
        "sdct-r is not asked for",
        .risk,
        .conformance,
        contacts,
        why:
            "When the application is registered for read and write access, sdct-r is refused; from outside it cannot be told.",
        reads: Documents.target,
        excusedBy: ["platform.yahoo.scopes.hold-one-for-contacts"],
        finding: { target, _ in
            guard target.scopes.contains("sdct-r") else { return nil }
            return Finding(
                "sdct-r is asked for, which works only where the registration at Yahoo is for reading contacts alone.",
                at: "scopes",
                expected: "sdct-w",
                found: target.scopes.joined(separator: " ").shown(),
                fix: "Ask for sdct-w, or make sure that the application is registered for reading only."
            )
        }
    )

    package static let arePreconfigured = Check(
        "platform.yahoo.scopes.are-preconfigured",
        "Scopes beyond profile and email are those of the application at Yahoo",
        .risk,
        .conformance,
        Citation(
            .firebaseYahoo,
            "",
            "Requested OAuth scopes must be exact matches to the preconfigured ones"
        ),
        why: "Otherwise the sign-in fails, and the user sees an error.",
        reads: Documents.target,
        excusedBy: ["platform.yahoo.scopes.hold-one-for-contacts"],
        exempt: { target, _ in
            furtherScopes(target).isEmpty ? "no scope beyond profile and email is asked for" : nil
        },
        finding: { target, facts in
            let unproven = furtherScopes(target).filter { !facts.hasWorked(.scope($0)) }
            guard !unproven.isEmpty else { return nil }
            return Finding(
                "No sign-in was granted \(unproven.listed), which must be among the application's API permissions.",
                at: "scopes",
                expected: "the scopes of the application's API permissions",
                found: target.scopes.joined(separator: " ").shown(),
                fix: "Add the API permissions to the application in Yahoo's developer console, or take "
                    + "\(unproven.listed) out of scopes."
            )
        }
    )

    /// What is asked for beyond the two permissions that every application has; sdct-r has checks of its own.
    private static func furtherScopes(_ target: Target) -> [String] {
        target.scopes.filter { !["openid", "profile", "email", "sdct-r"].contains($0) }
    }

    package static let keysAreToldApart = Check(
        "platform.yahoo.keys.are-told-apart",
        "In a set of keys of several types, each has kid and alg",
        .risk,
        .conformance,
        Citation(.experience, "", "tokens are signed ES256, and the key set mixes EC and RSA keys"),
        why: "A client that takes the first key, or one of the wrong type, refuses every ID Token.",
        reads: Documents.keySet,
        exempt: { set, _ in
            Set(set.keys.compactMap { $0.object["kty"]?.stringValue }).count > 1
                ? nil : "all keys are of one type"
        },
        rule: { set, _ in
            set.keys.flatMap { key in
                ["kid", "alg"].filter { key.object[$0]?.stringValue?.isEmpty ?? true }
                    .map { member in
                        Finding(
                            "\(key.label) has no \(member), in a set of several types.",
                            at: key.pointer + "/" + member,
                            expected: "a string",
                            found: key.object[member]?.shown ?? "missing",
                            fix: "Give every key \(member), so that it is found by kid and alg of the token's header."
                        )
                    }
            }
        }
    )

    package static let pkceIsAccepted = Check(
        "platform.yahoo.pkce.is-accepted",
        "A challenge of a client with a secret is accepted",
        // One developer's notes say that it is not: worth knowing, and no reason to close a gate.
        .may,
        .conformance,
        Citation(.experience, "", "PKCE from a confidential client: unauthorized_client"),
        why: "The error speaks of the client, and whoever debugs it looks at the registration instead of at PKCE.",
        reads: Conversations.authorization(.withPKCE),
        excusedBy: ["platform.firebase.request.is-accepted", "authorization.unknown-parameter.is-ignored"],
        unless: { facts in
            facts.target.client(for: "code")?.hasSecret == true ? nil : "the client has no secret"
        },
        finding: { subject, _ in
            guard let refusal = subject.answer.refusal else { return nil }
            return Finding(
                "The request with a code_challenge was answered with \(refusal).",
                at: "code_challenge",
                expected: "the sign-in page",
                found: refusal,
                fix: "Send no code_challenge: the secret protects the code. Firebase sends none."
            )
        }
    )

    package static let parametersAreAccepted = DocumentedParameters.check(
        "platform.yahoo.parameters.are-accepted",
        "prompt and language are accepted, as the documentation shows them",
        Citation(.firebaseYahoo, "", "Specify additional custom OAuth parameters that you want to send"),
        of: .yahooParameters
    )

    package static let all: [Check] = [
        writesContacts, readsContacts, arePreconfigured, keysAreToldApart, pkceIsAccepted, parametersAreAccepted,
    ]
}
