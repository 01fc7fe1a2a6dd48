/// What the collector must do before a check can be judged; a plan is the union over the chosen checks.
///
/// What one of them is, what it costs and how it is told stands in ``about``; at which tier it is had, in ``tier``.
package enum Need: Hashable, Sendable, Codable, Comparable {
    /// The discovery document.
    case discovery
    /// The discovery document, even where the platform does without it.
    case publication
    /// The key set.
    case keys
    /// The OAuth 2.0 authorization server metadata beside the discovery document (RFC 8414 section 3).
    case serverMetadata
    /// Both documents a second time, at the end of the run.
    case again
    /// A TLS connection to the host of every endpoint.
    case hosts
    /// A document as a client without a name and a browser are given it.
    case agents(PublicDocument)
    /// The documents from every address of their hosts.
    case addresses
    /// What a script in a page of the client is given; token and UserInfo requests carry `Origin` then.
    case scripts
    /// Every configured flow, with sign-in.
    case flows
    /// One named conversation beside the flows.
    case probe(ScenarioID)
    /// A sign-in by OAuth 1.0, or a part of it.
    case oauth1(OAuth1Part)

    /// What is known of a need before anything is sent.
    package struct About: Sendable {
        /// What is sent, in words: `GET of the key set`.
        package let sentence: String
        /// Its line in a plan, method first; `nil` where a line of its own, or another one's, tells it.
        package var planLine: String?
        /// Requests, sign-ins and experiments, where these do not depend on the rest of the plan.
        package var cost = Estimate()
    }

    /// The lowest tier at which this is collected.
    package var tier: Tier {
        switch self {
        case .discovery, .publication, .keys, .serverMetadata, .again, .hosts, .agents, .addresses, .scripts: .static
        case .flows: .full
        case .probe(let id): id.tier
        case .oauth1(let part): part.tier
        }
    }

    /// Whether a document is asked for again, to compare the answers.
    package var isComparison: Bool {
        switch self {
        case .again, .agents, .addresses, .scripts: true
        case .discovery, .publication, .keys, .serverMetadata, .hosts, .flows, .probe, .oauth1: false
        }
    }

    package var about: About {
        switch self {
        case .discovery:
            About(
                sentence: "GET of the discovery document",
                planLine: "GET   the discovery document",
                cost: Estimate(requests: 1)
            )
        case .publication:
            About(
                sentence: "GET of the discovery document, though the flows do without it",
                planLine: "GET   the discovery document, for the checks that speak of it",
                cost: Estimate(requests: 1)
            )
        case .keys:
            About(
                sentence: "GET of the key set",
                planLine: "GET   the key set",
                cost: Estimate(requests: 1)
            )
        case .serverMetadata:
            About(
                sentence: "GET of the authorization server metadata",
                planLine: "GET   the authorization server metadata (RFC 8414), which some clients read first",
                cost: Estimate(requests: 1)
            )
        case .again: About(sentence: "both documents a second time")
        case .agents(let document):
            About(
                sentence: "GET of \(document.name) as a client without a name and as a browser",
                cost: Estimate(requests: AgentAnswer.Agent.allCases.count)
            )
        case .scripts:
            About(
                sentence: "GET of both documents with Origin, and a CORS preflight at the UserInfo endpoint",
                planLine: "GET   both as a script of the client, and its preflight at the UserInfo endpoint"
            )
        case .addresses:
            About(
                sentence: "GET of the documents from every address of their hosts, where there are several",
                planLine: "GET   both from every further address of their hosts, at most eight each"
            )
        case .hosts:
            About(
                sentence: "a TLS connection to every host",
                planLine: "TLS   one connection to every other host of the metadata"
            )
        case .flows: About(sentence: "every configured flow with a sign-in")
        case .probe(let id):
            About(sentence: Self.titles[id] ?? "the scenario \(id)")
        case .oauth1(.temporaryCredentials):
            About(
                sentence: "requests for temporary credentials of OAuth 1.0, right and wrong ones",
                planLine: "POST  for temporary credentials of OAuth 1.0, once right and three times wrong",
                cost: Estimate(requests: 4, probes: 3)
            )
        case .oauth1(.signIns):
            // Three wrong token requests after three ways to the callback in two browsers, and four calls.
            About(
                sentence: "two sign-ins by OAuth 1.0, and wrong token requests after them",
                planLine: "GET+  sign-in by OAuth 1.0, three ways in two browsers, and API calls after it",
                cost: Estimate(requests: 3 * 2 + 2 * Plan.signInPages + 6, signIns: 2, probes: 3)
            )
        }
    }

    private static let titles = Dictionary(Scenario.catalogue.map { ($0.id, $0.title) }) { first, _ in first }
}
