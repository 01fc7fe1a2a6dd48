package import Transport

/// A user's browser without JavaScript: it follows redirects, fills forms, and stops at the redirect URI.
///
/// Cookies persist between calls, so a second authorization request uses the same session at the provider. It never throws:
/// every end is an outcome, and the visits show the way to it.
package actor SignInSession {
    /// The most pages with forms, and the most redirects in a row.
    static let pageLimit = 20
    static let redirectLimit = 20
    /// A `Refresh` that waits longer is for a page that runs out, not for going on.
    static let longestRefresh = 5.0

    let client: HTTPClient
    /// The redirect URI, and the others at which the way ends as well.
    private(set) var endings: [RedirectTarget]
    private(set) var redirectURI: String
    let recognition: FormRecognition?
    private(set) var purpose = Purpose.signIn

    /// The purpose of the visit.
    package enum Purpose: Sendable, Hashable {
        /// To sign in and consent.
        case signIn
        /// The same though the user is signed in, because the request demands it.
        case signInAgain
        /// To consent, and send no password: a sign-in page is where the way ends.
        case consent
        /// To say yes when asked whether to log out.
        case signOut
        /// No user: the sign-in ends at the first page.
        case look

        /// Whether the user is there to sign in.
        var signsIn: Bool { self == .signIn || self == .signInAgain }
    }
    private(set) var redaction: Redaction
    let attempts: SignInAttempts?
    /// When the user signed in to this browser with the password for the last time, by the run's clock (``RunClock/uptime``).
    package private(set) var signedInAt: Double?
    var jar = CookieJar()
    /// The User-Agent of the browser that shows pages, once there is one.
    var agent: String?

    /// Makes a session with an empty cookie jar.
    ///
    /// Without instructions there is no sign-in: redirects are followed to the first page, and no form is sent. A client may
    /// have more redirect URIs than the requested one; those in `otherRedirectURIs` are not fetched either.
    /// Fields named in `neverRecorded` are masked in the visits, as is every field that contains the password.
    package init(
        client: HTTPClient,
        instructions: SignInInstructions?,
        redirectURI: String,
        otherRedirectURIs: [String] = [],
        neverRecorded: Set<String> = []
    ) {
        self.client = client
        self.redirectURI = redirectURI
        endings = ([redirectURI] + otherRedirectURIs).map(RedirectTarget.init)
        attempts = instructions?.attempts
        recognition = instructions.map { FormRecognition(instructions: $0) }
        redaction = Redaction(password: instructions?.password ?? Credential(""), neverRecorded: neverRecorded)
        if let session = instructions?.session { jar = CookieJar(session) }
    }

    /// Forgets all cookies: the next request meets a provider that has never seen this user.
    package func forgetCookies() {
        jar = CookieJar()
    }

    /// The cookies that are in the browser now.
    ///
    /// - Parameter now: Seconds since 1970.
    package func session(at issuer: String, now: Double) -> SavedSession {
        SavedSession(issuer: issuer, savedAt: now, cookies: jar.cookies)
    }

    /// Goes from a URL, most often an authorization request, to the redirect URI.
    package func open(_ url: String) async -> (SignInOutcome, [Visit]) {
        await open(HTTPRequest(url: url))
    }

    /// Goes from a request to a redirect URI of its own, in the same browser; one way at a time.
    ///
    /// - Parameters:
    ///   - request: Most often an authorization request.
    ///   - redirectURI: Where the way ends.
    ///   - others: Further addresses at which it ends and which are not fetched.
    ///   - purpose: Which forms are filled or confirmed.
    ///   - state: The `state` of the request, if its address does not contain it: it was pushed, or is in a JWT.
    package func open(
        _ request: HTTPRequest,
        redirectURI: String,
        others: [String],
        purpose: Purpose,
        state: String? = nil
    ) async -> (SignInOutcome, [Visit]) {
        self.redirectURI = redirectURI
        self.purpose = purpose
        endings = ([redirectURI] + others).map(RedirectTarget.init)
        return await open(request, state: state)
    }

    /// Goes from a request, which may be a POST, to the redirect URI.
    package func open(_ request: HTTPRequest, state: String? = nil) async -> (SignInOutcome, [Visit]) {
        if purpose.signsIn, let user = recognition?.instructions.driving?.user {
            if let failure = WebURL(request.url).flatMap(client.configuration.refusal) { return (.failed(failure), []) }
            return await byHand(request, state: state, user)
        }
        let hosts = recognition?.instructions.hosts ?? []
        var journey = Journey(next: Hop(request: request, cause: .opened), hosts: hosts, state: state)
        let outcome = await reported(await travel(&journey), journey)
        if journey.isAttempt { await attempts?.ended(journey.endOfAttempt(outcome)) }
        // After an earlier sign-in, the provider may count a new one that does not end at the client.
        let hasArrived = if case .arrived = outcome { true } else { false }
        if journey.sentPassword, hasArrived || signedInAt != nil { signedInAt = client.clock.uptime() }
        if hasArrived, journey.sentForm, !journey.sentRequests { await attempts?.completedForms() }
        await endTurn(&journey)
        return (outcome, journey.visits)
    }

    /// Explains a page without a form that seems to need JavaScript by its text, if the provider's other forms did not need it.
    private func reported(_ outcome: SignInOutcome, _ journey: Journey) async -> SignInOutcome {
        // A valid session never meets a page that requests a sign-in.
        if isOfSession, case .stopped(.requests(let demand, _, _), let page) = outcome, demand != .termsOfUse {
            return .stopped(.sessionEnded, page: page)
        }
        if case .stopped(let reason, let page) = outcome, journey.sentPassword, reason.afterAcceptance != reason,
            await attempts?.hasAccepted == true
        {
            // A message that the page had before the password was sent does not refer to it.
            if purpose == .signInAgain, case .acceptedPasswordRefused(let message) = reason.afterAcceptance,
                message.map(journey.alertsBefore.contains) ?? true
            {
                return .stopped(.signInPageRepeats, page: page)
            }
            return .stopped(reason.afterAcceptance, page: page)
        }
        guard case .stopped(.noUsableForm(needsScript: true, _), let page?) = outcome, page.forms.isEmpty, page.hasWords
        else { return outcome }
        // A sign-in on this very way counts too, unless the page itself says what it needs.
        let signedIn = journey.sentPassword && !journey.sentRequests && !page.requestsScript
        let worksWithoutScript = await attempts?.worksWithoutScript ?? false
        guard signedIn || worksWithoutScript else { return outcome }
        return .stopped(.refusedByPage(title: page.title, text: page.textStart.bounded(200)), page: page)
    }

    private func travel(_ journey: inout Journey) async -> SignInOutcome {
        while true {
            var hop = journey.next
            // A redirect may repeat the request with the password.
            if !hop.carriesPassword { await endTurn(&journey) }
            if let outcome = refusal(of: hop, journey) { return outcome }
            if let outcome = await withholding(hop, &journey) { return outcome }
            if let outcome = await complete(&hop, &journey) { return outcome }
            let exchange = await client.send(prepared(hop))
            await recognition?.instructions.driving?.meet(exchange, client.configuration)
            let cookies = Redaction.cookieValues(of: exchange)
            journey.record(redaction.redacting(exchange, of: hop), of: hop, cookieValues: cookies)
            journey.clockDifference = Self.clockDifference(of: exchange)
            guard let url = WebURL(hop.request.url) else {
                return .failed(exchange.failure ?? Self.unreadable(hop.request.url))
            }
            let withheld =
                comesFromOtherSite(hop, url) ? jar.withheld(for: url, now: WallClock.now) : []
            let refused = exchange.response.map { jar.store($0, from: url, now: exchange.startedAt) } ?? []
            journey.note(refused: refused, withheld: withheld)
            // A truncated response still has a valid Location, but its page is not complete.
            if let failure = exchange.failure {
                guard let response = exchange.response, Self.redirection(of: response) != nil else {
                    return .failed(failure)
                }
            }
            guard let response = exchange.response else { return .failed(Self.unreadable(hop.request.url)) }
            if let stepRequest = hop.stepRequest {
                if let outcome = carryOn(stepRequest, after: response, from: url, hop, &journey) { return outcome }
            } else if let outcome = await take(response, from: url, hop, &journey) {
                return outcome
            }
        }
    }

    /// Writes the one-time code into a request that waits for one: once on a way, and once in its time.
    func complete(_ hop: inout Hop, _ journey: inout Journey) async -> SignInOutcome? {
        // If a form has both, the run cannot know which of them is rejected.
        if hop.cause.isByUser { journey.lastSentCode = hop.carriesCode && !hop.carriesPassword }
        guard let completion = hop.completion else { return nil }
        guard journey.code == nil else { return .stopped(.missingValue(placeholder: "{totp}"), page: hop.page) }
        guard let codes = recognition?.instructions.codes else {
            return .stopped(.requests(.oneTimeCode, cameBack: false, message: nil), page: hop.page)
        }
        guard case .code(let code) = await codes.next() else { return .stopped(.noCodeInTime, page: hop.page) }
        // Meanwhile, another sign-in may have learned that codes are rejected.
        if let reason = await attempts?.reasonToStop { return .stopped(.signInIsOver(because: reason), page: hop.page) }
        redaction.learn(code: code.revealed)
        journey.code = code
        guard let (sent, recorded) = completion(code) else {
            return .stopped(.missingValue(placeholder: "{totp}"), page: hop.page)
        }
        hop.request = sent
        hop.recorded = recorded ?? hop.recorded
        journey.next = hop
        return nil
    }

    /// A rejected code, with the clock difference if that may be the reason.
    func codeRefused(_ message: String?, _ journey: Journey) -> StopReason {
        let period = recognition?.instructions.codes?.period ?? 30
        let difference = journey.clockDifference.flatMap { abs($0) > max(2, period / 2) ? Int($0.rounded()) : nil }
        return .codeRefused(message: message, clockDifference: difference)
    }

    /// By how many seconds the server's clock is ahead; its date has whole seconds, the fraction cut off.
    private static func clockDifference(of exchange: HTTPExchange) -> Double? {
        exchange.response?.header("Date").flatMap(CookieDate.parse)
            .map { $0 + 0.5 - (exchange.startedAt + exchange.timings.total / 2) }
    }

    /// The steps that send requests; none if the run does not sign in.
    var requestSteps: [RequestStep] { purpose.signsIn ? recognition?.instructions.requestSteps ?? [] : [] }

    /// Whether a saved session replaces the password.
    var isOfSession: Bool { recognition?.instructions.session != nil }

    var username: String { recognition?.instructions.username ?? "" }

    /// Decides on the next hop, or on the outcome.
    func step(
        from url: WebURL,
        _ response: HTTPResponse,
        _ hop: Hop,
        _ journey: inout Journey
    ) -> SignInOutcome? {
        if let location = Self.redirection(of: response) {
            return follow(location, from: url, hop, status: response.status, cause: .redirect, &journey)
        }
        if let refresh = response.header("Refresh").flatMap(HTMLPage.Refresh.init),
            refresh.seconds <= Self.longestRefresh
        {
            return follow(refresh.reference, from: url, hop, status: 303, cause: .refresh, &journey)
        }
        if let stepRequest = stepRequest(on: url, response, &journey) { return perform(stepRequest, &journey) }
        let type = response.mediaType
        guard type == nil || type == "text/html" || type == "application/xhtml+xml" else {
            var page = HTMLPage()
            page.text = Self.message(in: redaction.removingPassword(response.body))
            let summary = PageSummary(address: url, status: response.status, page: page)
            journey.see(page, at: url, status: response.status)
            if response.status >= 400 { return .stopped(.errorPage(status: response.status), page: summary) }
            return .stopped(.notHTML(mediaType: type), page: summary)
        }
        return step(through: read(response), url, response, &journey)
    }

    func step(
        through page: HTMLPage,
        _ url: WebURL,
        _ response: HTTPResponse,
        _ journey: inout Journey
    ) -> SignInOutcome? {
        let base = page.baseReference.flatMap { url.resolve($0) } ?? url
        let pageGuard = PageGuard(policies: ContentSecurityPolicy.policies(of: response, page), page: url)
        if let form = responseForm(on: page, base: base, pageGuard, journey) {
            journey.note(pageGuard.block(to: form.action, isRedirected: false))
            return .arrived(at: form.action, formPost: form)
        }
        let summary = PageSummary(address: url, status: response.status, page: page)
        journey.see(page, at: url, status: response.status)
        if let refresh = page.refresh, refresh.seconds <= Self.longestRefresh {
            let hop = Hop(request: HTTPRequest(url: url.text), cause: .refresh)
            return follow(refresh.reference, from: base, hop, status: 303, cause: .refresh, &journey)
        }
        let filling = filling(for: page, at: url, isErrorPage: response.status >= 400, journey)
        guard let filling, let request = filling.request(on: url, base: base) else {
            return .stopped(deadEnd(page, url, response, journey), page: summary)
        }
        if let misfit = filling.misfit {
            return .stopped(.stepDoesNotFit(misfit, hasScript: page.hasScript), page: summary)
        }
        if let reason = refusal(of: filling, page, filling.signature(on: url, base: base), &journey) {
            return .stopped(reason, page: summary)
        }
        guard journey.pages < Self.pageLimit else {
            return .stopped(.tooManyPages(limit: Self.pageLimit), page: summary)
        }
        journey.pages += 1
        journey.redirectsInARow = 0
        var hop = Hop(request: request, cause: filling.cause)
        hop.origin = url
        hop.filled = filling.filledNames
        hop.pressed = filling.pressed
        hop.secretFields = filling.secretFields
        hop.carriesPassword = filling.carriesPassword
        hop.carriesSecret = filling.carriesSecret
        hop.writesCredentials = filling.writesCredentials
        if filling.carriesCode {
            hop.carriesCode = true
            hop.completion = { [recognition] code in
                recognition?.completed(filling, with: code).request(on: url, base: base).map { ($0, nil) }
            }
        }
        hop.page = summary
        hop.filling = filling
        if !filling.form.isLink {
            hop.pageGuard = pageGuard
            journey.note(pageGuard.block(to: request.url, isRedirected: false))
        }
        journey.next = hop
        if filling.cause != .continuation { journey.sentForm = true }
        return nil
    }

    /// Why the way ends at a page without a form that could be sent.
    private func deadEnd(_ page: HTMLPage, _ url: WebURL, _ response: HTTPResponse, _ journey: Journey) -> StopReason {
        let status = response.status
        let isError = status >= 400
        if purpose.signsIn {
            // The words of an error page may be about anything; its fields and widgets, and words about browsers, are specific.
            let isOfBotWall =
                response.header("cf-mitigated")?.lowercased() == "challenge"
                || response.header("x-amzn-waf-action") != nil
            if let demand = PageDemand(of: page, isErrorPage: isError, isOfBotWall: isOfBotWall) {
                if demand == .passkey, passkey != nil { return .passkeyRefused(message: page.alerts.first) }
                return .requests(demand, cameBack: false, message: page.alerts.first)
            }
            if journey.lastSentCode, (400...499).contains(status) { return codeRefused(page.alerts.first, journey) }
        }
        if isError { return .errorPage(status: status) }
        if requestSteps.contains(where: { $0.page.matches(url) }) { return .samePageAgain }
        if purpose.signsIn, let recognition,
            let filling = recognition.objectionable(on: page, hints: journey.requested("login_hint")),
            let objection = filling.objection
        {
            return .unsuitableForm(objection, emptyFields: EmptyFields(after: filling))
        }
        let needsScript = page.seemsToNeedScript
        // No step can continue at a page without a form and a link.
        let isEnd = page.forms.isEmpty && page.links.isEmpty
        if page.showsError, needsScript || isEnd {
            return .refusedByPage(title: page.title.bounded(200), text: page.textBesideNoScript.bounded(200))
        }
        return .noUsableForm(needsScript: needsScript, emptyFields: needsScript ? nil : EmptyFields(on: page))
    }

    /// Why a form is not sent: the provider returned it.
    private func refusal(
        of filling: FormFilling,
        _ page: HTMLPage,
        _ signature: String,
        _ journey: inout Journey
    ) -> StopReason? {
        var demand = PageDemand(inFormsOf: page)
        // Some pages contain message templates from the beginning, which scripts show.
        let message = page.alerts.first { !journey.alertsBefore.contains($0) } ?? page.alerts.first
        // A box for terms beside the password was ticked if the form requires it, and is reported as left empty otherwise.
        if demand == .termsOfUse, filling.writesCredentials { demand = nil }
        if demand == .oneTimeCode, filling.carriesCode { demand = nil }
        // If credentials are requested again right after a code, the code was rejected; this sign-in sends no other.
        let isAfterCode = journey.lastSentCode && (filling.carriesPassword || demand == .oneTimeCode)
        let isCodeAgain = filling.carriesCode && !filling.carriesPassword && journey.code != nil
        if isAfterCode || isCodeAgain { return codeRefused(message, journey) }
        if filling.cause == .userName, journey.sentPassword, !journey.hasFilled(signature) {
            return .unsuitableForm(.followsPassword, emptyFields: nil)
        }
        let isPasswordAgain = filling.carriesPassword && journey.sentPassword
        // A demand is not retried; pressing a button may be.
        let isFinal = !filling.writings.isEmpty || demand != nil || filling.cause == .passkey
        guard isPasswordAgain || !journey.mayFill(signature, isFilled: isFinal) else {
            journey.alertsBefore.formUnion(page.alerts)
            return nil
        }
        if filling.cause == .passkey { return .passkeyRefused(message: message) }
        if let demand { return .requests(demand, cameBack: true, message: message) }
        let emptyFields = EmptyFields(after: filling)
        if isPasswordAgain { return .passwordRefused(message: message, emptyFields: emptyFields) }
        return .sameFormAgain(message: message, emptyFields: emptyFields)
    }

    func filling(for page: HTMLPage, at address: WebURL?, isErrorPage: Bool, _ journey: Journey) -> FormFilling? {
        switch purpose {
        case .signIn, .signInAgain: byUser(page, address, isErrorPage: isErrorPage, journey)
        case .consent: byUser(page, address, isErrorPage: isErrorPage, journey).flatMap { $0.isConsent ? $0 : nil }
        case .signOut: isErrorPage ? nil : FormRecognition.signOut(on: page)
        case .look: nil
        }
    }

    /// Goes where a redirect leads; the redirect URI itself is not fetched.
    func follow(
        _ location: String,
        from url: WebURL,
        _ hop: Hop,
        status: Int,
        cause: Visit.Cause,
        _ journey: inout Journey
    ) -> SignInOutcome? {
        let target = url.resolve(location)
        if cause == .redirect { journey.note(hop.pageGuard?.block(to: target?.text ?? location, isRedirected: true)) }
        if isEnding(target?.text ?? location) {
            return .arrived(at: target?.text ?? location, formPost: nil)
        }
        guard let target else { return .stopped(.unusableRedirect(location: location.bounded(300)), page: nil) }
        if endings.contains(where: { $0.sharesHost(with: target) }), !journey.hosts.contains(target.hostAndPort) {
            let masked = Redaction.maskingQuery(target).bounded(300)
            return .stopped(.otherRedirectURI(location: masked), page: nil)
        }
        // A response to this request goes to a host that is neither the client nor the provider: a browser would deliver it,
        // and this one stops here.
        let response = target.queryParameters.items + target.fragmentParameters.items
        if !journey.hosts.contains(target.hostAndPort), journey.isResponse(response) {
            return .stopped(.otherRedirectURI(location: Redaction.maskingQuery(target).bounded(300)), page: nil)
        }
        guard journey.redirectsInARow < Self.redirectLimit else {
            let summary = PageSummary(address: target, status: status, page: HTMLPage())
            return .stopped(.tooManyRedirects(limit: Self.redirectLimit), page: summary)
        }
        journey.redirectsInARow += 1
        var next = Hop(request: HTTPRequest(url: target.textBeforeFragment), cause: cause)
        next.origin = url
        if cause == .redirect {
            next.pageGuard = hop.pageGuard
            next.isFromClient = hop.isFromClient
        }
        // 307 and 308 repeat the request with its body (RFC 9110, section 15.4.8); the others become a GET.
        if status == 307 || status == 308, hop.request.method != "GET" {
            next.request.method = hop.request.method
            next.request.body = hop.request.body
            next.request.headers = hop.request.headers.filter { $0.name == "Content-Type" }
            next.secretFields = hop.secretFields
            next.carriesPassword = hop.carriesPassword
            next.carriesCode = hop.carriesCode
            next.carriesSecret = hop.carriesSecret
        }
        // The check of the password's target comes before this host counts as one that was led to.
        if !next.carriesPassword, !next.carriesCode, !next.carriesSecret { journey.hosts.insert(target.hostAndPort) }
        journey.next = next
        return nil
    }

    func isEnding(_ location: String) -> Bool {
        endings.contains { $0.isReached(at: location) }
    }

    /// The form of a page that takes the response to the redirect URI by itself.
    ///
    /// A form that does not post is treated as one only if the page contains nothing else.
    func responseForm(
        on page: HTMLPage,
        base: WebURL,
        _ pageGuard: PageGuard,
        _ journey: Journey
    ) -> ResponseForm? {
        for form in page.forms where !form.action.isEmpty && (form.method == "POST" || page.forms.count == 1) {
            let action = base.resolve(form.action)?.text ?? form.action
            let parameters = FormFilling(form, as: .continuation).parameters
            guard isEnding(action) || isResponse(parameters, to: action, journey) else { continue }
            let hasScript = page.hasScript || page.onload != nil
            let blocking = hasScript ? pageGuard.directive(blocking: page, to: action) : nil
            return ResponseForm(
                parameters: parameters,
                action: action,
                method: form.method,
                encoding: form.encoding,
                sendsItself: hasScript && blocking == nil,
                blocking: blocking
            )
        }
        return nil
    }

    /// Whether a form would take a response to another address of the client.
    func isResponse(_ parameters: FormParameters, to action: String, _ journey: Journey) -> Bool {
        guard let target = WebURL(action), !journey.hosts.contains(target.hostAndPort) else { return false }
        if journey.isResponse(parameters.items) { return true }
        return endings.contains { $0.sharesHost(with: target) }
            && parameters.items.contains { Journey.artefacts.contains($0.name) }
    }

    /// Keeps the password from going where it must not, and anything from going to the relying party.
    func refusal(of hop: Hop, _ journey: Journey) -> SignInOutcome? {
        guard let target = WebURL(hop.request.url) else { return nil }
        if hop.carriesPassword || hop.carriesCode || hop.carriesSecret {
            if let reason = Self.objection(toSecretsFor: target, from: hop.origin, journey.hosts) {
                return .stopped(reason, page: hop.page)
            }
        }
        if endings.contains(where: { $0.sharesHost(with: target) }), !journey.hosts.contains(target.hostAndPort) {
            return .stopped(.otherRedirectURI(location: Redaction.maskingQuery(target).bounded(300)), page: hop.page)
        }
        return nil
    }
}
