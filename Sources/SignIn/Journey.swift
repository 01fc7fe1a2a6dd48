import Transport

/// The next request of a sign-in, and its cause.
struct Hop: Sendable {
    var request: HTTPRequest
    var cause: Visit.Cause
    /// The page or redirect that it comes from.
    var origin: WebURL?
    var filled: [String] = []
    var pressed: String?
    var secretFields: Set<String> = []
    var carriesPassword = false
    /// Whether the value of a variable is in it, which is a secret as the password is.
    var carriesSecret = false
    /// Whether the user's name or the password was written to make the request.
    var writesCredentials = false
    /// Makes the request when the one-time code in it is known; `nil` for a request that is complete.
    var completion: Completion?
    /// Whether a one-time code is in it, or in the form that a redirect repeats.
    var carriesCode = false
    /// The form that the request is made of; `nil` for a request that is no form's.
    var filling: FormFilling?
    /// The page whose form is sent.
    var page: PageSummary?
    /// The policies of that page, also behind the redirects that follow the form.
    var pageGuard: PageGuard?
    /// Whether a page of the client has led here, or redirects since then.
    var isFromClient = false
    /// The request as it may be recorded, where it is not a form's.
    var recorded: HTTPRequest?
    /// The step that the request is part of, with what is left of it.
    var stepRequest: StepRequest?

    /// A request with a code, as it is sent and as it may be recorded; `nil` if there is no request.
    typealias Completion = @Sendable (Credential) -> (sent: HTTPRequest, recorded: HTTPRequest?)?

    /// Whether the password is used here for the first time: a redirect that repeats the request is no new sign-in.
    var isSignIn: Bool { carriesPassword && cause != .redirect }

    init(request: HTTPRequest, cause: Visit.Cause) {
        self.request = request
        self.cause = cause
        isFromClient = cause == .opened
    }
}

/// State kept between the hops of one authorization request.
struct Journey: Sendable {
    var next: Hop
    /// The request that all began with.
    let opening: HTTPRequest
    /// Whether a browser goes the way, which keeps the rules of browsers itself.
    var isInBrowser = false
    /// The `state` that the response is to carry; `nil` where the request has none.
    let state: String?
    var visits: [Visit] = []
    /// Hosts and ports that the authorization endpoint led to.
    var hosts: Set<String> = []
    var pages = 0
    var redirectsInARow = 0
    /// Whether a form or request with the user's password has been sent.
    var sentPassword = false
    /// Whether no other password of this user may be sent until the provider has responded to this one.
    var hasTurn = false
    /// The one-time code that was sent on this way; no second one is.
    var code: Credential?
    /// Whether the last form or request that was sent had the code in it.
    var lastSentCode = false
    /// By how many seconds the provider's clock was ahead in its last answer; `nil` where it had no date.
    var clockDifference: Double?
    /// Whether it was allowed to send the user's name or password, so that its end is that of a sign-in.
    var isAttempt = false
    /// Whether a form was filled or confirmed that a user would have sent by hand.
    var sentForm = false
    /// Whether requests were sent in the place of a page's script.
    var sentRequests = false
    /// The alerts of the pages whose forms were sent.
    var alertsBefore: Set<String> = []
    /// The text of the last page.
    private var textBefore = ""
    /// The screenshot of the next page.
    var screenshot: [UInt8]?
    private var fillings: [String: Int] = [:]
    private var stepsTaken: Set<Int> = []

    /// - Parameters:
    ///   - next: The first hop.
    ///   - hosts: Those that count as led to from the start.
    ///   - state: That of the request, where it does not say it itself.
    init(next: Hop, hosts: [String] = [], state: String? = nil) {
        self.next = next
        opening = next.request
        let own = WebURL(next.request.url)?.queryParameters["state"]
        let body = FormParameters(parsing: String(decoding: next.request.body ?? [], as: UTF8.self))
        // A short one is met by chance.
        self.state = (state ?? own ?? body["state"]).flatMap { $0.utf8.count >= 4 ? $0 : nil }
        self.hosts = Set(hosts)
        if let start = WebURL(next.request.url) { self.hosts.insert(start.hostAndPort) }
    }

