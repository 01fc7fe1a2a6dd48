/// Everything that a run collected: a value that can be saved, sent and evaluated again.
package struct Evidence: Sendable, Codable {
    /// The version of this format; evidence in any other is rejected.
    package static let currentFormat = 3

    var format = Evidence.currentFormat
    /// Name and version of the tool that collected it.
    var tool: String
    /// Seconds since 1970.
    package var startedAt: Double
    /// Seconds since 1970; the time for checks of certificates and clocks.
    package var endedAt: Double
    package var target: Target
    package var tier: Tier
    /// Name or file of the run's profile, to evaluate it again with the same; `nil` when none was named.
    package var profile: String?
    /// In the order of their identifiers.
    package var exchanges: [Exchange] = []
    package var discovery: Observation<Document>
    /// The discovery document of a provider whose platform does not need it; `nil` when it was not requested.
    package var published: Observation<Document>?
    /// The addresses that the flows ran on and no discovery document stated; `nil` for none.
    package var addresses: [KnownAddress]?
    package var keys: Observation<Document>
    /// The same documents once more at the end of the run.
    package var discoveryRefetched: Observation<Document>
    package var keysRefetched: Observation<Document>
    /// How hosts were reached other than by name; `nil` if they were not, and in evidence that an earlier version collected.
    package var route: Route?
    /// The exchanges that led to the discovery document: one, or one for each redirect as well.
    package var discoveryHops: [Int] = []
    /// Likewise for the key set.
    package var keysHops: [Int] = []
    /// Other places that returned a discovery document; only ever a suggestion.
    package var suggestions: [IssuerSuggestion] = []
    /// The OAuth 2.0 authorization server metadata (RFC 8414 section 3); `nil` when it was not requested, and in evidence that
    /// an earlier version collected.
    package var serverMetadata: Observation<Document>?
    /// `nil` where none was named or no check reads it, and in evidence that an earlier version collected.
    package var protectedResource: ProtectedResource?
    /// The response to the WebFinger request (RFC 7033); `nil` if the configuration names no address or no check reads it, and in
    /// evidence that an earlier version collected.
    package var webFinger: Observation<Document>?
    package var hosts: [HostObservation] = []
    /// `nil` in evidence that an earlier version collected.
    package var refetches: Refetches?
    package var runs: [ScenarioRun] = []
    /// The sign-in by OAuth 1.0; `nil` when none was part of the run.
    package var oauth1: OAuth1Run?
    /// The provider's requests to the client's back-channel logout URI during the run.
    package var backChannel: Observation<[BackChannelMessage]>
    /// The scenarios that did not run because they would have cost too many sign-ins; `nil` for none.
    package var leftOut: [DroppedScenario]?
    /// The limits that the run reached; `nil` for none.
    package var limitsReached: [ReachedLimit]?
    /// Clients that the run registered and could not delete; `nil` when it registered none.
    package var leftClients: [UndeletedClient]?
    /// Decisions of the run itself, in sentences; `nil` for none.
    package var decisions: [String]?
    /// True if users signed in by hand, in browsers that the run did not see; `nil` if there was no sign-in.
    package var isByHand: Bool?
    /// True if the run compared the pages with the rules of browsers; `nil` for a sign-in by hand, and in the evidence of
    /// earlier versions.
    package var knowsBrowserRules: Bool?
    /// True when the user stopped the run; what had been collected is here.
    package var wasInterrupted = false

    /// Names in files, which stay what they were where a part of the evidence was renamed.
    enum CodingKeys: String, CodingKey {
        case format, tool, startedAt, endedAt, target, tier, profile, exchanges, discovery, published, addresses, keys
        case discoveryRefetched = "discoveryAgain"
        case keysRefetched = "keysAgain"
        case discoveryHops, keysHops, suggestions, hosts
        case refetches = "second"
        case runs, oauth1, backChannel, leftOut, limitsReached, leftClients, decisions, isByHand, knowsBrowserRules,
            wasInterrupted, route, serverMetadata, protectedResource, webFinger
    }

    package init(tool: String, startedAt: Double, target: Target, tier: Tier, because reason: String) {
        self.tool = tool
        self.startedAt = startedAt
        self.endedAt = startedAt
        self.target = target
        self.tier = tier
        self.discovery = .notAttempted(reason)
        self.keys = .notAttempted(reason)
        self.discoveryRefetched = .notAttempted(reason)
        self.keysRefetched = .notAttempted(reason)
        self.backChannel = .notAttempted(reason)
    }

    /// How many times a user's password was sent.
    package var signIns: Int { exchanges.count { $0.isSignIn == true } }

    /// The run of a scenario, if it was begun.
    package func run(_ id: ScenarioID) -> ScenarioRun? {
        // By place: `first` copies each run that it compares.
        runs.firstIndex { $0.scenario == id }.map { runs[$0] }
    }

    /// How many requests were sent.
    package var requests: Int { exchanges.count { $0.failure?.kind != .notSent } }

    /// The exchange of that identifier; they are in the order of their identifiers.
    package func exchange(_ id: Int?) -> Exchange? {
        guard let id else { return nil }
        var (low, high) = (exchanges.startIndex, exchanges.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if exchanges[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < exchanges.endIndex && exchanges[low].id == id ? exchanges[low] : nil
    }
}

/// A request that the provider sent by itself (Back-Channel Logout section 2.5).
package struct BackChannelMessage: Sendable, Hashable, Codable {
    package var method: String
    package var contentType: String?
    /// The names of the parameters in the body.
    package var parameters: [String]
    /// The logout token, if there was one.
    package var token: TokenFacts?

    package init(method: String, contentType: String?, parameters: [String], token: TokenFacts? = nil) {
        self.method = method
        self.contentType = contentType
        self.parameters = parameters
        self.token = token
    }
}

/// A JSON document of the provider, and where it came from.
package struct Document: Sendable, Hashable, Codable {
    package enum Origin: Sendable, Hashable, Codable {
        case exchange(Int)
        /// Handed in as a file, before it is deployed: nothing is known of status and headers.
        case file(String)
    }

    package var origin: Origin
    package var body: Body

    package init(origin: Origin, body: Body) {
        self.origin = origin
        self.body = body
    }

    package var exchange: Int? {
        guard case .exchange(let id) = origin else { return nil }
        return id
    }
}

/// Another place where a discovery document was found when it was not at the configured issuer.
package struct IssuerSuggestion: Sendable, Hashable, Codable {
    /// The address that answered.
    package var address: String
    /// The issuer that the document there states.
    package var issuer: String

    package init(address: String, issuer: String) {
        self.address = address
        self.issuer = issuer
    }
}

/// The result of a TLS connection to one host of the provider.
package struct HostObservation: Sendable, Hashable, Codable {
    package var host: String
    package var port: Int
    /// The metadata members that name this host: `issuer`, `jwks_uri`.
    package var members: [String]
    package var tls: Observation<TLSFacts>
    /// `Strict-Transport-Security` as first seen from this host.
    package var strictTransportSecurity: String?
    /// True when the host gave an HTTP answer in which the field could have stood.
    package var hasAnswered: Bool

    package init(
        host: String,
        port: Int,
        members: [String],
        tls: Observation<TLSFacts>,
        strictTransportSecurity: String? = nil,
        hasAnswered: Bool = true
    ) {
        self.host = host
        self.port = port
        self.members = members
        self.tls = tls
        self.strictTransportSecurity = strictTransportSecurity
        self.hasAnswered = hasAnswered
    }
}

/// A TLS handshake, whether it was completed or rejected.
package struct TLSFacts: Sendable, Hashable, Codable {
    /// `TLSv1.3`; `nil` when the handshake ended before.
    package var version: String?
    /// The certificates as the server sent them, its own first.
    package var chain: [CertificateFacts]
    package var verification: Verification
    /// True when trust came from the file given with `--ca-file` and not from the system.
    package var usedPrivateAuthority: Bool

    package init(
        version: String?,
        chain: [CertificateFacts],
        verification: Verification,
        usedPrivateAuthority: Bool = false
    ) {
        self.version = version
        self.chain = chain
        self.verification = verification
        self.usedPrivateAuthority = usedPrivateAuthority
    }

    package enum Verification: Sendable, Hashable, Codable {
        case verified
        case refused(reason: Refusal, detail: String)
    }

    package enum Refusal: String, Sendable, Codable {
        case untrusted
        case intermediateMissing
        case expired
        case notYetValid
        case hostNameMismatch
        /// The server offers nothing newer than TLS 1.1.
        case protocolTooOld
        case other
    }
}

/// A certificate as sent, reduced to what checks read.
package struct CertificateFacts: Sendable, Hashable, Codable {
    package var subject: String
    package var issuer: String
    /// DNS names and addresses of the subject alternative name.
    package var names: [String]
    /// Seconds since 1970.
    package var notBefore: Double
    /// Seconds since 1970.
    package var notAfter: Double
    /// Lower-case hexadecimal.
    package var sha256: String
    package var isSelfSigned: Bool

    package init(
        subject: String,
        issuer: String,
        names: [String],
        notBefore: Double,
        notAfter: Double,
        sha256: String,
        isSelfSigned: Bool
    ) {
        self.subject = subject
        self.issuer = issuer
        self.names = names
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.sha256 = sha256
        self.isSelfSigned = isSelfSigned
    }
}
