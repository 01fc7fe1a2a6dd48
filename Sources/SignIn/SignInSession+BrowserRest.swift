import Browsing
import Transport

/// Waits for a page in a browser until there is something to do, or nothing happens any more.
extension SignInSession {
    /// How long nothing may happen on a page that looks unfinished, or did not change when its button was pressed, in seconds.
    private static let longestQuiet = 5.0
    /// How long a page must stay unchanged, in seconds: a script may be about to change it.
    private static let shortestQuiet = 0.1
    private static let demandQuiet = 1.0
    private static let breath: UInt64 = 25_000_000

    /// Waits until the page is stable: its document is complete, no request is in flight and nothing changes.
    func settle(
        _ browser: BrowserSession,
        _ timeout: Double,
        _ stay: inout BrowserPageState,
        _ journey: inout Journey
    ) async throws(BrowserFailure) -> BrowserPageState.Rest {
        let start = ContinuousClock.now
        var (last, lastChange) = (BrowserView?.none, start)
        while true {
            try goOn()
            try await browser.readLog()
            await noteRefusals(browser, stay)
            if let outcome = await judge(browser, &stay, &journey) { return .ended(outcome) }
            let now = ContinuousClock.now
            let view = await browser.look()
            if view != last { (last, lastChange) = (view, now) }
            let network = await browser.network
            if let view, view.isComplete, !network.isUnderWay, !view.url.hasPrefix("about:"),
                let quiet = wait(for: view, stay, journey), now - lastChange >= .seconds(quiet)
            {
                return .atRest(view)
            }
            if now - start > .seconds(timeout) {
                // The step's condition was not met: report that for this page.
                if let view, wait(for: view, stay, journey) == nil { return .atRest(view) }
                throw BrowserFailure(
                    "the page did not become stable within \(Int(timeout)) s (sign_in.page_timeout)"
                )
            }
            try? await Task.sleep(nanoseconds: Self.breath)
        }
    }

    /// Fails when the run is over.
    func goOn() throws(BrowserFailure) {
        if Task.isCancelled { throw BrowserFailure("the run was interrupted") }
        if client.timeLimitReached() != nil { throw BrowserFailure("the run's time limit was reached") }
    }

    /// How long a page must stay unchanged before it is evaluated, in seconds; `nil` until the step's condition is met.
    private func wait(for view: BrowserView, _ stay: BrowserPageState, _ journey: Journey) -> Double? {
        if view.html == stay.ignored { return Self.longestQuiet }
        let page = read(shown: view.html)
        if let refresh = page.refresh, refresh.seconds <= Self.longestRefresh {
            return refresh.seconds + Self.longestQuiet
        }
        if let filling = filling(for: page, at: WebURL(view.url), isErrorPage: false, journey) {
            switch filling.misfit {
            case nil: return Self.shortestQuiet
            case .condition: return nil
            // The field may still appear.
            case .field, .choice: return Self.longestQuiet
            }
        }
        let demand = PageDemand(of: page, isErrorPage: false, isOfBotWall: false)
        // A signature of the authenticator is sent without any sign on the page.
        return demand == nil || (demand == .passkey && passkey != nil) ? Self.longestQuiet : Self.demandQuiet
    }

    /// Reports the places that a page led to and that the address policy refused: that of a frame or an image does not end the
    /// sign-in.
    func noteRefusals(_ browser: BrowserSession, _ stay: BrowserPageState) async {
        for (place, failure) in await browser.failures.sorted(by: { $0.key < $1.key }) {
            guard case .addressRefused(let address, let rule) = failure.cause else { continue }
            let isItself = place.hasPrefix("\(address):") || place.hasPrefix("[\(address)]:")
            let sentence =
                "The page of \(stay.page.origin.bounded(200)) led the browser to \(place.bounded(200)) "
                + "(\(isItself ? "" : "\(address), ")\(rule)), which the address policy refuses."
            await recognition?.instructions.driving?
                .noteOnce(String(decoding: redaction.removingPassword(Array(sentence.utf8)), as: UTF8.self))
        }
    }