    /// Whether parameters are the response to this way's request: its `state`, with what only a response has.
    func isResponse(_ parameters: [FormParameter]) -> Bool {
        guard let state, parameters.contains(where: { $0.name == "state" && $0.value == state }) else { return false }
        return parameters.contains { Self.artefacts.contains($0.name) && !$0.value.isEmpty }
    }

    /// RFC 6749 sections 4.1.2, 4.1.2.1 and 4.2.2, Core section 3.2.2.5, JARM section 2.
    static let artefacts = ["code", "access_token", "id_token", "error", "response"]

    /// The scopes of the authorization request, as far as it states them itself; a pushed one does not.
    var requestedScopes: [String] {
        requested("scope").flatMap { $0.split(separator: " ").map(String.init) }
    }

    /// The values of a parameter of the authorization request, as far as it states them itself.
    func requested(_ name: String) -> [String] {
        let query = WebURL(opening.url)?.queryParameters.items ?? []
        let body = FormParameters(parsing: String(decoding: opening.body ?? [], as: UTF8.self)).items
        return (query + body).filter { $0.name == name }.map(\.value)
    }

    /// Notes a visit, already redacted.
    ///
    /// - Parameter isLedTo: False for a request of a page's script, whose host the provider did not lead to.
    mutating func record(_ exchange: HTTPExchange, of hop: Hop, cookieValues: [String], isLedTo: Bool = true) {
        visits.append(
            Visit(
                cause: hop.cause,
                exchange: exchange,
                filled: hop.filled,
                pressed: hop.pressed,
                isSignIn: hop.isSignIn,
                wroteCredentials: hop.writesCredentials,
                cookieValues: cookieValues,
                code: hop.carriesCode ? code?.revealed : nil
            )
        )
        // A form without the password may lead to another host, which then counts as led to.
        guard isLedTo else { return }
        if !hop.carriesPassword, !hop.carriesCode, !hop.carriesSecret, let url = WebURL(hop.request.url) {
            hosts.insert(url.hostAndPort)
        }
    }

    /// The end of the attempt: a password without a response may have been counted, so it is not tried once more.
    func endOfAttempt(_ outcome: SignInOutcome) -> SignInAttempts.End {
        guard case .failed(let failure) = outcome, failure.leavesEffectOpen,
            next.carriesPassword || visits.last?.isSignIn == true
        else { return outcome.endOfAttempt }
        return .unanswered("\(failure)")
    }

    /// Takes note of what browsers do with the cookies of the last exchange.
    mutating func note(refused: [RefusedCookie], withheld: [String]) {
        guard let last = visits.indices.last else { return }
        visits[last].refusedCookies = refused
        visits[last].withheldCookies = withheld
    }

    /// Takes note of a form that a browser keeps from its destination.
    mutating func note(_ blocked: BlockedForm?) {
        guard let blocked, !isInBrowser, let last = visits.indices.last else { return }
        visits[last].blockedForm = visits[last].blockedForm ?? blocked
    }

    /// Takes note of the page that the last exchange led to.
    mutating func see(_ page: HTMLPage, at address: WebURL, status: Int) {
        guard let last = visits.indices.last else { return }
        visits[last].page = SeenPage(page, address: address, status: status, after: textBefore)
        textBefore = page.shownText
        visits[last].page?.screenshot = screenshot
        screenshot = nil
    }

    /// Counts a form; false when it comes back: once filled in it must not, a mere button may be pressed three times.
    mutating func mayFill(_ signature: String, isFilled: Bool) -> Bool {
        fillings[signature, default: 0] += 1
        return fillings[signature, default: 0] <= (isFilled ? 1 : 3)
    }

    /// Whether the same form was filled before.
    func hasFilled(_ signature: String) -> Bool { fillings[signature] != nil }

    /// Records a step with requests; false if it is recorded already.
    mutating func takesStep(_ place: Int) -> Bool { stepsTaken.insert(place).inserted }
}
