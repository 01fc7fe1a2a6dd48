import Conformance
import SignIn
import Transport

/// The end of a session.
extension Conversation {
    /// Sends the browser to the end-session endpoint and goes on to where it leads.
    func endSession(_ request: EndSessionRequest, step: String, _ collected: inout CollectedRun) async -> Asked {
        let (endpoint, reason) = endpoint("end_session_endpoint")
        guard let endpoint else { return Asked(answer: reason.observation()) }
        guard let url = WebURL(endpoint) else {
            let why = "the end_session_endpoint \(endpoint.quoted) is not an http or https URL"
            return Asked(answer: .absent(why))
        }
        collected.holdings.hold((client?.id).map { Secret($0) }, as: .clientID)
        collected.holdings.hold(target.logout.postLogoutRedirectURI.map { Secret($0) }, as: .postLogoutRedirectURI)
        let held = request.parameters.compactMap(\.value.source)
        if let missing = held.first(where: { collected.holdings[$0] == nil }) {
            return Asked(answer: collected.holdings.whyMissing(missing).observation())
        }
        if held.contains(.forgedIDToken), let forged = collected.holdings[.forgedIDToken] {
            await wire.recorder.learn("id_token", forged.reveal(), .token)
        }
        var form = FormParameters()
        var sent: [Field] = []
        for parameter in request.parameters {
            guard let text = collected.holdings.text(parameter.value) else { continue }
            form.append(parameter.name, text)
            sent.append(Field(parameter.name, await wire.recorder.redact(text)))
        }
        let uri = form.items.first { $0.name == "post_logout_redirect_uri" }?.value
        let (outcome, visits) = await browser.open(
            HTTPRequest(url: url.adding(form)),
            redirectURI: uri ?? target.logout.postLogoutRedirectURI ?? "",
            others: [target.logout.postLogoutRedirectURI, target.redirectURI].compactMap { $0 },
            purpose: .signOut
        )
        let last = await note(visits, step: step, first: "logout request", &collected)
        var asked = await concluded(outcome, last, uri, &collected)
        asked.sent = sent
        return asked
    }

    /// A page is as good an answer to a logout request as a redirect.
    private func concluded(
        _ outcome: SignInOutcome,
        _ exchange: Int,
        _ uri: String?,
        _ collected: inout CollectedRun
    ) async -> Asked {
        switch outcome {
        case .arrived(let location, _):
            let arrived = ArrivedRedirect(
                location: location,
                redirectURI: uri ?? "",
                keepsSecrets: options.keepsSecrets
            )
            let answer = await wire.recorder.redact(arrived.answer)
            return Asked(answer: .observed(AuthorizationAnswer(ending: .redirected(answer), exchange: exchange)))
        case .stopped(let reason, let page?):
            let summary = await wire.recorder.redact(Conformance.PageSummary(page, stopped: reason.description))
            if let last = collected.run.visits.indices.last { collected.run.visits[last].page = summary }
            return Asked(answer: .observed(AuthorizationAnswer(ending: .page(summary), exchange: exchange)))
        case .stopped(let reason, nil):
            return Asked(answer: .absent(await wire.recorder.redact("\(scenario.title): \(reason)")))
        case .failed(let failure):
            return Asked(answer: .absent(await wire.recorder.redact("\(scenario.title): \(failure)")))
        }
    }
}
