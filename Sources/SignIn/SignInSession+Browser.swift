import Browsing
import Transport

/// Pages in a browser: the requests before the first page are sent without it, and the cookies are copied to it.
extension SignInSession {
    /// Decides on the next hop, or on the outcome, from an answer; a page may be shown in a browser.
    func take(
        _ response: HTTPResponse,
        from url: WebURL,
        _ hop: Hop,
        _ journey: inout Journey
    ) async -> SignInOutcome? {
        guard purpose.signsIn, let driving = recognition?.instructions.driving, hop.request.method == "GET",
            isForBrowser(response, url, journey)
        else { return step(from: url, response, hop, &journey) }
        if await driving.usesBrowser { return await browse(from: url, driving, &journey) }
        let outcome = step(from: url, response, hop, &journey)
        let why: String
        switch outcome {
        case .stopped(.noUsableForm(needsScript: true, _), _): why = "needs JavaScript"
        case .stopped(.stepDoesNotFit(_, hasScript: true), _):
            why = "lacks, without JavaScript, what a step in sign_in.steps names"
        default: return outcome
        }
        let address = Redaction.maskingQuery(url).bounded(300)
        guard await driving.switchesToBrowser(at: address, because: why) else { return outcome }
        return await browse(from: url, driving, &journey)
    }

    /// Whether a response is a page for users: not a redirect, not a response to the client, not a bare error.
    private func isForBrowser(_ response: HTTPResponse, _ url: WebURL, _ journey: Journey) -> Bool {
        guard Self.redirection(of: response) == nil, response.header("Refresh") == nil else { return false }
        guard response.mediaType == nil || response.mediaType?.contains("html") == true else { return false }
        let page = read(response)
        let base = page.baseReference.flatMap { url.resolve($0) } ?? url
        let pageGuard = PageGuard(policies: [], page: url)
        if responseForm(on: page, base: base, pageGuard, journey) != nil { return false }
        return response.status < 400 || [401, 403, 429, 503].contains(response.status) || !page.forms.isEmpty
    }

    private func browse(
        from url: WebURL,
        _ driving: SharedSignInDriver,
        _ journey: inout Journey
    ) async -> SignInOutcome {
        // A browser may wait for its turn, so end this one first.
        await endTurn(&journey)
        let summary = PageSummary(address: url, status: 200, page: HTMLPage())
        guard let browsers = driving.browsers else {
            return .stopped(.browserFailed(reason: BrowserPrograms.advice()), page: summary)
        }
        let clients = Set(endings.compactMap(\.place))
        if let shared = clients.first(where: { place in journey.hosts.contains { place == Self.place(of: $0, url) } }) {
            let reason =
                "the redirect URI and the provider share \(shared), so the browser could not be stopped from loading it"
            return .stopped(.browserFailed(reason: reason), page: summary)
        }
        let bounds = BrowserBounds(
            unreachable: clients,
            schemes: Set(endings.compactMap(\.applicationScheme)),
            trusted: await driving.trusted
        )
        let browser: BrowserSession
        do throws(BrowserFailure) {
            browser = try await browsers.acquire(bounds)
        } catch {
            return endOfTime(at: url) ?? .stopped(.browserFailed(reason: error.description), page: summary)
        }
        agent = browser.agent
        if let warning = browsers.warning { await driving.noteOnce(warning) }
        do throws(BrowserFailure) {
            try await browser.begin(with: jar.browserCookies)
            if let outcome = try await handOver(to: browser, &journey) {
                await browsers.release(browser, isUsable: true)
                return outcome
            }
            let outcome: SignInOutcome
            if let recorder = recognition?.instructions.recorder {
                outcome = try await watch(browser, recorder, url, &journey)
            } else {
                outcome = try await walk(browser, browsers.options, url, &journey)
            }
            await removePasskey(from: browser, &journey)
            jar = CookieJar(try await browser.cookies())
            await browsers.release(browser, isUsable: true)
            return outcome
        } catch {
            await browsers.release(browser, isUsable: false)
            if let outcome = endOfTime(at: url) { return outcome }
            let reason = String(decoding: redaction.removingPassword(Array(error.description.utf8)), as: UTF8.self)
            return .stopped(.browserFailed(reason: reason), page: summary)
        }
    }

    /// The outcome of a page that the limit of the run cut off.
    private func endOfTime(at url: WebURL) -> SignInOutcome? {
        client.timeLimitReached()
            .map { .failed(TransportFailure(step: .waiting, host: url.hostAndPort, cause: .limitReached($0))) }
    }

    /// Host and port, the port always said.
    private static func place(of hostAndPort: String, _ url: WebURL) -> String {
        WebURL("\(url.scheme)://\(hostAndPort)").map { "\($0.host):\($0.effectivePort)" } ?? hostAndPort
    }

