/// How strongly the cited text speaks; the level of a finding derives from it.
package enum Requirement: String, Sendable, Codable, CaseIterable {
    /// MUST, SHALL, REQUIRED (RFC 2119).
    case must
    /// SHOULD, RECOMMENDED (RFC 2119).
    case should
    /// MAY, OPTIONAL: information, never an error.
    case may
    /// A rule of the relying platform that no specification states.
    case platform
    /// No text forbids it, but it has broken or endangered real sign-ins.
    case risk

    /// The level of a failure when the profile says nothing else.
    package var level: Level {
        switch self {
        case .must, .platform: .error
        case .should, .risk: .warning
        case .may: .notice
        }
    }

    /// Whether a specification says so.
    package var isOfAText: Bool {
        switch self {
        case .must, .should, .may: true
        case .platform, .risk: false
        }
    }

    package var word: String {
        switch self {
        case .must: "MUST"
        case .should: "SHOULD"
        case .may: "MAY"
        case .platform: "platform"
        case .risk: "no requirement"
        }
    }
}

/// How much a failure weighs; `--fail-on` names the lowest level that closes the gate.
package enum Level: String, Sendable, Codable, CaseIterable, Comparable {
    case notice
    case warning
    case error

    package static func < (left: Level, right: Level) -> Bool {
        left.weight < right.weight
    }

    private var weight: Int {
        switch self {
        case .notice: 0
        case .warning: 1
        case .error: 2
        }
    }
}

/// How far a run goes, from polite to thorough; each tier includes the one before it.
package enum Tier: String, Sendable, Codable, CaseIterable, Comparable {
    /// GET of public documents and TLS; no credentials.
    case `static`
    /// Adds requests that need a client but no user.
    case unauthenticated
    /// Adds sign-ins.
    case full

    package static func < (left: Tier, right: Tier) -> Bool {
        left.reach < right.reach
    }

    private var reach: Int {
        switch self {
        case .static: 0
        case .unauthenticated: 1
        case .full: 2
        }
    }
}
