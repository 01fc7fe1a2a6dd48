package import Conformance

/// What is chosen when the provider is registered at the platform: client, secret and response type.
package enum FirebaseChoiceChecks {
    package static let clientHasAnID = Check(
        "platform.firebase.client.has-an-id",
        "The client ID is not empty",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "MISSING_OAUTH_CLIENT_ID"),
        why: "The platform refuses the registration with MISSING_OAUTH_CLIENT_ID.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? "the configuration names no client" : nil },
        rule: { target, _ in
            let ids = [target.client].compactMap { $0?.id } + target.clients.map(\.client.id)
            return ids.filter { !$0.contains { !$0.isWhitespace } }
                .map { id in
                    Finding(
                        "The client ID is empty: MISSING_OAUTH_CLIENT_ID.",
                        at: "client.id",
                        expected: "the client ID that the provider gave out",
                        found: id.isEmpty ? "an empty text" : "white space",
                        fix: "Copy the client ID from the provider, exactly as it is written there."
                    )
                }
        }
    )

    package static let responseTypeIsStated = Check(
        "platform.firebase.response-type.is-stated",
        "The response type to be registered is stated",
        .risk,
        .conformance,
        Citation(.identityPlatformObserved, "", "responseType omitted: stored as {idToken: true}"),
        why: "The platform takes an omitted response type for id_token, and nobody meant to choose the implicit flow.",
        reads: Documents.target,
        exempt: { target, _ in
            target.registration.providerID == nil && target.registration.responseTypes.isEmpty
                ? "the configuration does not say what is entered at the platform" : nil
        },
        finding: { target, _ in
            guard target.registration.responseTypes.isEmpty, target.flows != ["id_token"] else { return nil }
            return Finding(
                "No response type is stated for the registration, so the platform would use id_token.",
                at: "registration.response_types",
                expected: "[code]",
                found: "missing",
                fix: "Add response_types: [code] to registration, and responseType: { code: true } to what is sent."
            )
        }
    )

    package static let codeIsChosen = Check(
        "platform.firebase.response-type.is-code-when-offered",
        "The code flow is used where the provider offers it",
        .risk,
        .conformance,
        Citation(.firebaseOIDC, "", "You should use always the code flow if your provider supports it."),
        why: "Without the code flow the tokens travel through the browser, and there is no access token for the API.",
        reads: Documents.discovery,
        excusedBy: ["platform.client.response-types-are-accepted"],
        exempt: { _, facts in
            facts.platformResponseType == nil ? Firebase.registrationUnknown : nil
        },
        finding: { metadata, facts in
            guard let type = facts.platformResponseType, !type.hasCode,
                metadata.strings("response_types_supported")?.contains("code") == true
            else { return nil }
            return Finding(
                "The provider offers the code flow, and \(type.text.quoted) is to be registered.",
                at: "registration.response_types",
                expected: "code",
                found: type.text.shown(),
                fix: "Switch on code at the platform, and enter the client secret."
            )
        }
    )

    package static let secretIsForCode = Check(
        "platform.firebase.client.has-no-secret-for-implicit",
        "No client secret is stored for the implicit flow",
        .may,
        .conformance,
        Citation(
            .identityPlatformREST,
            "OAuthIdpConfig",
            "The client secret of the OAuth client, to enable OIDC code flow."
        ),
        why: "The platform never uses it, and returns it to everybody who may read its configuration.",
        reads: Documents.target,
        excusedBy: ["platform.client.response-types-are-accepted"],
        exempt: { target, facts in
            if target.client == nil { return "the configuration names no client" }
            guard let type = facts.platformResponseType else { return Firebase.registrationUnknown }
            return type.hasCode ? "the platform uses \(type), which takes a secret" : nil
        },
        finding: { target, facts in
            guard let type = facts.platformResponseType, target.client(for: type)?.hasSecret == true else {
                return nil
            }
            return Finding(
                "A client secret is configured, and the platform uses \(type).",
                at: "client.secret",
                expected: "none",
                found: "a secret",
                fix: "Leave the secret out of the registration, or register the provider with code."
            )
        }
    )

    package static let all: [Check] = [clientHasAnID, responseTypeIsStated, codeIsChosen, secretIsForCode]
}
