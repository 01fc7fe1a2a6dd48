import Transport

/// An authorization request that a user opens in their own browser.
package struct ManualRequest: Sendable {
    /// The address of the request.
    package var url: String
    package var redirectURI: String
    /// The `state` that the response must contain; `nil` for a request without one.
    package var state: String?

    /// The response mode that the request names, if it names one (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1).
    package var responseMode: String? { WebURL(url)?.queryParameters["response_mode"] }
}

/// The outcome of a request that a user opened manually.
package enum ManualResponse: Sendable {
    /// The response: its address byte for byte, and the form where it came by POST.
    case arrived(at: String, formPost: ResponseForm?)
    case stopped(ManualStopReason)
}

/// The reason why a manual sign-in was not completed.
package enum ManualStopReason: Sendable, Hashable {
    /// The time limit was reached.
    ///
    /// - Parameter others: The number of responses that belong to another request.
    case late(seconds: Double, others: Int)
    /// The redirect URI is not on loopback, and there is no terminal to paste the response at.
    case noTerminal(redirectURI: String)
    /// The response is a form, whose parameters no address contains.
    case formElsewhere(redirectURI: String, because: String?)
    /// The request cannot be opened as an address: it is a POST.
    case noAddress
    /// An earlier sign-in by hand was not completed.
    case over
    case interrupted

    /// Whether no user was prompted, so that the run learned nothing about the provider.
    var isNotAsked: Bool {
        switch self {
        case .noAddress, .over: true
        case .late, .noTerminal, .formElsewhere, .interrupted: false
        }
    }

    var whatHappened: String {
        switch self {
        case .late(let seconds, let others):
            "no response to the sign-in by hand arrived within \(Self.words(seconds))"
                + (others == 0
                    ? ""
                    : "; \(others == 1 ? "a response" : "\(others) responses") arrived with the state of another request")
        case .noTerminal(let redirectURI):
            "the redirect URI \(redirectURI.bounded(200)) is not on this machine, and standard input ended before its "
                + "address was pasted"
        case .formElsewhere(let redirectURI, let reason):
            "the response is a form that the browser posts to \(redirectURI.bounded(200)), where this program does not listen"
                + (reason.map { " (\($0))" } ?? "") + ": a form response cannot be pasted"
        case .noAddress: "the request is a POST, which a user cannot open as an address"
        case .over: "an earlier sign-in by hand was not completed, so no other was started"
        case .interrupted: "the run was interrupted during the sign-in by hand"
        }
    }

    var nextStep: String {
        switch self {
        case .late(_, let others):
            others == 0
                ? "Open the address that is shown and sign in. Paste the browser's final address at the prompt. "
                    + "Raise sign_in.manual_timeout for more time."
                : "Open the address that is shown last. If the state still differs, the provider does not return state, "
                    + "which --driver form checks."
        case .noTerminal:
            "Run it at a terminal, or register a redirect URI on loopback for the test client, as in http://127.0.0.1:8400/callback."
        case .formElsewhere:
            "Register a redirect URI on loopback for the test client, as in http://127.0.0.1:8400/callback, or sign in with --driver form or "
                + "browser."
        case .noAddress: "Sign in with --driver form or browser."
        case .over: "Fix the first failed sign-in above."
        case .interrupted: "Run it again."
        }
    }

    private static func words(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        return whole >= 120 && whole % 60 == 0 ? "\(whole / 60) minutes" : whole == 1 ? "1 second" : "\(whole) seconds"
    }
}

extension SignInSession {
    /// Passes a request to a user, and reads the response that the user returns.
    func byHand(
        _ request: HTTPRequest,
        state: String?,
        _ user: @Sendable (ManualRequest) async -> ManualResponse
    ) async -> (SignInOutcome, [Visit]) {
        guard request.method == "GET", let url = WebURL(request.url) else {
            return (.stopped(.byHand(.noAddress), page: nil), [])
        }
        let handed = ManualRequest(
            url: request.url,
            redirectURI: redirectURI,
            state: state ?? url.queryParameters["state"]
        )
        // Neither a response nor a failure: the run does not see what the browser showed.
        let exchange = HTTPExchange(request: request, startedAt: WallClock.now)
        let back = await user(handed)
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
