package import JSONTree

/// The rules of one relying platform: which checks count, at which level, with which values.
///
/// This is the composed value; the Profiles module reads it from YAML and resolves `extends`.
package struct Profile: Sendable, Hashable, Codable {
    package var name: String
    package var title: String
    /// The source of the rules of a platform that was not measured; `nil` if it was, or if they are of no single platform.
    package var knownFrom: String?
    /// The profile and those that it extends, nearest first.
    package var lineage: [String]
    /// The checks that belong to the profile.
    package var include: [CheckPattern]
    /// In order; the last that matches wins.
    package var adjustments: [Adjustment]
    package var parameters: ProfileParameters
    /// The provider features that the platform uses, each with the reason; `nil` if the relying parties are not known, so that
    /// they may use all of them.
    package var uses: [Feature: Use]?

    package init(
        name: String,
        title: String,
        knownFrom: String? = nil,
        lineage: [String] = [],
        include: [CheckPattern] = [],
        adjustments: [Adjustment] = [],
        parameters: ProfileParameters = ProfileParameters(),
        uses: [Feature: Use]? = nil
    ) {
        self.name = name
        self.title = title
        self.knownFrom = knownFrom
        self.lineage = lineage
        self.include = include
        self.adjustments = adjustments
        self.parameters = parameters
        self.uses = uses
    }

    /// How it is known that the platform uses a feature.
    package struct Use: Sendable, Hashable, Codable {
        package var because: String
        /// The source.
        package var source: String

        package init(because: String, source: String) {
            self.because = because
            self.source = source
        }
    }

    /// A change to a check, and why the platform wants it; the reason reaches the report.
    package struct Adjustment: Sendable, Hashable, Codable {
        package var checks: CheckPattern
        /// `nil` with `drop` false changes nothing.
        package var level: Level?
        package var drop: Bool
        /// The platform does not check this: a failure does not stop its users, and endangers them.
        package var isUnchecked: Bool
        package var because: String

        package init(
            checks: CheckPattern,
            level: Level? = nil,
            drop: Bool = false,
            isUnchecked: Bool = false,
            because: String
        ) {
            self.checks = checks
            self.level = level
            self.drop = drop
            self.isUnchecked = isUnchecked
            self.because = because
        }
    }

    /// The checks of a relying party's own request, which rules of no relying party do not have.
    private static let ofRelyingParties: Set<CheckID> = ["authorization.plain-request.is-accepted"]

    /// Whether a check belongs to the profile: by a pattern, or because it checks a rule that the profile states.
    package func contains(_ id: CheckID) -> Bool {
        if uses == nil, Self.ofRelyingParties.contains(id) { return false }
        let isARule = PlatformRule.Name(of: id).map { parameters.rules[$0] != nil } ?? false
        return isARule || include.contains { $0.matches(id) }
    }

    package func includes(_ id: CheckID) -> Bool {
        contains(id) && adjustment(for: id)?.drop != true
    }

    /// The level of a check's failure, and why it differs from the requirement's; `nil` if it does not.
    ///
    /// If the platform's features are known, a failure of another feature is a notice: it is true, and has no effect there. An
    /// error that neither breaks sign-in nor endangers any user is a warning.
    ///
    /// - Parameter findings: Those of a failed check; a finding about several members has the highest of their levels.
    package func weight(of check: Check, findings: [Finding] = []) -> (level: Level, because: String?) {
        let plain = plainWeight(of: check, findings)
        guard let adjustment = adjustment(for: check.id), let level = adjustment.level else { return plain }
        // "keys.*" is about a stage; an attack that any third party can carry out is lowered only by name.
        let isOfAStage = adjustment.checks == CheckPattern(check.stage.rawValue + ".*")
        if isOfAStage, level < plain.level, check.endangersAllUsers { return plain }
        // Also where it keeps a level that the platform's uses would have changed.
        return (level, level == check.requirement.level && plain.because == nil ? nil : adjustment.because)
    }

    /// The level of a check's failure for its answer.
    ///
    /// A profile can lower the level of a finding, which opens the gate. The answers to whether the provider is safe and
    /// conforms do not depend on it, unless the platform does not use the feature of the finding.
    package func answerLevel(of check: Check, findings: [Finding]) -> Level {
        let level = weight(of: check, findings: findings).level
        guard check.stage != .platform else { return level }
        switch consequence(of: check) {
        // Whether sign-in works there is a question about the platform, and its profile has the answer.
        case .signIn: return level
        case .safety: return max(level, plainWeight(of: check, findings).level)
        case .conformance: return max(level, check.requirement.level)
        }
    }

    /// The answer that a failure of a check belongs to.
    ///
    /// A platform that refuses a deviation which other relying parties accept has no sign-in with it. Its profile states this as
    /// an error. A platform that does not check something signs its users in nevertheless.
    package func consequence(of check: Check) -> Consequence {
        let adjustment = adjustment(for: check.id)
        if adjustment?.isUnchecked == true { return .safety }
        guard check.consequence == .conformance, adjustment?.level == .error, platform != nil else {
            return check.consequence
        }
        return .signIn
    }

    /// The name of the platform, for sentences; `nil` for rules of no single platform.
    package var platform: String? {
        let kinds = [
            "spa", "appauth", "token-verifier", "fapi2-security", "oauth-security-bcp", "openid", "relying-party",
            "go-oidc", "authlib",
        ]
        guard uses != nil, !kinds.contains(name) else { return nil }
        let end = [",", " /"].compactMap { title.firstRange(of: $0)?.lowerBound }.min()
        return String(title[..<(end ?? title.endIndex)])
    }

    /// The level if the profile does not set it.
    private func plainWeight(of check: Check, _ findings: [Finding]) -> (level: Level, because: String?) {
        let own = check.requirement.level
        guard let uses, own > .notice, check.stage != .platform else { return (own, nil) }
        if !check.endangersAllUsers, let unused = Self.unused(by: check, findings, uses) {
            return (.notice, "the platform does not use \(unused.map(\.phrase).joined(separator: " or "))")
        }
        if own == .error, check.consequence == .conformance {
            return (.warning, "the platform has no rule about it, and it neither breaks sign-in nor endangers users")
        }
        return (own, nil)
    }

    /// The features of all findings that the platform does not use; `nil` if it uses some of them.
    private static func unused(by check: Check, _ findings: [Finding], _ uses: [Feature: Use]) -> [Feature]? {
        let concerned = findings.isEmpty ? [check.features] : findings.map { check.features(of: $0) }
        let unused = concerned.map { $0.filter { uses[$0] == nil } }
        guard unused.allSatisfy({ !$0.isEmpty }) else { return nil }
        return Set(unused.joined()).sorted()
    }

    /// The profile for one target: the custom parameters of its application are sent by the platform, and its client
    /// authenticates there as here.
    package func used(with target: Target) -> Profile {
        guard let uses else { return self }
        let configured = Use(because: "the configuration says so", source: "the configuration")
        var profile = self
        profile.uses = Self.features(configuredFor: target)
            .reduce(into: uses) { uses, feature in uses[feature] = uses[feature] ?? configured }
        return profile
    }

    /// The features that are used because of the configuration.
    static func features(configuredFor target: Target) -> [Feature] {
        var features = target.customParameters.compactMap { Feature.ofParameter($0.name) }
        if target.resource != nil { features.append(.resource) }
        if target.flows.contains(where: { target.client(for: $0)?.authentication.usesAssertion == true }) {
            features.append(.clientAssertion)
        }
        return features
    }

    /// Whether the profile states that a failure of the check does not close the gate.
    package func lowers(_ id: CheckID) -> Bool {
        adjustment(for: id).map { $0.drop || ($0.level ?? .error) < .error } ?? false
    }

    /// Whether the platform reads nothing of a stage: the profile lowers all of it, and may raise single attacks again.
    package func ignores(_ stage: Stage) -> Bool {
        let whole = CheckPattern(stage.rawValue + ".*")
        return adjustments.contains { $0.checks == whole && ($0.level ?? .error) < .error }
    }

    /// The steps of a sign-in that may fail at this platform: it does not take them, or ignores their result.
    package var ignoredSteps: Set<Cause.SignInStep> {
        guard let uses else { return [] }
        let ignored = Self.ignorableSteps.filter { lowers($0.value) || adjustment(for: $0.value)?.isUnchecked == true }
        var steps = Set(ignored.keys)
        if uses[.userInfo] == nil { steps.insert(.userInfo) }
        return steps
    }

    /// The check that reports the failure of each step.
    private static let ignorableSteps: [Cause.SignInStep: CheckID] = [
        .keys: "keys.response.status-is-200", .idToken: "idtoken.signature.verifies",
        .userInfo: "userinfo.status.is-200",
    ]

    /// The last adjustment that matches.
    package func adjustment(for id: CheckID) -> Adjustment? {
        // A copy of each adjustment takes longer than its comparison.
        adjustments.indices.last { adjustments[$0].checks.matches(id) }.map { adjustments[$0] }
    }
}

