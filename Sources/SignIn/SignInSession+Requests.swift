import JSONTree
import Transport

/// The state of a step with requests, while the requests are sent.
struct Errand: Sendable {
    let step: RequestStep
    /// The page that the step is for.
    let page: WebURL
    let summary: PageSummary
    /// The number of its requests that have a response.
    var answered = 0
    /// The last JSON response.
    var answer: JSON?

    /// Whether the request that is being sent ends the step by its redirect.
    var isFollowed: Bool { step.next == .follow && answered == step.requests.count - 1 }
}

/// Sign-in by the requests that a page's script would send.
extension SignInSession {
    /// The step with requests that matches a page, once per authorization request.
    func errand(on url: WebURL, _ response: HTTPResponse, _ journey: inout Journey) -> Errand? {
        // An error page ends the sign-in, except one that requests a sign-in.
        guard response.status < 400 || response.status == 401 else { return nil }
        for (place, step) in requestSteps.enumerated() where step.page.matches(url) {
            guard journey.takesStep(place) else { continue }
            let type = response.mediaType
            let isPage = type == nil || type == "text/html" || type == "application/xhtml+xml"
            let page = isPage ? read(response) : HTMLPage()
            journey.see(page, at: url, status: response.status)
            return Errand(
                step: step,
                page: url,
                summary: PageSummary(address: url, status: response.status, page: page)
            )
        }
        return nil
    }

    /// Makes the next request of a step the next hop, or continues after the last one.
    func perform(_ errand: Errand, _ journey: inout Journey) -> SignInOutcome? {
        do throws(TemplateValues.Missing) {
            guard errand.answered < errand.step.requests.count else { return try goOn(from: errand, &journey) }
            return try send(errand.step.requests[errand.answered], of: errand, &journey)
        } catch {
            return .stopped(.missingValue(placeholder: "\(error.placeholder)"), page: errand.summary)
        }
    }

    /// Evaluates the response to a step's request by its status, and continues.
    func carryOn(
        _ errand: Errand,
        after response: HTTPResponse,
        from url: WebURL,
        _ hop: Hop,
        _ journey: inout Journey
    ) -> SignInOutcome? {
        var errand = errand
        let request = errand.step.requests[errand.answered]
        let location = response.header("Location") ?? ""
        guard request.accepts(response.status, isFollowed: errand.isFollowed), !errand.isFollowed || !location.isEmpty
        else {
            if hop.carriesCode, !hop.carriesPassword, (400...499).contains(response.status) {
                return .stopped(codeRefused(message(of: response), journey), page: errand.summary)
            }
            let refusal = StopReason.requestRefused(
                request: "\(request.method) \(Redaction.maskingQuery(url).bounded(300))",
                status: response.status,
                expected: request.expectation(isFollowed: errand.isFollowed),
                message: message(of: response)
            )
            return .stopped(refusal, page: errand.summary)
        }
        if errand.isFollowed { return follow(location, from: url, hop, status: 303, cause: .redirect, &journey) }
        errand.answered += 1
        if let document = try? JSONDocument.parse(response.body) { errand.answer = document.root }
        return perform(errand, &journey)
    }

    private func send(
        _ request: RequestStep.Request,
        of errand: Errand,
        _ journey: inout Journey
    ) throws(TemplateValues.Missing) -> SignInOutcome? {
        guard journey.pages < Self.pageLimit else {
            return .stopped(.tooManyPages(limit: Self.pageLimit), page: errand.summary)
        }
        let rendered = try request.rendered(values(for: errand))
        guard let target = errand.page.resolve(rendered.sent.url) else {
            return .stopped(.unusableRedirect(location: rendered.recorded.url.bounded(300)), page: errand.summary)
        }
        guard journey.hosts.contains(target.hostAndPort) else {
            return .stopped(.requestToUnknownHost(host: target.hostAndPort), page: errand.summary)
        }
        var hop = Hop(request: rendered.sent, cause: .configuredStep)
        hop.request.url = target.textBeforeFragment
        hop.recorded = rendered.recorded
        hop.recorded?.url = errand.page.resolve(rendered.recorded.url)?.textBeforeFragment ?? Redaction.mark
        hop.origin = errand.page
        hop.filled = rendered.filled
        hop.carriesPassword = rendered.carriesPassword
        hop.carriesSecret = !request.variables.isEmpty
        hop.writesCredentials = request.holdsCredentials
        if request.holdsCode {
            hop.carriesCode = true
            let values = values(for: errand)
            let (address, recordedAddress) = (hop.request.url, hop.recorded?.url)
            let page = errand.page
            hop.completion = { code in
                var complete = values
                complete.code = code
                guard let rendered = try? request.rendered(complete) else { return nil }
                var (sent, recorded) = (rendered.sent, rendered.recorded)
                sent.url = page.resolve(sent.url)?.textBeforeFragment ?? address
                recorded.url = recordedAddress ?? Redaction.mark
                return (sent, recorded)
            }
        }
        hop.page = errand.summary
        hop.errand = errand
        journey.sentRequests = true
        journey.pages += 1
        journey.redirectsInARow = 0
        journey.next = hop
        return nil
    }

    private func goOn(
        from errand: Errand,
        _ journey: inout Journey
    ) throws(TemplateValues.Missing) -> SignInOutcome? {
        guard case .address(let template) = errand.step.next else {
            journey.next = Hop(request: journey.opening, cause: .configuredStep)
            journey.next.origin = errand.page
            return nil
        }
        let address = try template.address(values(for: errand))
        let page = Hop(request: HTTPRequest(url: errand.page.text), cause: .configuredStep)
        let outcome = follow(address.sent, from: errand.page, page, status: 303, cause: .configuredStep, &journey)
        // An address that a response contains as a whole is treated like the Location of a redirect.
        if outcome == nil, address.recorded != address.sent, !address.recorded.hasPrefix(Redaction.mark) {
            journey.next.recorded = journey.next.request
            journey.next.recorded?.url = errand.page.resolve(address.recorded)?.textBeforeFragment ?? Redaction.mark
        }
        return outcome
    }

    private func values(for errand: Errand) -> TemplateValues {
        TemplateValues(
            username: username,
            password: redaction.password,
            page: errand.page,
            // A placeholder for the code until the request is about to be sent.
            code: recognition?.instructions.codes == nil ? nil : Credential("000000"),
            answer: errand.answer,
            cookies: jar.header(for: errand.page, now: WallClock.now),
            variables: recognition?.instructions.variables ?? [:]
        )
    }

    /// The message of a rejection that is not a page.
    private func message(of response: HTTPResponse) -> String? {
        guard response.status >= 400, response.mediaType?.hasSuffix("html") == false else { return nil }
        let text = Self.message(in: redaction.removingPassword(response.body)).bounded(200)
        return text.isEmpty ? nil : text
    }

    /// The message of a response that is not HTML: that of its JSON, or its text; empty if it is neither.
    static func message(in body: [UInt8]) -> String {
        if let message = (try? JSONDocument.parse(body))?.root.errorMessage { return message }
        let text = body.contains(0) ? "" : String(decoding: body.prefix(4_000), as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
