import Conformance
import SignIn
import Transport

/// The end of a session.
extension ScenarioRunner {
    /// Sends the browser to the end-session endpoint and goes on to where it leads.
    func endSession(
        _ request: EndSessionRequest,
        _ step: StepID,
        _ words: String,
        _ collected: inout CollectedRun
    ) async -> Observation<AuthorizationAnswer> {
        let (endpoint, reason) = endpoint("end_session_endpoint")
        guard let endpoint else { return reason.observation() }
        guard let url = WebURL(endpoint) else {
            let why = "the end_session_endpoint \(endpoint.quoted) is not an http or https URL"
            return .absent(why)
        }
        collected.captured.capture((client?.id).map { Secret($0) }, as: .clientID)
        collected.captured.capture(target.logout.postLogoutRedirectURI.map { Secret($0) }, as: .postLogoutRedirectURI)
        let captured = request.parameters.compactMap(\.value.source)
        if let missing = captured.first(where: { collected.captured[$0] == nil }) {
            return collected.captured.whyMissing(missing).observation()
        }
        await learnIDTokens(collected.captured)
        var form = FormParameters()
        var sent: [Field] = []
        for parameter in request.parameters {
            guard let text = collected.captured.text(parameter.value) else {
                return .notAttempted("\(parameter.name) cannot be changed in this way")
            }
            form.append(parameter.name, text)
            sent.append(Field(parameter.name, await http.recorder.redact(text)))
        }
        collected.run[step]?.sent = sent
        let uri = form.items.first { $0.name == "post_logout_redirect_uri" }?.value
        let (outcome, visits) = await browser.open(
            HTTPRequest(url: url.adding(form)),
            redirectURI: uri ?? target.logout.postLogoutRedirectURI ?? "",
            others: [target.logout.postLogoutRedirectURI, target.redirectURI].compactMap { $0 },
            purpose: request.isConfirmed ? .signOut : .look
        )
        let last = await record(visits, words, first: "logout request", &collected)
        return await concluded(outcome, last, uri, &collected)
    }

    /// A page is as valid a response to a logout request as a redirect.
    private func concluded(
        _ outcome: SignInOutcome,
        _ exchange: Int,
        _ uri: String?,
        _ collected: inout CollectedRun
    ) async -> Observation<AuthorizationAnswer> {
        switch outcome {
        case .arrived(let location, _):
            let arrived = ArrivedRedirect(
                location: location,
                redirectURI: uri ?? "",
                keepsSecrets: options.keepsSecrets
            )
            let answer = await http.recorder.redact(arrived.answer)
            return .observed(AuthorizationAnswer(ending: .redirected(answer), exchange: exchange))
        case .stopped(let reason, let page?):
            let summary = await http.recorder.redact(Conformance.PageSummary(page, stopped: reason.description))
            if let last = collected.run.visits.indices.last { collected.run.visits[last].page = summary }
            return .observed(AuthorizationAnswer(ending: .page(summary), exchange: exchange))
        case .stopped(let reason, nil):
            return .absent(await http.recorder.redact("\(scenario.title): \(reason)"))
        case .failed(let failure):
            return .absent(await http.recorder.redact("\(scenario.title): \(failure)", failure))
        }
    }
}
