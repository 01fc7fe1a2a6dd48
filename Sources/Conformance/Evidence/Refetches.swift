/// The documents as the provider serves them to other user agents, at other addresses, and to scripts of another origin.
package struct Refetches: Sendable, Hashable, Codable {
    package var agents: [AgentAnswer] = []
    package var addresses: [AddressAnswer] = []
    /// Hosts whose addresses could not be asked one by one, and why.
    package var unaskedHosts: [UncheckedHost] = []
    package var scripts: [ScriptAnswer] = []
    /// The origin that a script of the client would have (RFC 6454), or why there is none.
    package var origin: Observation<String> = .notAttempted("no chosen check sends requests as a script")

    package init() {}
}

/// A public document of a provider.
package enum PublicDocument: String, Sendable, Codable, Comparable {
    case discovery
    case keys

    /// How a sentence names it.
    package var name: String {
        switch self {
        case .discovery: "the discovery document"
        case .keys: "the key set"
        }
    }

    /// The requests of ``AgentAnswer/Agent``, as plans state them.
    package var variations: String {
        ", once without User-Agent, once with a browser's"
            + (self == .discovery ? ", once with another host in X-Forwarded-Host and similar fields" : "")
    }

    package static func < (left: PublicDocument, right: PublicDocument) -> Bool { left.rawValue < right.rawValue }
}

/// A document as it was given to another user agent.
package struct AgentAnswer: Sendable, Hashable, Codable {
    package enum Agent: String, Sendable, Codable, CaseIterable {
        /// No `User-Agent` field.
        case none
        /// The field of a common browser.
        case browser
        /// The request is a HEAD (RFC 9110 section 9.3.2).
        case head
        /// A proxy that names another host in each of ``AgentAnswer/forwardedHosts``.
        case forwarded

        /// Those that request a document.
        package static func all(of document: PublicDocument) -> [Agent] {
            // Only the discovery document names the provider's addresses.
            document == .discovery ? allCases : [.none, .browser, .head]
        }

        /// Whether it must receive the same document.
        var isAlike: Bool { self == .none || self == .browser }

        /// How a sentence names it.
        package var name: String {
            switch self {
            case .none: "a client without a User-Agent"
            case .browser: "a browser"
            case .head: "a client that sends HEAD"
            case .forwarded: "a proxy with another host"
            }
        }
    }

    /// The fields in which proxies name the host of a request, each with a host of its own.
    ///
    /// `Forwarded` is of RFC 7239 section 5.3. The hosts are reserved and cannot belong to anyone (RFC 2606 section 2).
    package static let forwardedHosts: [(field: String, host: String)] = [
        "X-Forwarded-Host", "Forwarded", "X-Forwarded-Server", "X-Original-Host", "X-Host",
    ]
    .map { ($0, $0.lowercased() + ".invalid") }

    package var document: PublicDocument
    package var agent: Agent
    package var answer: Observation<Document>

    package init(document: PublicDocument, agent: Agent, answer: Observation<Document>) {
        self.document = document
        self.agent = agent
        self.answer = answer
    }
}

/// The response of one address of a host.
package struct AddressAnswer: Sendable, Hashable, Codable {
    /// Host and port.
    var host: String
    /// The address in numbers.
    package var address: String
    /// The requested document; `nil` for the first page of a host that serves no document.
    var document: PublicDocument?
    var answer: Observation<Document>

    package init(host: String, address: String, document: PublicDocument?, answer: Observation<Document>) {
        self.host = host
        self.address = address
        self.document = document
        self.answer = answer
    }
}

package struct UncheckedHost: Sendable, Hashable, Codable {
    var host: String
    var why: String

    package init(host: String, why: String) {
        self.host = host
        self.why = why
    }
}

/// The responses to a script in a page of the client.
package struct ScriptAnswer: Sendable, Hashable, Codable {
    package enum Request: String, Sendable, Codable {
        /// The discovery document, with `Origin`.
        case discovery
        /// The key set, with `Origin`.
        case keys
        /// The question that a browser asks before it sends an access token to the UserInfo endpoint.
        case userInfoPreflight
    }

    package var request: Request
    var answer: Observation<Document>

    package init(request: Request, answer: Observation<Document>) {
        self.request = request
        self.answer = answer
    }
}
