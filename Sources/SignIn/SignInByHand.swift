package import Transport

/// An authorization request that a person takes to a browser of their own.
package struct HandedRequest: Sendable {
    /// The address of the request.
    package var url: String
    package var redirectURI: String
    /// What the response has to carry; `nil` for a request without a `state`.
    package var state: String?

    package init(url: String, redirectURI: String, state: String? = nil) {
        self.url = url
        self.redirectURI = redirectURI
        self.state = state
    }

    /// The response mode that the request names, if it names one (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1).
    package var responseMode: String? { WebURL(url)?.queryParameters["response_mode"] }
}

/// What came of a request that a person took along.
package enum HandedBack: Sendable {
    /// The response: its address byte for byte, and the form where it came by POST.
    case arrived(at: String, formPost: ResponseForm?)
    case stopped(HandStop)
}

/// Why nobody came back from a sign-in by hand.
package enum HandStop: Sendable, Hashable {
    /// The time was over.
    ///
    /// - Parameter others: How many responses came that belong to another request.
    case late(seconds: Double, others: Int)
    /// The redirect URI is not on loopback, and nobody is there who could paste what the browser shows.
    case nobodyToAsk(redirectURI: String)
    /// The response is a form, whose parameters no address shows.
    case formElsewhere(redirectURI: String, because: String?)
    /// The request is no address: it is a POST.
    case noAddress
    /// Nobody came back from an earlier sign-in.
    case over
    case interrupted

    /// Whether nothing was asked of anybody, so that nothing was learnt of the provider.
    var isNotAsked: Bool {
        switch self {
        case .noAddress, .over: true
        case .late, .nobodyToAsk, .formElsewhere, .interrupted: false
        }
    }

    package var whatHappened: String {
        switch self {
        case .late(let seconds, let others):
            "nobody came back from the sign-in by hand within \(Self.words(seconds))"
                + (others == 0
                    ? ""
                    : "; \(others == 1 ? "an answer" : "\(others) answers") came whose state is not that of the request")
        case .nobodyToAsk(let redirectURI):
            "the redirect URI \(redirectURI.bounded(200)) is not on this machine, and standard input has ended where its address "
                + "was to be pasted"
        case .formElsewhere(let redirectURI, let reason):
            "the response is a form that the browser posts to \(redirectURI.bounded(200)), which is not listened at here"
                + (reason.map { " (\($0))" } ?? "") + ": no address shows it, so that it cannot be pasted"
        case .noAddress: "the request is a POST, which a person cannot open by its address"
        case .over: "nobody came back from an earlier sign-in by hand, and no other was asked for"
        case .interrupted: "the run was interrupted while somebody signed in by hand"
        }
    }

    package var nextStep: String {
        switch self {
        case .late(_, let others):
            others == 0
                ? "Open the address that is shown, sign in, and paste the address that the browser ends at where you are asked for it; "
                    + "sign_in.manual_timeout gives more time."
                : "Open the address that is shown last; where its answer has another state all the same, the provider does not send state "
                    + "back, which --driver form judges."
        case .nobodyToAsk:
            "Run it at a terminal, or register a redirect URI on loopback for the test client, as in http://127.0.0.1:8400/callback."
        case .formElsewhere:
            "Register a redirect URI on loopback for the test client, as in http://127.0.0.1:8400/callback, or sign in by --driver form or "
                + "browser."
        case .noAddress: "Sign in by --driver form or browser."
        case .over: "See why nobody came back."
        case .interrupted: "Run it again."
        }
    }

    private static func words(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        return whole >= 120 && whole % 60 == 0 ? "\(whole / 60) minutes" : whole == 1 ? "1 second" : "\(whole) seconds"
    }
}

extension SignInSession {
    /// Hands a request to a person, and takes what they bring back.
    func byHand(
        _ request: HTTPRequest,
        state: String?,
        _ person: @Sendable (HandedRequest) async -> HandedBack
    ) async -> (SignInOutcome, [Visit]) {
        guard request.method == "GET", let url = WebURL(request.url) else {
            return (.stopped(.byHand(.noAddress), page: nil), [])
        }
        let handed = HandedRequest(
            url: request.url,
            redirectURI: redirectURI,
            state: state ?? url.queryParameters["state"]
        )
        // Neither answer nor failure: what the browser was shown, nobody here has seen.
        let exchange = HTTPExchange(request: request, startedAt: WallClock.now)
        let back = await person(handed)
        var visit = Visit(
            cause: .byHand,
            exchange: redaction.redacting(exchange, secretFields: []),
            filled: [],
            pressed: nil,
            isSignIn: false,
            wroteCredentials: false,
            cookieValues: [],
            code: nil
        )
        if case .stopped(.formElsewhere) = back { visit.cause = .kept }
        switch back {
        case .arrived(let address, let form): return (.arrived(at: address, formPost: form), [visit])
        case .stopped(let stop):
            if stop.isNotAsked { return (.stopped(.byHand(stop), page: nil), []) }
            let page = PageSummary(address: url, status: 0, page: HTMLPage())
            return (.stopped(.byHand(stop), page: page), [visit])
        }
    }
}
