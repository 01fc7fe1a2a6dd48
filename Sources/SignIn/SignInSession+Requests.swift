import JSONTree
import Transport

/// The state of a step with requests, while the requests are sent.
struct StepRequest: Sendable {
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
    func stepRequest(on url: WebURL, _ response: HTTPResponse, _ journey: inout Journey) -> StepRequest? {
        // An error page ends the sign-in, except one that requests a sign-in.
        guard response.status < 400 || response.status == 401 else { return nil }
        for (place, step) in requestSteps.enumerated() where step.page.matches(url) {
            guard journey.takesStep(place) else { continue }
            let type = response.mediaType
            let isPage = type == nil || type == "text/html" || type == "application/xhtml+xml"
            let page = isPage ? read(response) : HTMLPage()
            journey.see(page, at: url, status: response.status)
            return StepRequest(
                step: step,
                page: url,
                summary: PageSummary(address: url, status: response.status, page: page)
            )
        }
        return nil
    }

    /// Makes the next request of a step the next hop, or continues after the last one.
    func perform(_ stepRequest: StepRequest, _ journey: inout Journey) -> SignInOutcome? {
        do throws(TemplateValues.Missing) {
            guard stepRequest.answered < stepRequest.step.requests.count else {
                return try goOn(from: stepRequest, &journey)
            }
            return try send(stepRequest.step.requests[stepRequest.answered], of: stepRequest, &journey)
        } catch {
            return .stopped(.missingValue(placeholder: "\(error.placeholder)"), page: stepRequest.summary)
        }
    }

    /// Evaluates the response to a step's request by its status, and continues.
    func carryOn(
        _ stepRequest: StepRequest,
        after response: HTTPResponse,
        from url: WebURL,
        _ hop: Hop,
        _ journey: inout Journey
    ) -> SignInOutcome? {
        var stepRequest = stepRequest
        let request = stepRequest.step.requests[stepRequest.answered]
        let location = response.header("Location") ?? ""
        guard request.accepts(response.status, isFollowed: stepRequest.isFollowed),
            !stepRequest.isFollowed || !location.isEmpty
        else {
            if hop.carriesCode, !hop.carriesPassword, (400...499).contains(response.status) {
                return .stopped(codeRefused(message(of: response), journey), page: stepRequest.summary)
            }
            let refusal = StopReason.requestRefused(
                request: "\(request.method) \(Redaction.maskingQuery(url).bounded(300))",
                status: response.status,
                expected: request.expectation(isFollowed: stepRequest.isFollowed),
                message: message(of: response)
            )
            return .stopped(refusal, page: stepRequest.summary)
        }
        if stepRequest.isFollowed { return follow(location, from: url, hop, status: 303, cause: .redirect, &journey) }
        stepRequest.answered += 1
        if let document = try? JSONDocument.parse(response.body) { stepRequest.answer = document.root }
        return perform(stepRequest, &journey)
    }

    private func send(
        _ request: RequestStep.Request,
        of stepRequest: StepRequest,
        _ journey: inout Journey
    ) throws(TemplateValues.Missing) -> SignInOutcome? {
        guard journey.pages < Self.pageLimit else {
            return .stopped(.tooManyPages(limit: Self.pageLimit), page: stepRequest.summary)
        }
        let rendered = try request.rendered(values(for: stepRequest))
        guard let target = stepRequest.page.resolve(rendered.sent.url) else {
            return .stopped(.unusableRedirect(location: rendered.recorded.url.bounded(300)), page: stepRequest.summary)
        }
        guard journey.hosts.contains(target.hostAndPort) else {
            return .stopped(.requestToUnknownHost(host: target.hostAndPort), page: stepRequest.summary)
        }
        var hop = Hop(request: rendered.sent, cause: .configuredStep)
        hop.request.url = target.textBeforeFragment
        hop.recorded = rendered.recorded
        hop.recorded?.url = stepRequest.page.resolve(rendered.recorded.url)?.textBeforeFragment ?? Redaction.mark
        hop.origin = stepRequest.page
        hop.filled = rendered.filled
        hop.carriesPassword = rendered.carriesPassword
        hop.carriesSecret = !request.variables.isEmpty
        hop.writesCredentials = request.containsCredentials
        if request.containsCode {
            hop.carriesCode = true
            let values = values(for: stepRequest)
            let (address, recordedAddress) = (hop.request.url, hop.recorded?.url)
            let page = stepRequest.page
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
        hop.page = stepRequest.summary
        hop.stepRequest = stepRequest
        journey.sentRequests = true
        journey.pages += 1
        journey.redirectsInARow = 0
        journey.next = hop
        return nil
    }

    private func goOn(
        from stepRequest: StepRequest,
        _ journey: inout Journey
    ) throws(TemplateValues.Missing) -> SignInOutcome? {
        guard case .address(let template) = stepRequest.step.next else {
            journey.next = Hop(request: journey.opening, cause: .configuredStep)
            journey.next.origin = stepRequest.page
            return nil
        }
        let address = try template.address(values(for: stepRequest))
        let page = Hop(request: HTTPRequest(url: stepRequest.page.text), cause: .configuredStep)
        let outcome = follow(address.sent, from: stepRequest.page, page, status: 303, cause: .configuredStep, &journey)
        // An address that a response contains as a whole is treated like the Location of a redirect.
        if outcome == nil, address.recorded != address.sent, !address.recorded.hasPrefix(Redaction.mark) {
            journey.next.recorded = journey.next.request
            journey.next.recorded?.url =
                stepRequest.page.resolve(address.recorded)?.textBeforeFragment ?? Redaction.mark
        }
        return outcome
    }

    private func values(for stepRequest: StepRequest) -> TemplateValues {
        TemplateValues(
            username: username,
            password: redaction.password,
            page: stepRequest.page,
            // A placeholder for the code until the request is about to be sent.
            code: recognition?.instructions.codes == nil ? nil : Credential("000000"),
            answer: stepRequest.answer,
            cookies: jar.header(for: stepRequest.page, now: WallClock.now),
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