    /// Evaluates the addresses that the window was sent to.
    func judge(
        _ browser: BrowserSession,
        _ stay: inout BrowserPageState,
        _ journey: inout Journey
    ) async -> SignInOutcome? {
        let network = await browser.network
        if let address = await browser.withheld(), let target = WebURL(address) {
            // It was not sent.
            stay.arrival = network.requests.lastIndex { $0.url == address }
            let reason = Self.objection(toSecretsFor: target, from: stay.page, journey.hosts)
            return .stopped(reason ?? .passwordToUnknownHost(host: target.hostAndPort), page: stay.hop.page)
        }
        while stay.judged < network.requests.count {
            let index = stay.judged
            let request = network.requests[index]
            guard await browser.isPage(request) else {
                stay.judged += 1
                continue
            }
            let earlier = network.redirect(to: index)
            // The address as the provider wrote it is in the headers of the redirect.
            if let earlier, !network.isWhole(earlier), network.isUnderWay { return nil }
            stay.judged += 1
            if let outcome = follow(request, from: earlier.map(network.exchange), stay, &journey) {
                stay.arrival = index
                return outcome
            }
            // Whatever it shows, it is another document.
            stay.ignored = nil
        }
        for index in network.requests.indices.reversed() where await browser.isPage(network.requests[index]) {
            stay.response = network.exchange(index).response
            if let failure = await browser.failure(of: network.requests[index]) { return .failed(failure) }
            guard let failure = network.requests[index].failure, failure.kind != .aborted else { return nil }
            if failure.kind == .tooManyRedirects {
                return .stopped(.tooManyRedirects(limit: Self.redirectLimit), page: nil)
            }
            return network.exchange(index).failure.map { .failed($0) }
        }
        return nil
    }

    /// Handles a navigation of the window to an address.
    private func follow(
        _ request: BrowserRequest,
        from earlier: HTTPExchange?,
        _ stay: BrowserPageState,
        _ journey: inout Journey
    ) -> SignInOutcome? {
        if request.method != "GET" {
            let form = ResponseForm(
                parameters: FormParameters(parsing: request.body ?? ""),
                action: request.url,
                method: request.method,
                encoding: "application/x-www-form-urlencoded",
                sendsItself: true
            )
            if isEnding(request.url) || isResponse(form.parameters, to: request.url, journey) {
                return .arrived(at: request.url, formPost: form)
            }
        }
        let from = earlier.flatMap { WebURL($0.request.url) } ?? stay.page
        if earlier == nil, request.url == stay.hop.request.url || request.method != "GET" {
            // The page that was opened, or a form: its target was checked before it was sent.
            return nil
        }
        let location = earlier?.response.flatMap(Self.redirection) ?? request.url
        let hop = Hop(request: HTTPRequest(url: from.text), cause: .redirect)
        return follow(location, from: from, hop, status: 303, cause: .redirect, &journey)
    }

    /// Records the browser's requests: documents, and what scripts sent.
    func record(_ browser: BrowserSession, _ stay: inout BrowserPageState, _ journey: inout Journey) async {
        let network = await browser.network
        let last = network.requests.count
        for index in stay.recorded..<last where index != stay.arrival {
            let request = network.requests[index]
            let isPage = await browser.isPage(request)
            guard isPage || [.xhr, .fetch].contains(request.kind) else { continue }
            var exchange = network.exchange(index)
            let cookies = Redaction.cookieValues(of: exchange)
            if isPage, let response = exchange.response, Self.redirection(of: response) == nil,
                response.mediaType?.contains("html") == true, let body = await browser.body(of: request)
            {
                exchange.response?.body = Array(body.prefix(client.configuration.bodyLimit))
            }
            var clean = redaction.redacting(exchange, secretFields: stay.hop.secretFields)
            if let body = clean.request.body { clean.request.body = redaction.removingPassword(body) }
            journey.record(clean, of: stay.hop, cookieValues: cookies, isLedTo: false)
            var next = Hop(request: HTTPRequest(url: request.url), cause: .redirect)
            next.secretFields = stay.hop.secretFields
            // Report the pressed button once.
            stay.hop = next
        }
        stay.recorded = last
    }
}
