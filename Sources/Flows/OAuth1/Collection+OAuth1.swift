import Conformance
import Transport

/// The endpoints of a provider: from the configuration and from the platform's profile.
struct OAuth1Addresses: Sendable {
    let known: [KnownAddress]

    subscript(endpoint: OAuth1Endpoint) -> Observation<WebURL> {
        guard let text = known.first(where: { $0.member == endpoint.rawValue })?.address else {
            return .absent("neither configuration (endpoints) nor profile names the \(endpoint.rawValue)")
        }
        guard let url = WebURL(text) else {
            return .absent("the \(endpoint.rawValue) \(text.quoted) is not an http or https URL")
        }
        return .observed(url)
    }
}

extension Collection {
    /// Whether the run requests more from the provider than a sign-in by OAuth 1.0.
    var requestsMore: Bool { !plan.needs.allSatisfy(\.isOAuth1) || !plan.scenarios.isEmpty }

    /// The sign-in by OAuth 1.0; `nil` when no chosen check reads it.
    func oauth1() async -> OAuth1Run? {
        guard plan.needs.contains(where: \.isOAuth1) else { return nil }
        guard let client = plan.target.client, let secret = secrets.clientSecrets[client.id] else {
            return OAuth1Run(because: "no client with a secret in the configuration")
        }
        guard let redirectURI = plan.target.redirectURI else {
            return OAuth1Run(because: "no redirect_uri in the configuration")
        }
        progress(.began(step: "sign-in by OAuth 1.0"))
        let exchange = OAuth1Exchange(
            collection: self,
            client: client,
            secret: secret,
            redirectURI: redirectURI,
            addresses: OAuth1Addresses(known: plan.knownAddresses)
        )
        var run = OAuth1Run(because: "no chosen check reads it")
        await exchange.perform(&run)
        progress(.ended(step: "sign-in by OAuth 1.0", outcome: run.outcome))
        return run
    }
}

extension OAuth1Run {
    /// For observers of the run.
    fileprivate var outcome: String {
        switch first.token {
        case .observed(let answer): answer["oauth_token"] == nil ? "rejected" : "signed in"
        case .absent(let why): why.text
        case .notAttempted: temporary.value?["oauth_token"] == nil ? "rejected" : "temporary credentials issued"
        }
    }
}

extension Need {
    var isOAuth1: Bool {
        if case .oauth1 = self { true } else { false }
    }
}
