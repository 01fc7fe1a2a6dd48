import Conformance
import SignIn
import Transport

/// The sign-in of a user through the provider's pages (RFC 5849 section 2.2).
extension OAuth1Exchange {
    struct VisitResult: Sendable {
        var answer: Observation<AuthorizationAnswer>
        /// Of the callback, with secrets; never kept.
        var parameters = FormParameters()
    }

    func visit(
        _ name: String,
        _ parameters: [Field],
        _ browser: SignInSession,
        _ session: inout OAuth1Session
    ) async -> VisitResult {
        let url: WebURL
        switch addresses[.authenticate] {
        case .absent(let why): return VisitResult(answer: .absent(why))
        case .notAttempted(let why): return VisitResult(answer: .notAttempted(why))
        case .observed(let address): url = address
        }
        let form = FormParameters(parameters.map { FormParameter(name: $0.name, value: $0.value) })
        let (outcome, visits) = await browser.open(
            HTTPRequest(url: url.adding(form)),
            redirectURI: redirectURI,
            others: [Scenario.foreignRedirectURI],
            purpose: .signIn
        )
        var last = 0
        for (number, visit) in visits.enumerated() {
            if let code = visit.code { await http.recorder.learn("one-time code", code, .credential) }
            for cookie in visit.cookieValues { await http.recorder.learn("cookie", cookie, .cookie) }
            let recorded = await http.recorder.record(
                visit.exchange,
                step: "\(name): " + (number == 0 ? "authorization page" : visit.cause.words),
                lane: Lanes.oauth1,
                content: .pages,
                isSignIn: visit.isSignIn
            )
            last = recorded.id
            session.visits.append(PageVisit(exchange: last, filled: visit.filled))
        }
        return await conclude(outcome, visits, last, name, &session)
    }

    private func conclude(
        _ outcome: SignInOutcome,
        _ visits: [Visit],
        _ exchange: Int,
        _ name: String,
        _ session: inout OAuth1Session
    ) async -> VisitResult {
        switch outcome {
        case .arrived(let location, let form):
            return await arrive(location, form, exchange)
        case .stopped(.otherRedirectURI(let shown), _), .stopped(.unusableRedirect(let shown), _):
            return await arrive(visits.last?.exchange.response?.header("Location") ?? shown, nil, exchange)
        case .stopped(let reason, _) where reason.isOfBudget:
            return VisitResult(answer: .notAttempted(await http.recorder.redact(reason.description)))
        case .stopped(let reason, let page):
            return VisitResult(answer: await stop(reason, page, exchange, name, &session))
        case .failed(let failure):
            return VisitResult(answer: .absent(await http.recorder.redact("\(name): \(failure)", failure)))
        }
    }

    private func arrive(_ location: String, _ form: ResponseForm?, _ exchange: Int) async -> VisitResult {
        let arrived = ArrivedRedirect(
            location: location,
            redirectURI: redirectURI,
            formPost: form,
            keepsSecrets: options.keepsSecrets
        )
        let answer = await http.recorder.redact(arrived.answer)
        let ending = AuthorizationAnswer.Ending.redirected(answer)
        let observation = Observation.observed(AuthorizationAnswer(ending: ending, exchange: exchange))
        // A response to another address is not used, and the parameters belong in the query (section 2.2).
        guard arrived.answer.isRedirectURI else { return VisitResult(answer: observation) }
        let query = location.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        return VisitResult(answer: observation, parameters: FormParameters(parsing: query))
    }

    /// An error page is a response; a page that stopped the program's sign-in shows nothing about the provider.
    private func stop(
        _ reason: StopReason,
        _ page: SignIn.PageSummary?,
        _ exchange: Int,
        _ name: String,
        _ session: inout OAuth1Session
    ) async -> Observation<AuthorizationAnswer> {
        var summary: Conformance.PageSummary?
        var isRefusal = false
        if case .errorPage = reason { isRefusal = true }
        if let page {
            let described = Conformance.PageSummary(page, stopped: isRefusal ? nil : reason.description)
            summary = await http.recorder.redact(described)
        }
        if let last = session.visits.indices.last { session.visits[last].page = summary }
        if isRefusal, let summary {
            return .observed(AuthorizationAnswer(ending: .page(summary), exchange: exchange))
        }
        return .absent(await http.recorder.redact("\(name): sign-in not completed: \(reason.description)"))
    }
}
