package import Conformance

/// Checks of the platform's authorization request and of the metadata that it needs.
package enum FirebaseRequestChecks {
    private static let noCustomParameters = "the configuration has no custom parameters"

    static let nonceIsNotCustom = Check(
        "platform.firebase.custom-parameters.exclude-nonce",
        "The custom parameters do not contain nonce",
        // No list of reserved names contains it; that the platform's own nonce takes precedence is inferred.
        .may,
        .conformance,
        Citation(
            .identityPlatformObserved,
            "",
            "createAuthUri: response_type, client_id, redirect_uri, state, scope, nonce"
        ),
        why: "The platform sends its own nonce with every sign-in, so a custom nonce is lost or becomes a duplicate.",
        reads: Documents.target,
        exempt: { target, _ in target.customParameters.isEmpty ? noCustomParameters : nil },
        finding: { target, _ in
            guard target.customParameters.contains(where: { $0.name == "nonce" }) else { return nil }
            return Finding(
                "The custom parameters contain nonce, which the platform was observed to send itself.",
                at: "custom_parameters.nonce",
                expected: "no such custom parameter",
                found: "nonce",
                fix:
                    "Remove nonce from custom_parameters; an application with its own ID Token passes the raw nonce to the platform."
            )
        }
    )

    private static let plainRequest = "the run's own requests are pushed or signed, which another check compares"

    static let customAreAccepted = Check(
        "platform.firebase.custom-parameters.are-accepted",
        "The provider accepts the custom parameters",
        .platform,
        .signIn,
        Citation(.firebaseOIDC, "", "additional custom OAuth parameters that you want to send with the OAuth request"),
        why: "The platform sends these parameters with every sign-in, so every sign-in ends with the provider's error.",
        reads: StepResults.authorization(.asThePlatformSends),
        supersededBy: ["authorization.unknown-parameter.is-ignored"],
        exempt: { subject, facts in
            if facts.target.customParameters.isEmpty { return noCustomParameters }
            if facts.extendsRequests { return plainRequest }
            return subject.answer.requestsPKCE ? "the error is about PKCE, which another check reports" : nil
        },
        finding: { subject, facts in
            guard let refusal = subject.answer.refusal else { return nil }
            let names = facts.target.customParameters.map(\.name).joined(separator: ", ")
            return Finding(
                "For a request with \(names.shown()), the authorization endpoint returns \(refusal).",
                at: "custom_parameters",
                expected: "the sign-in page",
                found: refusal,
                fix: "Remove the custom parameter that the provider rejects, or correct its value."
            )
        }
    )

    static let requestIsAccepted = Check(
        "platform.firebase.request.is-accepted",
        "The provider accepts the platform's authorization request",
        .platform,
        .signIn,
        Citation(
            .identityPlatformObserved,
            "",
            "createAuthUri: response_type, client_id, redirect_uri, state, scope, nonce"
        ),
        why: "Users of the platform cannot sign in if the provider rejects its request.",
        reads: StepResults.authorization(.asThePlatformSends),
        supersededBy: ["authorization.unknown-parameter.is-ignored"],
        exempt: { subject, facts in
            if subject.answer.requestsPKCE, !facts.profile.parameters.sendsPKCE(to: facts.metadata.value?.object) {
                return "the error is about PKCE, which another check reports"
            }
            if facts.extendsRequests { return plainRequest }
            return facts.target.customParameters.isEmpty
                ? nil : "the request has custom parameters, which another check reports"
        },
        finding: { subject, _ in
            guard let refusal = subject.answer.refusal else { return nil }
            return Finding(
                "For the platform's request, the authorization endpoint returns \(refusal).",
                expected: "the sign-in page",
                found: refusal,
                fix:
                    "Allow the redirect URI, response type and scopes for the client; the provider's log shows the cause."
            )
        }
    )

    static let scopesAreListed = Check(
        "platform.firebase.scopes-supported.is-listed",
        "The discovery document lists the scopes that the platform requests",
        .risk,
        .conformance,
        Citation(.identityPlatformObserved, "", "createAuthUri: scope=openid when scopes_supported is missing"),
        why: "The platform requests only openid if no scopes are listed, and users have neither address nor name.",
        reads: Documents.discovery,
        supersededBy: [
            "discovery.scopes-supported.is-present", "discovery.scopes-supported.include-openid",
            "discovery.target.scopes-are-offered", "discovery.list-members.are-lists-of-strings",
        ],
        unless: { facts in facts.profile.parameters.scopes.isEmpty ? "the profile names no scopes" : nil },
        finding: { metadata, facts in
            let listed = metadata.strings("scopes_supported") ?? []
            let missing = facts.profile.parameters.scopes.filter { !listed.contains($0) }
            guard !missing.isEmpty else { return nil }
            return Finding(
                metadata.has("scopes_supported")
                    ? "The discovery document does not list \(missing.joined(separator: ", "))."
                    : "The discovery document has no scopes_supported.",
                at: "/scopes_supported",
                expected: facts.profile.parameters.scopes.joined(separator: " "),
                found: listed.isEmpty ? "missing" : listed.joined(separator: " ").shown(),
                fix: "Add scopes_supported with \(facts.profile.parameters.scopes.joined(separator: ", "))."
            )
        }
    )

    static let userInfoIsStated = Check(
        "platform.firebase.userinfo-endpoint.is-stated-for-code",
        "The discovery document names a UserInfo endpoint for the code flow",
        .platform,
        .signIn,
        Citation(
            .userInfoReport,
            "",
            "not available from the IdP's discovery document but is required if an Access Token is issued"
        ),
        why:
            "Measured: without a UserInfo endpoint, the platform rejects the sign-in with status 400 after the code exchange.",
        reads: Documents.discovery,
        supersededBy: ["platform.client.response-types-are-accepted"],
        exempt: { _, facts in
            guard let type = facts.platformResponseType else { return Firebase.registrationUnknown }
            return type.hasCode ? nil : "the platform uses \(type), which yields no access token"
        },
        finding: { metadata, _ in
            guard metadata.string("userinfo_endpoint")?.isEmpty ?? true else { return nil }
            return Finding(
                "The discovery document has no userinfo_endpoint, which the platform needs in the code flow.",
                at: "/userinfo_endpoint",
                expected: "an https URL",
                found: metadata["userinfo_endpoint"]?.shown ?? "missing",
                fix: "Add userinfo_endpoint, or register the provider with the response type id_token."
            )
        }
    )

    package static let all: [Check] = [
        nonceIsNotCustom, customAreAccepted, requestIsAccepted, scopesAreListed, userInfoIsStated,
    ]
}
