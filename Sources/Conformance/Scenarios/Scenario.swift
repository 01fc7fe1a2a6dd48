/// The name of a scenario: `flow.code`, `probe.prompt-none`.
package struct ScenarioID: TextName {
    package let rawValue: String

    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The scenario of an ordinary flow with sign-in.
    package static func flow(_ type: ResponseType) -> ScenarioID {
        ScenarioID("flow." + type.text.replacing(" ", with: "-"))
    }
}

/// One conversation with the provider, described as a value; one engine runs them all.
package struct Scenario: Sendable, Hashable, Codable, Identifiable {
    package enum Kind: Sendable, Hashable, Codable {
        /// An authorization request, and what follows from its answer.
        case authorization(AuthorizationRequest)
        /// A token request with a code that was never issued.
        case madeUpCode(ClientAuthentication, secretIsRight: Bool)
    }

    package var id: ScenarioID
    /// What is sent, in a few words.
    package var title: String
    package var tier: Tier
    package var kind: Kind

    package init(id: ScenarioID, title: String, tier: Tier, kind: Kind) {
        self.id = id
        self.title = title
        self.tier = tier
        self.kind = kind
    }

    /// How many times a person's credentials are used at the most, in the full tier.
    package var signIns: Int {
        guard case .authorization(let request) = kind else { return 0 }
        return request.session == .none ? 0 : 1
    }
}

/// An authorization request as it differs from the ordinary one.
package struct AuthorizationRequest: Sendable, Hashable, Codable {
    package enum Session: String, Sendable, Codable {
        /// No person: the first page or redirect to the client ends the scenario.
        case none
        /// A fresh browser, and a person who signs in.
        case signIn
        /// A fresh browser; in the full tier a person signs in if the provider asks for it before it looks at the
        /// request, which no specification forbids. A page that is not got past is an answer.
        case signInIfAsked
    }

    /// `nil`: that of the first configured flow.
    package var responseType: ResponseType?
    package var session: Session
    package var sendsNonce = true
    /// PKCE with S256 (RFC 7636), when the response type has a code.
    package var sendsPKCE = true
    /// Made last, on the finished list of parameters.
    package var changes: [ParameterChange] = []
    /// The code is exchanged for tokens and UserInfo is asked.
    package var redeemsCode = false

    package init(responseType: ResponseType? = nil, session: Session) {
        self.responseType = responseType
        self.session = session
    }
}

/// A change to the parameters of a request.
package enum ParameterChange: Sendable, Hashable, Codable {
    case set(String, String)
    case remove(String)
}
