package import Conformance
import JSONTree

/// Token answers of GitHub: forms unless JSON is asked for, errors with status 200, scopes parted by commas.
package enum GitHubTokenChecks {
    private static let noTokens = "the token request was refused, so there is no scope"

    package static let jsonWhenAsked = Check(
        "platform.github.token-answer.is-json-when-asked",
        "A token request that asks for JSON is answered with JSON",
        .platform,
        .signIn,
        Citation(.gitHubOAuth, "", "You can also receive the response in different formats"),
        why: "A client that reads JSON finds no access token in a form, and the sign-in ends.",
        reads: Conversations.tokenResponses,
        finding: { subject, _ in
            if subject.mediaType.hasSuffix("json"), subject.object != nil { return nil }
            return Finding(
                "Accept: application/json was answered with another format.",
                at: "Content-Type",
                expected: "application/json",
                found: subject.mediaType.isEmpty ? "no Content-Type" : subject.mediaType.shown(),
                fix: "Heed the field Accept at the token endpoint, also in proxies before it."
            )
        }
    )

    package static let anyFormatIsReadable = Check(
        "platform.github.token-answer.form-is-readable",
        "A token request that asks for no format is answered with a form or JSON that holds the token",
        .platform,
        .signIn,
        Citation(.gitHubOAuth, "", "By default, the response takes the following form"),
        why: "Which format the platform asks for is not known; both must hold access_token and token_type.",
        reads: Redemptions.slot(.anyFormat),
        finding: { subject, _ in
            let missing = ["access_token", "token_type"].filter { subject.told($0) == nil }
            guard !missing.isEmpty else { return nil }
            return Finding(
                "The answer to a token request without a format holds no \(missing.joined(separator: " and no ")).",
                expected: "access_token=…&scope=…&token_type=bearer",
                found: "\(subject.mediaType.isEmpty ? "no Content-Type" : subject.mediaType.shown()), "
                    + subject.toldOutcome,
                fix: "Answer with application/x-www-form-urlencoded, or with JSON."
            )
        }
    )

    package static let scopeIsGranted = Check(
        "platform.github.scope.is-granted",
        "Every scope that was asked for is granted",
        .platform,
        .conformance,
        Citation(.gitHubOAuth, "", "scope=repo%2Cgist&token_type=bearer"),
        why:
            "Without user:email the platform gets no address, and the account cannot be told from others of the person.",
        reads: Conversations.tokenResponses,
        exempt: { subject, _ in
            if subject.told("access_token") == nil { return noTokens }
            return subject.grantedScopes == nil ? "the answer names no scope" : nil
        },
        finding: { subject, _ in
            let granted = subject.grantedScopes ?? []
            let missing = subject.asked.askedScopes.filter { !GitHubScopes.covers(granted, $0) }
            guard !missing.isEmpty else { return nil }
            return Finding(
                "Asked for and not granted: \(missing.joined(separator: ", ").shown()).",
                at: "scope",
                expected: subject.asked.askedScopes.joined(separator: ",").shown(),
                found: granted.joined(separator: ",").shown(),
                fix: "Ask for the scopes that the OAuth app has, exactly, and let the test user grant them."
            )
        }
    )

    package static let scopeHasCommas = Check(
        "platform.github.scope.is-parted-by-commas",
        "Granted scopes are parted by commas",
        .may,
        .conformance,
        Citation(.gitHubOAuth, "", "scope=repo%2Cgist&token_type=bearer"),
        why: "A client made for GitHub splits at commas, and takes two scopes parted by a space for one unknown.",
        reads: Conversations.tokenResponses,
        exempt: { subject, _ in
            if subject.told("access_token") == nil { return noTokens }
            return (subject.grantedScopes ?? []).count < 2 ? "no two scopes were granted" : nil
        },
        finding: { subject, _ in
            guard let scope = subject.told("scope"), scope.contains(" ") else { return nil }
            return Finding(
                "Granted scopes are parted by spaces.",
                at: "scope",
                expected: (subject.grantedScopes ?? []).joined(separator: ",").shown(),
                found: scope.shown(),
                fix: "Nothing has to change at the provider; split scope at commas and at spaces."
            )
        }
    )

    package static let verifierIsEnforced = Check(
        "platform.github.code-verifier.is-enforced",
        "A code that was asked for with a code_challenge is refused with a wrong code_verifier",
        .platform,
        .safety,
        Citation(.gitHubOAuth, "", "Required if code_challenge was sent during the user authorization."),
        why: "Whoever intercepts a code can redeem it, though the application has sent a challenge to prevent that.",
        reads: Redemptions.slot(.wrongVerifier),
        excusedBy: ["platform.github.wrong-code.is-refused"],
        finding: { subject, _ in
            guard subject.told("access_token") != nil else { return nil }
            return Finding(
                "The token endpoint gave tokens though the code_verifier did not belong to the code_challenge.",
                at: "code_verifier",
                expected: "an error",
                found: subject.toldOutcome,
                fix: "Compare the SHA-256 of code_verifier with the code_challenge that came with the request."
            )
        }
    )

    package static let idTokenIsNotIssued = Check(
        "platform.github.id-token.is-not-issued",
        "The token answer holds no ID Token",
        .may,
        .conformance,
        Citation(.gitHubDiscovery, "", "does not issue ID tokens"),
        why: "The platform does not read it: who relies on it, or on idToken of the credential, finds nothing.",
        reads: Conversations.tokenResponses,
        finding: { subject, _ in
            guard subject.told("id_token") != nil else { return nil }
            return Finding(
                "The token answer holds an ID Token, which GitHub is not known to issue.",
                at: "id_token",
                expected: "access_token, scope and token_type",
                found: "id_token as well",
                fix: "Make sure that this is GitHub; another provider with ID Tokens is registered as oidc.…."
            )
        }
    )

    package static let documentPromisesNone = Check(
        "platform.github.discovery.promises-no-id-token",
        "The published discovery document promises no ID Token",
        .may,
        .conformance,
        Citation(.gitHubDiscovery, "", "does not issue ID tokens"),
        why: "A document alone looks like an OpenID Provider that could be registered as oidc.…, and none is there.",
        reads: Documents.published,
        excusedBy: ["platform.github.id-token.is-not-issued"],
        finding: { metadata, _ in
            let keys = ["id_token_signing_alg_values_supported", "userinfo_endpoint"].filter(metadata.has)
            let scopes = (metadata.strings("scopes_supported") ?? []).filter { $0 == "openid" }
            let types = (metadata.strings("response_types_supported") ?? []).filter { $0.contains("id_token") }
            let promises = keys + scopes + types
            guard !promises.isEmpty else { return nil }
            return Finding(
                "The discovery document speaks of OpenID Connect, and the provider is used for OAuth alone.",
                expected: "a document that promises no ID Token",
                found: promises.joined(separator: ", ").shown(),
                fix: "Register github.com, never oidc.…, as long as token answers hold no ID Token."
            )
        }
    )

    package static let all: [Check] =
        [
            jsonWhenAsked, anyFormatIsReadable, scopeIsGranted, scopeHasCommas, verifierIsEnforced, idTokenIsNotIssued,
            documentPromisesNone,
        ] + GitHubErrorChecks.all
}
