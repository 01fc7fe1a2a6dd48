package import Conformance

/// Token responses of GitHub: forms unless JSON is requested, errors with status 200, scopes separated by commas.
package enum GitHubTokenChecks {
    private static let noTokens = "the token endpoint rejected the request, so there is no scope"

    static let jsonWhenAsked = Check(
        "platform.github.token-answer.is-json-when-asked",
        "The token endpoint returns JSON if the client requests it",
        .platform,
        .signIn,
        Citation(.gitHubOAuth, "", "You can also receive the response in different formats"),
        why: "A client that reads JSON finds no access token in a form, and the sign-in fails.",
        reads: StepResults.tokenResponses,
        finding: { subject, _ in
            if subject.mediaType.hasSuffix("json"), subject.object != nil { return nil }
            return Finding(
                "For Accept: application/json, the token endpoint returns no JSON object with a JSON media type.",
                at: "Content-Type",
                expected: "application/json",
                found: subject.mediaType.isEmpty ? "no Content-Type" : subject.mediaType.shown(),
                fix: "Return a JSON object with Content-Type: application/json if the token request has "
                    + "Accept: application/json. Forward the Accept header in proxies."
            )
        }
    )

    static let anyFormatIsReadable = Check(
        "platform.github.token-answer.form-is-readable",
        "The token endpoint returns a form or JSON with the token if the client requests no format",
        .platform,
        .signIn,
        Citation(.gitHubOAuth, "", "By default, the response takes the following form"),
        why: "The platform may request either format, and cannot read a response without access_token and token_type.",
        reads: IncorrectRedemptions.query(.anyFormat),
        finding: { subject, _ in
            let missing = ["access_token", "token_type"].filter { subject.reported($0) == nil }
            guard !missing.isEmpty else { return nil }
            return Finding(
                "The response to a token request without a format has no \(missing.joined(separator: " and no ")).",
                expected: "access_token=…&scope=…&token_type=bearer",
                found: "\(subject.mediaType.isEmpty ? "no Content-Type" : subject.mediaType.shown()), "
                    + subject.reportedOutcome,
                fix: "Return access_token and token_type as application/x-www-form-urlencoded or as JSON."
            )
        }
    )

    static let scopeIsGranted = Check(
        "platform.github.scope.is-granted",
        "GitHub grants every requested scope",
        .platform,
        .conformance,
        Citation(.gitHubOAuth, "", "scope=repo%2Cgist&token_type=bearer"),
        why:
            "Without user:email the platform receives no address, and cannot match the account with the user's other accounts.",
        reads: StepResults.tokenResponses,
        exempt: { subject, _ in
            if subject.reported("access_token") == nil { return noTokens }
            return subject.grantedScopes == nil ? "the response contains no scope" : nil
        },
        finding: { subject, _ in
            let granted = subject.grantedScopes ?? []
            let missing = subject.asked.askedScopes.filter { !GitHubScopes.covers(granted, $0) }
            guard !missing.isEmpty else { return nil }
            return Finding(
                "GitHub does not grant all requested scopes; missing: \(missing.joined(separator: ", ").shown()).",
                at: "scope",
                expected: subject.asked.askedScopes.joined(separator: ",").shown(),
                found: granted.joined(separator: ",").shown(),
                fix: "Request exactly the scopes of the OAuth app, and have the test user grant them."
            )
        }
    )

    static let scopeHasCommas = Check(
        "platform.github.scope.is-parted-by-commas",
        "The token response separates granted scopes with commas",
        .may,
        .conformance,
        Citation(.gitHubOAuth, "", "scope=repo%2Cgist&token_type=bearer"),
        why: "A client written for GitHub splits at commas, and reads two space-separated scopes as one unknown scope.",
        reads: StepResults.tokenResponses,
        exempt: { subject, _ in
            if subject.reported("access_token") == nil { return noTokens }
            return (subject.grantedScopes ?? []).count < 2 ? "the provider granted fewer than two scopes" : nil
        },
        finding: { subject, _ in
            guard let scope = subject.reported("scope"), scope.contains(" ") else { return nil }
            return Finding(
                "The token response separates granted scopes with spaces.",
                at: "scope",
                expected: (subject.grantedScopes ?? []).joined(separator: ",").shown(),
                found: scope.shown(),
                fix: "Split scope at commas and at spaces in the client; the provider needs no change."
            )
        }
    )

    static let verifierIsEnforced = Check(
        "platform.github.code-verifier.is-enforced",
        "GitHub rejects a code with a wrong code_verifier",
        .platform,
        .safety,
        Citation(.gitHubOAuth, "", "Required if code_challenge was sent during the user authorization."),
        why:
            "An attacker who intercepts a code can redeem it, although the application sent a code_challenge to prevent that.",
        reads: IncorrectRedemptions.query(.wrongVerifier),
        supersededBy: ["platform.github.wrong-code.is-refused"],
        finding: { subject, _ in
            guard subject.reported("access_token") != nil else { return nil }
            return Finding(
                "The token endpoint issues tokens although code_verifier does not match code_challenge.",
                at: "code_verifier",
                expected: "an error",
                found: subject.reportedOutcome,
                fix: "Store code_challenge with the code, and compare it with the SHA-256 of code_verifier."
            )
        }
    )

    static let idTokenIsNotIssued = Check(
        "platform.github.id-token.is-not-issued",
        "The token response contains no ID Token",
        .may,
        .conformance,
        Citation(.gitHubDiscovery, "", "does not issue ID tokens"),
        why: "The platform does not read it, so applications that rely on idToken of the credential find nothing.",
        reads: StepResults.tokenResponses,
        finding: { subject, _ in
            guard subject.reported("id_token") != nil else { return nil }
            return Finding(
                "The token response contains an ID Token, which GitHub is not known to issue.",
                at: "id_token",
                expected: "access_token, scope and token_type",
                found: "id_token as well",
                fix:
                    "Verify that the provider is GitHub; register any other provider with ID Tokens as an OpenID Connect provider (oidc.*)."
            )
        }
    )

    static let documentPromisesNone = Check(
        "platform.github.discovery.promises-no-id-token",
        "The published discovery document advertises no ID Token",
        .may,
        .conformance,
        Citation(.gitHubDiscovery, "", "does not issue ID tokens"),
        why:
            "The document suggests an OpenID Provider that can be registered as oidc.…, but GitHub issues no ID Token.",
        reads: Documents.published,
        supersededBy: ["platform.github.id-token.is-not-issued"],
        finding: { metadata, _ in
            let keys = ["id_token_signing_alg_values_supported", "userinfo_endpoint"].filter(metadata.has)
            let scopes = (metadata.strings("scopes_supported") ?? []).filter { $0 == "openid" }
            let types = (metadata.strings("response_types_supported") ?? []).filter { $0.contains("id_token") }
            let promises = keys + scopes + types
            guard !promises.isEmpty else { return nil }
            return Finding(
                "The discovery document advertises OpenID Connect, but the platform uses only OAuth with this provider.",
                expected: "a document that advertises no ID Token",
                found: promises.joined(separator: ", ").shown(),
                fix: "Register github.com, never oidc.…, as long as token responses contain no ID Token."
            )
        }
    )

    package static let all: [Check] =
        [
            jsonWhenAsked, anyFormatIsReadable, scopeIsGranted, scopeHasCommas, verifierIsEnforced, idTokenIsNotIssued,
            documentPromisesNone,
        ] + GitHubErrorChecks.all
}
