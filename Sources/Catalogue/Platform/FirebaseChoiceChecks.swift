package import Conformance

/// Checks of client, secret and response type, as they are registered with the platform.
package enum FirebaseChoiceChecks {
    static let clientHasAnID = Check(
        "platform.firebase.client.has-an-id",
        "The client ID is not empty",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "MISSING_OAUTH_CLIENT_ID"),
        why: "The platform rejects the registration with MISSING_OAUTH_CLIENT_ID.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? "the configuration names no client" : nil },
        rule: { target, _ in
            let ids = [target.client].compactMap { $0?.id } + target.clients.map(\.client.id)
            return ids.filter { !$0.contains { !$0.isWhitespace } }
                .map { id in
                    Finding(
                        "The client ID is empty; the platform returns MISSING_OAUTH_CLIENT_ID.",
                        at: "client.id",
                        expected: "the client ID that the provider issued",
                        found: id.isEmpty ? "an empty string" : "white space",
                        fix: "Copy the client ID exactly as the provider shows it."
                    )
                }
        }
    )

    static let responseTypeIsStated = Check(
        "platform.firebase.response-type.is-stated",
        "The configuration states the response type to register",
        .risk,
        .conformance,
        Citation(.identityPlatformObserved, "", "responseType omitted: stored as {idToken: true}"),
        why:
            "The platform treats an omitted response type as id_token, and so selects the implicit flow unintentionally.",
        reads: Documents.target,
        exempt: { target, _ in
            target.registration.providerID == nil && target.registration.responseTypes.isEmpty
                ? "the configuration has neither registration.provider_id nor registration.response_types" : nil
        },
        finding: { target, _ in
            guard target.registration.responseTypes.isEmpty, target.flows != ["id_token"] else { return nil }
            return Finding(
                "The configuration states no response type for the registration, so the platform uses id_token.",
                at: "registration.response_types",
                expected: "[code]",
                found: "missing",
                fix: "Set registration.response_types to [code], and send responseType: { code: true } to the platform."
            )
        }
    )

    static let codeIsChosen = Check(
        "platform.firebase.response-type.is-code-when-offered",
        "The registration uses the code flow if the provider offers it",
        .risk,
        .conformance,
        Citation(.firebaseOIDC, "", "You should use always the code flow if your provider supports it."),
        why: "Without the code flow, tokens travel through the browser, and there is no access token for the API.",
        reads: Documents.discovery,
        supersededBy: ["platform.client.response-types-are-accepted"],
        exempt: { _, facts in facts.platformResponseType == nil ? Firebase.registrationUnknown : nil },
        finding: { metadata, facts in
            guard let type = facts.platformResponseType, !type.hasCode,
                metadata.strings("response_types_supported")?.contains("code") == true
            else { return nil }
            return Finding(
                "The provider offers the code flow, but the registration uses \(type.text.quoted).",
                at: "registration.response_types",
                expected: "code",
                found: type.text.shown(),
                fix:
                    "Select the code flow and enter the client secret on the platform. Set registration.response_types to [code]."
            )
        }
    )

    static let secretIsForCode = Check(
        "platform.firebase.client.has-no-secret-for-implicit",
        "The registration contains no client secret for the implicit flow",
        .may,
        .conformance,
        Citation(
            .identityPlatformREST,
            "OAuthIdpConfig",
            "The client secret of the OAuth client, to enable OIDC code flow."
        ),
        why: "The platform never uses the secret, and returns it to every user who may read its configuration.",
        reads: Documents.target,
        supersededBy: ["platform.client.response-types-are-accepted"],
        exempt: { target, facts in
            if target.client == nil { return "the configuration names no client" }
            guard let type = facts.platformResponseType else { return Firebase.registrationUnknown }
            return type.hasCode ? "the platform uses \(type), which needs a client secret" : nil
        },
        finding: { target, facts in
            guard let type = facts.platformResponseType, target.client(for: type)?.hasSecret == true else { return nil }
            return Finding(
                "The configuration contains a client secret, but the platform uses \(type).",
                at: "client.secret",
                expected: "none",
                found: "a secret",
                fix:
                    "Omit the client secret from the registration, or register the provider with the response type code."
            )
        }
    )

    package static let all: [Check] = [clientHasAnID, responseTypeIsStated, codeIsChosen, secretIsForCode]
}
