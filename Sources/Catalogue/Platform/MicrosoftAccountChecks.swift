package import Conformance
import JSONTree

/// Checks of the identifier by which Firebase recognises a Microsoft user: `oid`, and never `sub`.
package enum MicrosoftAccountChecks {
    private static let oidDocumentation = Citation(
        .firebaseMicrosoft,
        "",
        "When using a Azure AD tenant to sign-in, the oid claim will be an exact match."
    )
    private static let noOID = "the token has no oid, which another check reports"

    static let scopesIncludeProfile = Check(
        "platform.microsoft.scopes.include-profile",
        "The configuration requests the scope profile",
        .platform,
        .signIn,
        Citation(.microsoftClaims, "", "the profile scope is required to receive this claim"),
        why: "Without it the ID Token has no oid, by which the platform recognises users.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? "the configuration names no client" : nil },
        finding: { target, _ in
            guard !target.scopes.contains("profile") else { return nil }
            return Finding(
                "The scopes do not contain profile.",
                at: "scopes",
                expected: "openid profile email",
                found: target.scopes.joined(separator: " ").shown(),
                fix: "Add profile to scopes of the configuration."
            )
        }
    )

    package static let scopesAreGranted = Check(
        "platform.microsoft.scopes.are-granted",
        "Microsoft grants the requested permissions of Microsoft Graph",
        .risk,
        .conformance,
        Citation(
            .firebaseMicrosoft,
            "",
            "Specify additional OAuth 2.0 scopes beyond basic profile that you want to request"
        ),
        why: "The user signs in, but Microsoft Graph rejects the application's requests with 403.",
        reads: StepResults.tokenSuccesses,
        supersededBy: ["token.scope.is-legal"],
        exempt: { subject, _ in
            if subject.1["scope"]?.stringValue == nil { return "the token response states no scope" }
            return permissions(subject.0.asked.askedScopes).isEmpty
                ? "the client requested no permission of Microsoft Graph" : nil
        },
        finding: { subject, _ in
            let text = subject.1["scope"]?.stringValue ?? ""
            let granted = Set(permissions(text.split(separator: " ").map(String.init)).map(\.known))
            let missing = permissions(subject.0.asked.askedScopes).filter { !granted.contains($0.known) }
            guard !missing.isEmpty else { return nil }
            return Finding(
                "Microsoft does not grant all requested permissions; missing: "
                    + "\(missing.map(\.written).joined(separator: ", ").shown()).",
                at: "/scope",
                expected: subject.0.asked.sentParameter("scope")?.shown(),
                found: text.shown(),
                fix: "Add these permissions to the application in the Entra portal, and let the user or an "
                    + "administrator consent to them."
            )
        }
    )

    static let oidIsAGUID = Check(
        "platform.microsoft.oid.is-a-guid",
        "oid is a GUID",
        .platform,
        .signIn,
        Citation(.microsoftClaims, "", "The oid claim is a GUID and can't be reused."),
        why:
            "The platform derives the federated user ID from oid, and cannot find the account if oid has another form.",
        reads: StepResults.idTokens,
        exempt: { token, _ in token.claims.has("oid") ? nil : noOID },
        finding: { token, _ in
            if let oid = token.claims["oid"]?.stringValue, MicrosoftObjectID.isGUID(oid) { return nil }
            return .claim(
                "oid",
                "oid is not a GUID.",
                expected: "32 hexadecimal digits in five groups",
                found: token.claims["oid"],
                fix: "Return the account's object identifier in oid."
            )
        }
    )

    static let oidIsPadded = Check(
        "platform.microsoft.oid.is-padded-for-personal-accounts",
        "The oid of a personal account is its 16-character ID, padded to a GUID",
        .platform,
        .conformance,
        Citation(.firebaseMicrosoft, "", "for the non-tenant case, the oid field is padded"),
        why: "The federated user ID is oid without the padding, so applications cannot match an unpadded oid with it.",
        reads: StepResults.idTokens,
        supersededBy: ["platform.microsoft.oid.is-a-guid"],
        exempt: { token, _ in
            if !token.claims.has("oid") { return noOID }
            return token.claims["tid"]?.stringValue?.lowercased() == MicrosoftObjectID.consumerTenant
                ? nil : "the account is not a personal account"
        },
        finding: { token, _ in
            guard let text = token.claims["oid"]?.stringValue, let oid = MicrosoftObjectID(oid: text), !oid.isPadded
            else { return nil }
            return .claim(
                "oid",
                "The account belongs to the tenant for personal accounts, but its oid is not padded.",
                expected: MicrosoftObjectID.padding + "xxxx-xxxxxxxxxxxx",
                found: token.claims["oid"],
                fix: "Return \(MicrosoftObjectID.padding) and the account's 16 characters in oid, or another tid."
            )
        }
    )

    static let oidIsInLowerCase = Check(
        "platform.microsoft.oid.is-in-lower-case",
        "oid is in lower case",
        .may,
        .conformance,
        oidDocumentation,
        why: "Applications that compare oid and federated user ID as strings treat one user as two.",
        reads: StepResults.idTokens,
        supersededBy: ["platform.microsoft.oid.is-a-guid"],
        exempt: { token, _ in token.claims.has("oid") ? nil : noOID },
        finding: { token, _ in
            guard let oid = token.claims["oid"]?.stringValue, oid != oid.lowercased() else { return nil }
            return .claim(
                "oid",
                "oid has capital letters.",
                expected: oid.lowercased().shown(),
                found: token.claims["oid"],
                fix: "Compare oid and providerData[0].uid case-insensitively."
            )
        }
    )

    static let oidIsTheSameForEveryClient = Check(
        "platform.microsoft.oid.is-the-same-for-every-client",
        "A user has the same oid for every client",
        .platform,
        .conformance,
        Citation(.microsoftClaims, "", "This ID uniquely identifies the user across applications"),
        why: "A second application, or a new registration of the first, treats the user as a different one.",
        reads: IDTokenQueries.together,
        supersededBy: ["idtoken.subject-claims.are-the-same"],
        exempt: { tokens, _ in
            let named = tokens.filter { $0.claims.has("oid") }
            if named.isEmpty { return noOID }
            return Set(named.map(\.asked.clientID)).count > 1 ? nil : "the configuration names only one client"
        },
        finding: { tokens, _ in
            let named = tokens.filter { $0.claims.has("oid") }
            guard let first = named.first,
                let oid = first.claims["oid"]?.stringValue.flatMap(MicrosoftObjectID.init(oid:)),
                let other = named.first(where: { token in
                    token.asked.clientID != first.asked.clientID
                        && token.claims["oid"]?.stringValue.flatMap(MicrosoftObjectID.init(oid:)) != oid
                })
            else { return nil }
            return .claim(
                "oid",
                "The same user has another oid for client \(other.asked.clientID.quoted) than for "
                    + "\(first.asked.clientID.quoted).",
                expected: oid.description,
                found: other.claims["oid"],
                fix: "Return the account's object identifier in oid; only sub may differ between clients."
            )
        }
    )

    static let idTokensAreEnabled = Check(
        "platform.microsoft.id-token.is-enabled",
        "The application's registration enables ID Tokens from the authorization endpoint if a flow needs them",
        .platform,
        .signIn,
        Citation(
            .microsoftProtocol,
            "",
            "The provided value for the input parameter 'response_type' isn't allowed for this client"
        ),
        why: "The sign-in fails with unsupported_response, and the application receives no ID Token.",
        reads: StepResults.flowsAsAnswered,
        exempt: { subject, _ in
            subject.asked.responseType.hasIDToken
                ? nil : "response_type \(subject.asked.responseType) does not need this setting"
        },
        finding: { subject, _ in
            guard let error = subject.answer.redirect?.error, error.hasPrefix("unsupported_response") else {
                return nil
            }
            return Finding(
                "For response_type \(subject.asked.responseType), the authorization endpoint returns \(error.quoted).",
                at: "response_type",
                expected: "an ID Token",
                found: error.shown(),
                fix: "Select “ID tokens (used for implicit and hybrid flows)” in the application's registration."
            )
        }
    )

    static let version = Check(
        "platform.microsoft.id-token.ver-is-2",
        "The ID Token comes from the version 2.0 endpoint",
        .risk,
        .conformance,
        Citation(.microsoftClaims, "", "Indicates the version of the ID token."),
        why: "Tokens of version 1.0 have another issuer and other claims than those documented for Firebase.",
        reads: StepResults.idTokens,
        supersededBy: ["platform.microsoft.id-token.iss-is-the-tenants"],
        finding: { token, _ in
            guard token.claims["ver"]?.stringValue != "2.0" else { return nil }
            return .claim(
                "ver",
                "ver is not 2.0.",
                expected: "\"2.0\"",
                found: token.claims["ver"],
                fix: "Use the endpoints under /oauth2/v2.0, whose discovery document is at TENANT/v2.0."
            )
        }
    )

    static let apiReturnsFederatedID = Check(
        "platform.microsoft.user-api.id-is-the-federated-id",
        "The user API returns the ID Token's oid as id, with or without the zero padding",
        .may,
        .conformance,
        Citation(.microsoftClaims, "", "Microsoft Graph returns this ID as the id property for a user account."),
        why: "Applications that look up the user in the API and in Firebase treat one user as two.",
        reads: userAndToken,
        supersededBy: [
            "platform.user-api.has-members", "platform.microsoft.oid.is-a-guid",
            "platform.microsoft.oid.is-padded-for-personal-accounts",
        ],
        exempt: { answers, _ in
            if answers.user.member("id")?.stringValue == nil {
                return "the API returned no id, which another check reports"
            }
            return answers.token.claims["oid"]?.stringValue == nil ? noOID : nil
        },
        finding: { answers, _ in
            guard let id = answers.user.member("id")?.stringValue,
                let oid = answers.token.claims["oid"]?.stringValue.flatMap(MicrosoftObjectID.init(oid:)),
                MicrosoftObjectID(federated: id) != oid
            else { return nil }
            return Finding(
                "The id that the user API returns does not match oid of the ID Token.",
                at: "/id",
                expected: oid.federated,
                found: id.shown(),
                fix: "Compare users by oid, or by providerData[0].uid, which is derived from oid."
            )
        }
    )

    static let parametersAreAccepted = DocumentedParameters.check(
        "platform.microsoft.parameters.are-accepted",
        "Microsoft accepts prompt and login_hint as documented",
        Citation(.firebaseMicrosoft, "", "Specify additional custom OAuth parameters that you want to send"),
        of: .microsoftParameters
    )

    /// The permissions of Graph among the scopes, as written and as compared: Graph is the default resource, and case is
    /// ignored.
    private static func permissions(_ scopes: [String]) -> [(written: String, known: String)] {
        scopes.filter { !["openid", "profile", "email", "offline_access"].contains($0) }
            .map { scope in
                let name = scope.lowercased()
                let resource = "https://graph.microsoft.com/"
                return (scope, name.hasPrefix(resource) ? String(name.dropFirst(resource.count)) : name)
            }
    }

    package static let all: [Check] = [
        scopesIncludeProfile, scopesAreGranted, oidIsAGUID, oidIsPadded, oidIsInLowerCase, oidIsTheSameForEveryClient,
        idTokensAreEnabled, version, apiReturnsFederatedID, parametersAreAccepted,
    ]

    /// The API's response and the ID Token that was issued with the access token.
    private static let userAndToken = Query<(user: UserAPIResult, token: IDToken)>(
        "the API's response and the ID Token of the same sign-in",
        needs: StepResults.user.needs.union([.keys])
    ) { facts in
        let tokens = StepResults.idToken(.userAPI, at: .tokenEndpoint).samples(facts)
        return zip(StepResults.user.samples(facts), tokens)
            .map { user, token in
                Sample(
                    user.observation.flatMap { user in token.observation.map { (user: user, token: $0) } },
                    exchange: user.exchange
                )
            }
    }
}
