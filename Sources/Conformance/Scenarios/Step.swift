/// The name of a step, unique within its scenario: `use-again`.
///
/// Scenario and check share the constants, so that a misspelt step does not compile.
package struct StepID: RawRepresentable, Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    package init(rawValue: String) {
        self.init(rawValue)
    }

    package var description: String { rawValue }

    package static func < (left: StepID, right: StepID) -> Bool { left.rawValue < right.rawValue }

    private static let tokenSuffix = ".token"

    /// The token request with the code of this step's authorization response.
    package var token: StepID { StepID(rawValue + Self.tokenSuffix) }

    /// The authorization request that this step completes; the step itself when it completes none.
    package var completed: StepID {
        if self == .userInfo { return .authorization }
        return rawValue.hasSuffix(Self.tokenSuffix) ? StepID(String(rawValue.dropLast(Self.tokenSuffix.count))) : self
    }

    /// The authorization request that shows the effect of this step.
    package var afterwards: StepID { StepID(rawValue + ".afterwards") }

    /// The authorization request that a scenario begins with.
    package static let authorization = StepID("authorization")
    /// The token request with its code, or with a bogus one.
    package static let token = authorization.token
    /// UserInfo with the latest access token.
    package static let userInfo = StepID("user-info")
}

/// A request that an experiment differs from in one thing.
///
/// A rejection answers the question of the experiment only if the provider responds to the baseline differently: the same
/// rejection of both does not depend on the change.
package enum Baseline: Sendable, Hashable, Codable {
    /// A step of the same scenario.
    case step(StepID)
    case stepOf(ScenarioID, StepID)
    /// A bogus code, sent as the client is configured to authenticate: rejected as `invalid_grant`, its request is valid.
    case bogusCode
}

/// One request of a scenario, or a pause.
package struct Step: Sendable, Hashable, Codable, Identifiable {
    package enum Request: Sendable, Hashable, Codable {
        /// An authorization request in the scenario's browser.
        case authorize(AuthorizationRequest)
        /// A request to one of the provider's other endpoints.
        case call(EndpointCall)
        /// A request to end the session, in the same browser.
        case endSession(EndSessionRequest)
        /// The scenario's own client is deleted (RFC 7592 section 2.3); what comes after it is done by a client that is gone.
        case deleteClient
        /// Nothing until so many seconds have passed.
        case wait(seconds: Double, since: PauseStart)
        /// A pause of half a minute, after which a cache may have dropped a used code; only with `--patient`.
        case waitLong
    }

    /// The moment from which a pause is counted, so that elapsed time is not waited for again.
    package enum PauseStart: Sendable, Hashable, Codable {
        /// The user signed in to the scenario's browser for the last time.
        case signIn
        /// The scenario got its first tokens.
        case opening
    }

    package var id: StepID
    /// The action, in a few words; `nil` if the scenario's title describes it, or the step that it completes.
    package var title: String?
    package var request: Request
    /// Requirements on the provider's metadata for the step to make sense.
    package var requires: [MetadataRequirement] = []
    /// Conditions on the target for the step to make sense.
    var conditions: [Scenario.Condition] = []
    /// A request in the same browser that makes this one needless if it was granted without a sign-in.
    package var unlessSilent: StepID?
    /// A request in the same browser that makes this one needless where the user had to sign in for it.
    package var ifSilent: StepID?
    /// A combined request that includes this one's change.
    ///
    /// It makes this one needless if it was granted with its state, or rejected only for its bogus code.
    package var unlessGranted: StepID?
    /// The requests that this one differs from in one thing.
    package var baselines: [Baseline] = []
    /// Made for only one of the response types that are returned in the fragment: the first that is configured.
    var isOncePerPlace = false

    package init(
        _ id: StepID,
        _ title: String?,
        _ request: Request,
        requires: [MetadataRequirement] = [],
        conditions: [Scenario.Condition] = [],
        unlessSilent: StepID? = nil,
        ifSilent: StepID? = nil
    ) {
        self.id = id
        self.title = title
        self.request = request
        self.requires = requires
        self.conditions = conditions
        self.unlessSilent = unlessSilent
        self.ifSilent = ifSilent
    }

    /// The authorization request that a scenario begins with.
    package static func authorize(_ request: AuthorizationRequest) -> Step {
        Step(.authorization, nil, .authorize(request))
    }

    /// The token request with the code of an authorization response (Core section 3.1.3.1).
    package static func redeem(_ id: StepID = .authorization) -> Step {
        Step(id.token, nil, .call(.redeemCode))
    }

    /// The step where a request with its change among others was not granted.
    func unless(_ earlier: StepID) -> Step {
        var step = self
        step.unlessGranted = earlier
        return step
    }

    /// The step with the requests that it differs from in one thing.
    func comparedWith(_ baselines: Baseline...) -> Step {
        var step = self
        step.baselines = baselines
        return step
    }

    /// Whether nothing is sent.
    package var isPause: Bool {
        switch request {
        case .wait, .waitLong: true
        case .authorize, .call, .endSession, .deleteClient: false
        }
    }

    /// The request of an authorization step.
    package var authorizationRequest: AuthorizationRequest? {
        guard case .authorize(let request) = request else { return nil }
        return request
    }

    /// The call of a step that asks another endpoint than that for authorization.
    package var call: EndpointCall? {
        guard case .call(let call) = request else { return nil }
        return call
    }
}
