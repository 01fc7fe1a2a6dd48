package import Conformance

/// The authorization request that the platform sends, and what it needs of the discovery document.
package enum FirebaseRequestChecks {
    private static let noCustomParameters = "the configuration has no custom parameters"

    package static let nonceIsNotCustom = Check(
        "platform.firebase.custom-parameters.exclude-nonce",
        "No custom parameter is a nonce",
        // No list of reserved names holds it; that the platform's own one wins is inferred.
        .may,
        .conformance,
        Citation(
            .identityPlatformObserved,
            "",
            "createAuthUri: response_type, client_id, redirect_uri, state, scope, nonce"
        ),
        why: "The platform sends a nonce of its own with every sign-in, so that another is lost, or comes twice.",
        reads: Documents.target,
        exempt: { target, _ in target.customParameters.isEmpty ? noCustomParameters : nil },
        finding: { target, _ in
            guard target.customParameters.contains(where: { $0.name == "nonce" }) else { return nil }
            return Finding(
                "The custom parameter nonce is one that the platform was seen to send itself.",
                at: "custom_parameters.nonce",
                expected: "no such custom parameter",
                found: "nonce",
                fix: "Remove it; applications that bring an ID Token hand the raw nonce to the platform instead."
            )
        }
    )

    package static let customAreAccepted = Check(
        "platform.firebase.custom-parameters.are-accepted",
        "The provider accepts the custom parameters",
        .platform,
        .signIn,
        Citation(.firebaseOIDC, "", "additional custom OAuth parameters that you want to send with the OAuth request"),
        why: "The platform sends them with every sign-in, and every sign-in would end in the provider's error.",
        reads: Conversations.authorization(.asThePlatformSends),
        excusedBy: ["authorization.unknown-parameter.is-ignored"],
        exempt: { subject, facts in
            if facts.target.customParameters.isEmpty { return noCustomParameters }
            return subject.answer.asksForPKCE ? "the refusal speaks of PKCE, which another check reports" : nil
        },
        finding: { subject, facts in
            guard let refusal = subject.answer.refusal else { return nil }
            let names = facts.target.customParameters.map(\.name).joined(separator: ", ")
            return Finding(
                "The request with \(names.shown()) was answered with \(refusal).",
                at: "custom_parameters",
                expected: "the sign-in page",
                found: refusal,
                fix: "Remove the parameter that the provider refuses, or correct its value."
            )
        }
    )

    package static let requestIsAccepted = Check(
        "platform.firebase.request.is-accepted",
        "The provider accepts the request as the platform sends it",
        .platform,
        .signIn,
        Citation(
            .identityPlatformObserved,
            "",
            "createAuthUri: response_type, client_id, redirect_uri, state, scope, nonce"
        ),
        why: "No user of the platform can sign in when its request is refused.",
        reads: Conversations.authorization(.asThePlatformSends),
        excusedBy: ["authorization.unknown-parameter.is-ignored"],
        exempt: { subject, facts in
            if subject.answer.asksForPKCE, !facts.profile.parameters.sendsPKCE {
                return "the refusal speaks of PKCE, which another check reports"
            }
            return facts.target.customParameters.isEmpty
                ? nil : "the request has custom parameters, which another check reports"
        },
        finding: { subject, _ in
            guard let refusal = subject.answer.refusal else { return nil }
            return Finding(
                "The platform's request was answered with \(refusal).",
                expected: "the sign-in page",
                found: refusal,
                fix:
                    "Allow redirect URI, response type and scopes for the client; the provider's log names the cause."
            )
        }
    )

    package static let scopesAreListed = Check(
        "platform.firebase.scopes-supported.is-listed",
        "The discovery document lists the scopes that the platform asks for",
        .risk,
        .conformance,
        Citation(.identityPlatformObserved, "", "createAuthUri: scope=openid when scopes_supported is missing"),
        why: "The platform asks for openid alone when no scopes are listed, and users have neither address nor name.",
        reads: Documents.discovery,
        excusedBy: [
            "discovery.scopes-supported.is-present", "discovery.scopes-supported.include-openid",
            "discovery.target.scopes-are-offered",
            "discovery.list-members.are-lists-of-strings",
        ],
        unless: { facts in
            facts.profile.parameters.scopes.isEmpty ? "the profile names no scopes" : nil
        },
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

    package static let userInfoIsStated = Check(
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
            "The platform was seen to refuse the sign-in with status 400 when a code was exchanged and none was stated.",
        reads: Documents.discovery,
        excusedBy: ["platform.client.response-types-are-accepted"],
        exempt: { _, facts in
            guard let type = facts.platformResponseType else { return Firebase.registrationUnknown }
            return type.hasCode ? nil : "the platform uses \(type), which yields no access token"
        },
        finding: { metadata, _ in
            guard metadata.string("userinfo_endpoint")?.isEmpty ?? true else { return nil }
            return Finding(
                "The discovery document has no userinfo_endpoint, which the platform needs after a code.",
                at: "/userinfo_endpoint",
                expected: "an https address",
                found: metadata["userinfo_endpoint"]?.shown ?? "missing",
                fix: "Add userinfo_endpoint, or register the provider with id_token."
            )
        }
    )

    package static let all: [Check] = [
        nonceIsNotCustom, customAreAccepted, requestIsAccepted,
        scopesAreListed,
        userInfoIsStated,
    ]
}