    /// Goes from page to page until the sign-in ends.
    private func walk(
        _ browser: BrowserSession,
        _ options: BrowserOptions,
        _ url: WebURL,
        _ journey: inout Journey
    ) async throws(BrowserFailure) -> SignInOutcome {
        var stay = BrowserPageState(
            hop: Hop(request: HTTPRequest(url: url.textBeforeFragment), cause: .shown),
            page: url
        )
        try await browser.open(url.textBeforeFragment)
        while true {
            let rest = try await settle(browser, options.pageTimeout, &stay, &journey)
            await record(browser, &stay, &journey)
            let view: BrowserView
            switch rest {
            case .ended(let outcome): return outcome
            case .atRest(let seen): view = seen
            }
            guard let address = WebURL(view.url) else {
                return .stopped(.browserFailed(reason: "it does not show a page of the provider"), page: nil)
            }
            if let failure = client.configuration.refusal(of: address) { return .failed(failure) }
            stay.page = address
            let response = stay.response ?? HTTPResponse(status: 200)
            var page = read(shown: view.html)
            if let type = response.mediaType, !type.contains("html") {
                page.text = Self.message(in: Array(page.text.utf8))
                let summary = PageSummary(address: address, status: response.status, page: page)
                return .stopped(.notHTML(mediaType: type), page: summary)
            }
            journey.isInBrowser = true
            journey.screenshot = options.takesScreenshots ? await screenshot(of: page, browser) : nil
            let outcome = step(through: page, address, response, &journey)
            journey.screenshot = nil
            if let outcome { return outcome }
            var hop = journey.next
            await endTurn(&journey)
            // The browser sends this request, and not the client, which checks its own.
            if let failure = WebURL(hop.request.url).flatMap(client.configuration.refusal) { return .failed(failure) }
            if let outcome = refusal(of: hop, journey) { return outcome }
            if let outcome = await withholding(hop, &journey) { return outcome }
            if let outcome = await complete(&hop, &journey) { return outcome }
            guard var filling = hop.filling else {
                return .stopped(.noUsableForm(needsScript: false, emptyFields: nil), page: hop.page)
            }
            if hop.carriesCode, let code = journey.code, let recognition {
                filling = recognition.completed(filling, with: code)
            }
            stay.hop = hop
            try await browser.apply(formGuard(on: address, journey))
            try await fill(filling, browser)
            stay.ignored = await browser.look(marking: false)?.html
            try await send(filling, browser)
        }
    }

    /// Keeps a script of the page from sending the form's secrets elsewhere, however late it changes the form.
    private func formGuard(on page: WebURL, _ journey: Journey) -> FormGuard {
        FormGuard(
            containsSecret: { [redaction] bytes in redaction.removingPassword(bytes) != bytes },
            mayReceive: { [hosts = journey.hosts] target in
                Self.objection(toSecretsFor: target, from: page, hosts) == nil
            }
        )
    }

    /// Writes what the form is filled with into the page.
    private func fill(_ filling: FormFilling, _ browser: BrowserSession) async throws(BrowserFailure) {
        var typed: [(text: String, element: Int)] = []
        for writing in filling.writings {
            var texts = writing.texts
            for control in filling.form.controls where control.name == writing.field && !control.isDisabled {
                guard let element = control.element else { continue }
                switch control.type {
                case "checkbox", "radio":
                    let isWanted = texts.contains(control.value)
                    if isWanted != control.isChecked, isWanted || control.type == "checkbox" {
                        try await browser.press(element)
                    }
                case "hidden", "submit", "button", "image", "reset": continue
                case "select":
                    for text in texts { try await browser.choose(text, in: element) }
                default:
                    guard !texts.isEmpty, !control.isReadOnly else { continue }
                    let text = texts.removeFirst()
                    try await browser.type(text, into: element)
                    typed.append((text, element))
                }
            }
        }
        // A page that moves the focus during typing puts part of the password into another field. A wrong password counts
        // towards the account's limit.
        for (text, element) in typed { await browser.makeSure(of: text, in: element) }
        for box in filling.form.controls where filling.ticked.contains(box) && !box.isChecked {
            if let element = box.element { try await browser.press(element) }
        }
    }

    /// Presses the button, or the key that submits a form, or submits it as a script would.
    private func send(_ filling: FormFilling, _ browser: BrowserSession) async throws(BrowserFailure) {
        if let element = filling.button?.element { return try await browser.press(element) }
        let names = filling.filledNames
        let last = filling.form.controls.last { names.contains($0.name) && !$0.isButton && $0.type != "hidden" }
        if let element = last?.element { return try await browser.pressEnter(in: element) }
        if let element = filling.form.controls.lazy.compactMap(\.element).first {
            try await browser.sendForm(of: element)
        }
    }
}

/// The state of a browser that stays on one page.
struct BrowserPageState {
    /// The request that led here; its name and fields are those of the first request after it.
    var hop: Hop
    var page: WebURL
    /// How many of the browser's requests were evaluated, and how many recorded.
    var judged = 0
    var recorded = 0
    /// The request to the redirect URI, which was not sent.
    var arrival: Int?
    /// The page as it was when its button was pressed.
    var ignored: String?
    /// The response that contained the page.
    var response: HTTPResponse?

    enum Rest {
        case atRest(BrowserView)
        case ended(SignInOutcome)
    }
}