/// The facts about a platform: its requirements, its requests, and how it identifies users.
package struct ProfileParameters: Sendable, Hashable, Codable {
    /// Custom parameters that the platform uses itself and does not pass on.
    package var consumedParameters: [String] = []
    /// Scopes that the platform requests when the provider lists scopes.
    package var scopes: [String] = []
    /// Whether PKCE is left out of every request that does not test it, because the provider may reject it.
    package var avoidsPKCE = false
    /// Claims besides `sub` that the platform identifies a user by: `oid`, `tid`.
    package var subjectClaims: [String] = []
    /// Whether the provider publishes a discovery document that the platform reads.
    package var readsDiscovery = true
    /// Addresses that the platform knows by itself, by the name of their metadata member.
    ///
    /// They supplement the provider's metadata, or replace it; the configuration's own have priority. `{issuer}` means the
    /// issuer.
    package var endpoints: [String: String] = [:]
    /// Why a parameter is not what the extended profile says, by its name in the file.
    package var reasons: [String: String] = [:]
    /// The rules that the profile states.
    package var rules: [PlatformRule.Name: PlatformRule] = [:]

    package init() {}

    /// Whether a custom parameter of the application reaches the provider.
    package func passesOn(_ name: String) -> Bool {
        !(self[.reservedParameters] ?? []).contains(name) && !consumedParameters.contains(name)
    }

    /// When the platform sends a PKCE challenge in the code flow.
    package enum PKCEUse: Sendable { case always, ifListed, never }

    package var pkceUse: PKCEUse { states(.pkceIsListed) ? .ifListed : states(.pkceIsNotNeeded) ? .never : .always }

    /// Whether the platform sends a PKCE challenge to a provider with this metadata.
    package func sendsPKCE(to metadata: JSONObject?) -> Bool {
        switch pkceUse {
        case .always: true
        case .never: false
        case .ifListed: metadata?["code_challenge_methods_supported"]?.strings?.contains("S256") == true
        }
    }

    /// Whether the platform reads the authorization server metadata (RFC 8414) before the discovery document.
    package var readsServerMetadata: Bool { states(.resourceIsNamed) }

    /// The issuer of the one provider that ``endpoints`` belong to, as far as these are not made from the issuer; with a
    /// terminating slash, what the issuers of all its tenants begin with.
    package var owner: String? { self[.issuerOwners]?.first }
}

extension Check {
    /// Whether a failure lets any third party harm the provider's users.
    fileprivate var endangersAllUsers: Bool { consequence == .safety && endangers == .allUsers }
}
