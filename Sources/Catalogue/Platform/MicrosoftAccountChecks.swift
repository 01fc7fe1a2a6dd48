package import Conformance
import JSONTree

/// By what Firebase knows a user of Microsoft again: `oid`, and never `sub`.
package enum MicrosoftAccountChecks {
    private static let oidDocumentation = Citation(
        .firebaseMicrosoft,
        "",
        "When using a Azure AD tenant to sign-in, the oid claim will be an exact match."
    )
    private static let noOID = "the token has no oid, which another check reports"

    package static let scopesIncludeProfile = Check(
        "platform.microsoft.scopes.include-profile",
        "The scope profile is asked for",
        .platform,
        .signIn,
        Citation(.microsoftClaims, "", "the profile scope is required to receive this claim"),
        why: "Without it the ID Token has no oid, and users cannot be told by what the platform knows them.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? "the configuration names no client" : nil },
        finding: { target, _ in
            guard !target.scopes.contains("profile") else { return nil }
            return Finding(
                "The scopes do not hold profile.",
                at: "scopes",
                expected: "openid profile email",
                found: target.scopes.joined(separator: " ").shown(),
                fix: "Add profile to the scopes."
            )
        }
    )

    package static let scopesAreGranted = Check(
        "platform.microsoft.scopes.are-granted",
        "The permissions of Microsoft Graph that were asked for are granted",
        .risk,
        .conformance,
        Citation(
            .firebaseMicrosoft,
            "",
            "Specify additional OAuth 2.0 scopes beyond basic profile that you want to request"
        ),
        why: "The user signs in, and what the application then asks of Microsoft Graph is refused with 403.",
        reads: Conversations.tokenSuccesses,
        excusedBy: ["token.scope.is-legal"],
        exempt: { subject, _ in
            if subject.1["scope"]?.stringValue == nil { return "the token response states no scope" }
            return permissions(subject.0.asked.askedScopes).isEmpty ? "no permission of Graph was asked for" : nil
        },
        finding: { subject, _ in
            let text = subject.1["scope"]?.stringValue ?? ""
            let granted = Set(permissions(text.split(separator: " ").map(String.init)).map(\.known))
            let missing = permissions(subject.0.asked.askedScopes).filter { !granted.contains($0.known) }
            guard !missing.isEmpty else { return nil }
            return Finding(
                "Asked for and not granted: \(missing.map(\.written).joined(separator: ", ").shown()).",
                at: "/scope",
                expected: subject.0.asked.sentParameter("scope")?.shown(),
                found: text.shown(),
                fix: "Add these permissions to the application in the Entra portal, and let the user or an "
                    + "administrator consent to them."
            )
        }
    )

    package static let oidIsAGUID = Check(
        "platform.microsoft.oid.is-a-guid",
        "oid is a GUID",
        .platform,
        .signIn,
        Citation(.microsoftClaims, "", "The oid claim is a GUID and can't be reused."),
        why: "The federated user ID is made from it by its form; from another one, no account is found again.",
        reads: Conversations.idTokens,
        exempt: { token, _ in token.claims.has("oid") ? nil : noOID },
        finding: { token, _ in
            if let oid = token.claims["oid"]?.stringValue, MicrosoftObjectID.isGUID(oid) { return nil }
            return .claim(
                "oid",
                "oid is no GUID.",
                expected: "32 hexadecimal digits in five groups",
                found: token.claims["oid"],
                fix: "Return the account's object identifier in oid."
            )
        }
    )

    package static let oidIsPadded = Check(
        "platform.microsoft.oid.is-padded-for-personal-accounts",
        "The oid of a personal account is its 16 characters, padded",
        .platform,
        .conformance,
        Citation(
            .firebaseMicrosoft,
            "",
            "for the non-tenant case, the oid field is padded"
        ),
        why: "The federated user ID is oid without the padding; without padding the two cannot be told to be one user.",
        reads: Conversations.idTokens,
        excusedBy: ["platform.microsoft.oid.is-a-guid"],
        exempt: { token, _ in
            if !token.claims.has("oid") { return noOID }
            return token.claims["tid"]?.stringValue?.lowercased() == MicrosoftObjectID.consumerTenant
                ? nil : "it is no personal account"
        },
        finding: { token, _ in
            guard let text = token.claims["oid"]?.stringValue, let oid = MicrosoftObjectID(oid: text), !oid.isPadded
            else {
                return nil
            }
            return .claim(
                "oid",
                "The account is of the tenant for personal accounts, and its oid is not padded.",
                expected: MicrosoftObjectID.padding + "xxxx-xxxxxxxxxxxx",
                found: token.claims["oid"],
                fix: "Return the 16 characters of the account behind \(MicrosoftObjectID.padding), or another tid."
            )
        }
    )

    package static let oidIsInLowerCase = Check(
        "platform.microsoft.oid.is-in-lower-case",
        "oid is written in lower case",
        .may,
        .conformance,
        oidDocumentation,
        why: "Applications that compare oid and federated user ID as texts take one user for two.",
        reads: Conversations.idTokens,
        excusedBy: ["platform.microsoft.oid.is-a-guid"],
        exempt: { token, _ in token.claims.has("oid") ? nil : noOID },
        finding: { token, _ in
            guard let oid = token.claims["oid"]?.stringValue, oid != oid.lowercased() else { return nil }
            return .claim(
                "oid",
                "oid has capital letters.",
                expected: oid.lowercased().shown(),
                found: token.claims["oid"],
                fix: "Compare oid and providerData[0].uid without regard to case."
            )
        }
    )

    package static let oidIsTheSameForEveryClient = Check(
        "platform.microsoft.oid.is-the-same-for-every-client",
        "One person has one oid at all clients, whatever sub is",
        .platform,
        .conformance,
        Citation(.microsoftClaims, "", "This ID uniquely identifies the user across applications"),
        why: "A second application, or a new registration of the first, takes the user for somebody else.",
        reads: IDTokenSlots.together,
        excusedBy: ["idtoken.subject-claims.are-the-same"],
        exempt: { tokens, _ in
            let named = tokens.filter { $0.claims.has("oid") }
            if named.isEmpty { return noOID }
            return Set(named.map(\.asked.clientID)).count > 1 ? nil : "the configuration names one client only"
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
                "The same person has another oid at client \(other.asked.clientID.quoted) than at "
                    + "\(first.asked.clientID.quoted).",
                expected: oid.description,
                found: other.claims["oid"],
                fix: "Return the account's object identifier in oid; what differs from client to client is sub."
            )
        }
    )

    package static let idTokensAreEnabled = Check(
        "platform.microsoft.id-token.is-enabled",
        "ID Tokens from the authorization endpoint are switched on, where a flow needs them",
        .platform,
        .signIn,
        Citation(
            .microsoftProtocol,
            "",
            "The provided value for the input parameter 'response_type' isn't allowed for this client"
        ),
        why: "The sign-in ends with unsupported_response instead of an ID Token.",
        reads: Conversations.flowsAsAnswered,
        exempt: { subject, _ in
            subject.asked.responseType.hasIDToken
                ? nil : "response_type \(subject.asked.responseType) needs no such switch"
        },
        finding: { subject, _ in
            guard let error = subject.answer.redirect?.error, error.hasPrefix("unsupported_response") else {
                return nil
            }
            return Finding(
                "response_type \(subject.asked.responseType) was answered with \(error.quoted).",
                at: "response_type",
                expected: "an ID Token",
                found: error.shown(),
                fix: "Tick “ID tokens (used for implicit and hybrid flows)” in the application's registration."
            )
        }
    )

    package static let version = Check(
        "platform.microsoft.id-token.ver-is-2",
        "The ID Token is one of the version 2.0 endpoint",
        .risk,
        .conformance,
        Citation(.microsoftClaims, "", "Indicates the version of the ID token."),
        why: "Tokens of version 1.0 have another issuer and other claims than those described for Firebase.",
        reads: Conversations.idTokens,
        excusedBy: ["platform.microsoft.id-token.iss-is-the-tenants"],
        finding: { token, _ in
            guard token.claims["ver"]?.stringValue != "2.0" else { return nil }
            return .claim(
                "ver",
                "ver is not 2.0.",
                expected: "\"2.0\"",
                found: token.claims["ver"],
                fix: "Ask the endpoints under /oauth2/v2.0, whose discovery document is at TENANT/v2.0."
            )
        }
    )

    package static let apiTellsFederatedID = Check(
        "platform.microsoft.user-api.id-is-the-federated-id",
        "The API knows the user by oid, or by what it is padded from",
        .may,
        .conformance,
        Citation(.microsoftClaims, "", "Microsoft Graph returns this ID as the id property for a user account."),
        why: "Applications that look the user up at the API and at Firebase take one user for two.",
        reads: userAndToken,
        excusedBy: [
            "platform.user-api.has-members", "platform.microsoft.oid.is-a-guid",
            "platform.microsoft.oid.is-padded-for-personal-accounts",
        ],
        exempt: { answers, _ in
            if answers.user.member("id")?.stringValue == nil {
                return "the API tells no id, which another check reports"
            }
            return answers.token.claims["oid"]?.stringValue == nil ? noOID : nil
        },
        finding: { answers, _ in
            guard let id = answers.user.member("id")?.stringValue,
                let oid = answers.token.claims["oid"]?.stringValue.flatMap(MicrosoftObjectID.init(oid:)),
                MicrosoftObjectID(federated: id) != oid
            else { return nil }
            return Finding(
                "The API knows the user by another identifier than the ID Token does.",
                at: "/id",
                expected: oid.federated,
                found: id.shown(),
                fix: "Compare users by oid, and by providerData[0].uid as it follows from oid."
            )
        }
    )

    package static let parametersAreAccepted = DocumentedParameters.check(
        "platform.microsoft.parameters.are-accepted",
        "prompt and login_hint are accepted, as the documentation shows them",
        Citation(.firebaseMicrosoft, "", "Specify additional custom OAuth parameters that you want to send"),
        of: .microsoftParameters
    )

    /// The permissions of Graph among scopes, as they are written, and as they are compared: Graph is the resource where
    /// none is named, and case does not count.
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
        idTokensAreEnabled,
        version, apiTellsFederatedID, parametersAreAccepted,
    ]

    /// The API's answer and the ID Token that came beside the access token.
    private static let userAndToken = Slot<(user: AnsweredUser, token: IDToken)>(
        "the API's answer, and the ID Token of the same sign-in",
        needs: Conversations.user.needs.union([.keys])
    ) { facts in
        let tokens = Conversations.idToken(.userAPI, at: .tokenEndpoint).samples(facts)
        return zip(Conversations.user.samples(facts), tokens)
            .map { user, token in
                Sample(
                    user.observation.flatMap { user in token.observation.map { (user: user, token: $0) } },
                    exchange: user.exchange
                )
            }
    }
}
