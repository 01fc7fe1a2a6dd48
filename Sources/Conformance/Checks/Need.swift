/// The data that the collector must gather before a check can run; a plan is the union over the chosen checks.
///
/// The description and cost of each need are in ``about``; its tier is in ``tier``.
package enum Need: Hashable, Sendable, Codable, Comparable {
    /// The discovery document.
    case discovery
    /// The discovery document, even if the platform does not need it.
    case publication
    /// The key set.
    case keys
    /// The OAuth 2.0 authorization server metadata in addition to the discovery document (RFC 8414 section 3).
    case serverMetadata
    /// The protected resource that the configuration names, without a token, and its metadata (RFC 9728 section 3).
    case protectedResource
    /// The issuer of the configured user's address by WebFinger (RFC 7033).
    case webFinger
    /// Both documents a second time, at the end of the run.
    case again
    /// A TLS connection to the host of every endpoint.
    case hosts
    /// A document as a client without a name and a browser are given it.
    case agents(PublicDocument)
    /// The documents from every address of their hosts.
    case addresses
    /// The responses to a script in a page of the client; token and UserInfo requests have `Origin` then.
    case scripts
    /// Every configured flow, with sign-in.
    case flows
    /// One named scenario in addition to the flows.
    case probe(ScenarioID)
    /// A sign-in by OAuth 1.0, or a part of it.
    case oauth1(OAuth1Part)

    /// The facts about a need before anything is sent.
    package struct Context: Sendable {
        /// The requests, in words: `GET of the key set`.
        package let sentence: String
        /// Its line in a plan, method first; `nil` if another line covers it.
        package var planLine: String?
        /// Requests, sign-ins and experiments, where these do not depend on the rest of the plan.
        var cost = Estimate()
    }

    /// The lowest tier at which this is collected.
    package var tier: Tier {
        switch self {
        case .discovery, .publication, .keys, .serverMetadata, .protectedResource, .webFinger, .again, .hosts, .agents,
            .addresses, .scripts:
            .static
        case .flows: .full
        case .probe(let id): id.tier
        case .oauth1(let part): part.tier
        }
    }

    /// Whether it takes requests beyond the discovery document and the key set, to compare the responses.
    var isComparison: Bool {
        switch self {
        case .again, .agents, .addresses, .scripts, .serverMetadata, .protectedResource, .webFinger: true
        case .discovery, .publication, .keys, .hosts, .flows, .probe, .oauth1: false
        }
    }

    package var context: Context {
        switch self {
        case .discovery:
            Context(
                sentence: "GET of the discovery document",
                planLine: "GET   the discovery document",
                cost: Estimate(requests: 1)
            )
        case .publication:
            Context(
                sentence: "GET of the discovery document, although the flows do not need it",
                planLine: "GET   the discovery document, for the checks that read it",
                cost: Estimate(requests: 1)
            )
        case .keys:
            Context(
                sentence: "GET of the key set",
                planLine: "GET   the key set",
                cost: Estimate(requests: 1)
            )
        case .serverMetadata:
            Context(
                sentence: "GET of the authorization server metadata",
                planLine: "GET   the authorization server metadata (RFC 8414), which some clients read first",
                cost: Estimate(requests: 1)
            )
        case .protectedResource:
            Context(
                sentence: "POST to the protected resource without a token, and GET of its metadata",
                planLine: "POST  to the protected resource without a token, and GET of its metadata (RFC 9728)",
                cost: Estimate(requests: 2)
            )
        case .webFinger:
            Context(
                sentence: "GET of the issuer of the user's address by WebFinger",
                planLine: "GET   the issuer of the address in webfinger, at the address's domain (RFC 7033)",
                cost: Estimate(requests: 1)
            )
        case .again: Context(sentence: "both documents a second time")
        case .agents(let document):
            Context(
                sentence: "GET of \(document.name)\(document.variations), and HEAD",
                cost: Estimate(requests: AgentAnswer.Agent.all(of: document).count)
            )
        case .scripts:
            Context(
                sentence: "GET of both documents with Origin, and a CORS preflight request to the UserInfo endpoint",
                planLine: "GET   both as a script of the client, and its preflight request to the UserInfo endpoint"
            )
        case .addresses:
            Context(
                sentence: "GET of the documents from every address of hosts with several addresses",
                planLine: "GET   both from every further address of their hosts, up to eight each"
            )
        case .hosts:
            Context(
                sentence: "a TLS connection to every host",
                planLine: "TLS   one connection to every other host of the metadata"
            )
        case .flows: Context(sentence: "every configured flow with a sign-in")
        case .probe(let id):
            Context(sentence: Self.titles[id] ?? "the scenario \(id)")
        case .oauth1(.temporaryCredentials):
            Context(
                sentence: "requests for temporary credentials of OAuth 1.0, valid and invalid ones",
                planLine: "POST  for temporary credentials of OAuth 1.0, one valid and three invalid ones",
                cost: Estimate(requests: 4, probes: 3)
            )
        case .oauth1(.signIns):
            // Three wrong token requests after three ways to the callback in two browsers, and four calls.
            Context(
                sentence: "two sign-ins by OAuth 1.0, and invalid token requests after them",
                planLine: "GET+  sign-in by OAuth 1.0, three ways in two browsers, and API calls after it",
                cost: Estimate(requests: 3 * 2 + 2 * Plan.signInPages + 6, signIns: 2, probes: 3)
            )
        }
    }

    private static let titles = Dictionary(Scenario.catalogue.map { ($0.id, $0.title) }) { first, _ in first }
}
