package import JSONTree

/// The meaning of the response to an unusual request, decided only here.
///
/// Only ``granted`` and ``refused(_:)`` answer the question of a probe. An ``open(_:)`` response is inconclusive: no check
/// passes or fails because of it.
package enum Outcome: Sendable, Hashable {
    case granted
    case refused(Refusal)
    case open(Open)

    package enum Refusal: Sendable, Hashable {
        /// The answer names the error (RFC 6749 sections 4.1.2.1 and 5.2), in whatever form.
        case error(String)
        /// A redirect to the client without a code, a token or an error: a rejection in the wrong form, which is a finding of its
        /// own (`authorization.error.is-named`).
        case unnamed
        case page
        /// Only the status shows it.
        case status(Int)
        /// A server error that came every time, while other requests to the same endpoint were answered: nothing was granted.
        /// It is a finding of its own (`transport.answers.are-no-server-errors`).
        case crash(Int)

        /// The words for ``unnamed``.
        package static let redirectWithoutResult = "a redirect without a code and without an error"
    }

    package enum Open: Sendable, Hashable {
        /// RFC 6585 section 4, RFC 9110 section 15.6.4.
        case later(status: Int)
        /// A server error that was not seen to come every time.
        case serverError(status: Int)
        /// The same, reported in a redirect or in a form (RFC 6749 section 4.1.2.1).
        case serverErrorCode(String)
        /// A page where an endpoint answers clients: that of a proxy, a firewall or of maintenance.
        case pageOfAnother(status: Int)
        case empty(status: Int)
        /// A provider may ask who is there before it looks at the request; no text says when an error must come.
        case signInPage
        /// A page without a form, of a provider that may show such pages on an ordinary way.
        case pageWithoutForm(String)

        /// Whether there is no response to evaluate.
        var isOfNoAnswer: Bool {
            switch self {
            case .signInPage, .pageWithoutForm: false
            case .later, .serverError, .serverErrorCode, .pageOfAnother, .empty: true
            }
        }

        /// The reason if there is no response to evaluate.
        var reasonWithoutAnswer: Reason? { isOfNoAnswer ? reason : nil }

        var reason: Reason {
            switch self {
            case .later(let status):
                Reason(
                    Exchange.Response.whyNotNow(status) ?? "the provider returned a temporary error (status \(status))"
                )
            case .serverError(let status):
                "the provider returned a server error (status \(status)), which neither grants nor rejects the request"
            case .serverErrorCode(let code):
                "the provider returned the error \(code.quoted), which neither grants nor rejects the request"
            case .pageOfAnother(let status):
                "the response is an HTML page (status \(status)), as returned by proxies, firewalls and sites under maintenance"
            case .empty(let status):
                "the response is empty (status \(status))"
            case .signInPage:
                "the provider requires a sign-in before it checks the request; run the full tier"
            case .pageWithoutForm(let page):
                "\(page), has no form, so it may be an error page"
            }
        }
    }

    /// The reason of an answer that says nothing; `nil` for every other.
    package var open: Open? {
        if case .open(let why) = self { why } else { nil }
    }

    package var isRefused: Bool {
        if case .refused = self { true } else { false }
    }
}

// MARK: Deciding

extension Outcome {
    /// The meaning of the way that an authorization request went.
    ///
    /// - Parameters:
    ///   - answer: Where it ended.
    ///   - request: The request, where it is one of a scenario.
    ///   - evidence: All that was collected.
    init(of answer: AuthorizationAnswer, to request: AuthorizationRequest? = nil, in evidence: Evidence) {
        switch answer.ending {
        case .redirected(let redirect):
            switch redirect.error {
            // `response_type=none` requests nothing (OAuth 2.0 Multiple Response Types section 4).
            case nil where redirect.isRedirectURI && !redirect.isGrant && request?.requestsNothing != true:
                self = .refused(.unnamed)
            case nil: self = .granted
            case "temporarily_unavailable"?: self = .open(.serverErrorCode("temporarily_unavailable"))
            case "server_error"? where !evidence.comesEveryTime(answer.exchange):
                self = .open(.serverErrorCode("server_error"))
            case let error?: self = .refused(.error(error))
            }
        case .page(let page):
            if let open = Open(status: page.status, answer.exchange, in: evidence) {
                self = .open(open)
            } else if (200...299).contains(page.status),
                evidence.exchange(answer.exchange)?.response?.body.bytes?.isEmpty == true
            {
                self = .open(.empty(status: page.status))
            } else if BlockPage.isMeant(title: page.title ?? "", text: page.text) {
                self = .open(.pageOfAnother(status: page.status))
            } else if let error = page.pushError, page.isError {
                self = .refused(.error(error))
            } else if page.isError, !(page.requestsSignIn && evidence.signsInOnPages(withStatus: page.status)) {
                self = .refused(page.status >= 500 ? .crash(page.status) : .page)
            } else if page.requestsSignIn {
                self = .open(.signInPage)
            } else {
                // A signed-in user whom other requests show no page sees that of an error, whatever its status.
                let isSignedIn = evidence.tier == .full && [.shared, .signInIfAsked].contains(request?.session)
                let isError = page.forms.isEmpty && isSignedIn && evidence.letsThroughWithoutPage
                self = isError ? .refused(.page) : .open(.pageWithoutForm(page.phrase))
            }
        }
    }

    /// The meaning of an endpoint's response to a client.
    ///
    /// - Parameters:
    ///   - exchange: The identifier of the exchange; `nil` where none was recorded.
    ///   - endpoint: The metadata member of the endpoint.
    ///   - evidence: All that was collected; `nil` during the run, when no server error is known to come every time.
    package init(
        of response: Exchange.Response,
        _ json: @autoclosure () -> JSON?,
        exchange: Int? = nil,
        endpoint: String?,
        in evidence: Evidence? = nil
    ) {
        let status = response.status
        if let open = Open(status: status, exchange, in: evidence) {
            self = .open(open)
        } else if status >= 500 {
            self = .refused(.crash(status))
        } else if response.isPage, json() == nil, Self.isOfAnother(response, endpoint) {
            self = .open(.pageOfAnother(status: status))
        } else if (200...299).contains(status), response.body.bytes?.isEmpty == true,
            endpoint.map(Self.answersWithContent.contains) ?? false
        {
            self = .open(.empty(status: status))
        } else if let error = Self.refusal(in: json()) ?? response.formError {
            self = Self.errorsOfLater.contains(error) ? .open(.serverErrorCode(error)) : .refused(.error(error))
        } else {
            self = (200...299).contains(status) ? .granted : .refused(.status(status))
        }
    }

    /// The error of an object, whatever its status: some providers return errors with a success status.
    package static func refusal(in json: JSON?) -> String? {
        guard let object = json?.objectValue, !grants.contains(where: object.has) else { return nil }
        return object["error"]?.stringValue ?? (object["ok"] == false ? "ok: false" : nil)
    }

    /// The errors by which a provider says that another time will do (RFC 6749 section 4.1.2.1, RFC 8628 section 3.5).
    private static let errorsOfLater = ["temporarily_unavailable", "slow_down"]

    /// The members by which endpoints grant.
    private static let grants = ["access_token", "id_token", "sub", "active", "client_id", "request_uri"]

    /// Whether a page is not the endpoint's own rejection: an empty success, or a page that says so.
    private static func isOfAnother(_ response: Exchange.Response, _ endpoint: String?) -> Bool {
        let isSuccess = (200...299).contains(response.status)
        let hasNoPages = endpoint == "revocation_endpoint" || endpoint.map(answersWithContent.contains) ?? false
        if response.status == 403 || isSuccess && hasNoPages { return true }
        let text = response.body.bytes.map { String(decoding: $0.prefix(4_096), as: UTF8.self) } ?? ""
        return BlockPage.isMeant(title: "", text: text)
    }

    /// The endpoints that grant by the content of the response, and not only by the status.
    private static let answersWithContent: Set<String> = [
        "token_endpoint", "userinfo_endpoint", "introspection_endpoint", "registration_endpoint",
        "pushed_authorization_request_endpoint",
    ]
}

extension Outcome.Open {
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - exchange: The identifier of the exchange; `nil` where none was recorded.
    init?(status: Int, _ exchange: Int?, in evidence: Evidence?) {
        if Exchange.Response.whyNotNow(status) != nil {
            self = .later(status: status)
        } else if status >= 500, exchange.flatMap({ evidence?.comesEveryTime($0) }) != true {
            self = .serverError(status: status)
        } else {
            return nil
        }
    }
}

extension Evidence {
    /// The evidence with the reason instead of each inconclusive response to a probe.
    func withoutOpenAnswers() -> Evidence {
        var evidence = self
        for place in runs.indices where !runs[place].scenario.isFlow {
            for (number, step) in runs[place].steps.enumerated() {
                guard let reason = meaning(of: step, in: runs[place])?.open?.reasonWithoutAnswer else { continue }
                evidence.runs[place].steps[number].outcome = .absent(reason)
            }
            guard let registration = runs[place].registration else { continue }
            for part in [\RegistrationRun.answer, \.reading, \.readingWithoutToken, \.deletion] {
                // A deletion has no content.
                let endpoint = part == \.deletion ? nil : "registration_endpoint"
                guard let answer = registration[keyPath: part].value,
                    let reason = meaning(of: .answer(answer), at: endpoint)?.open?.reasonWithoutAnswer
                else { continue }
                evidence.runs[place].registration?[keyPath: part] = .absent(reason)
            }
        }
        return evidence
    }

    /// The meaning of the response to a step; `nil` if there is none.
    func meaning(of step: StepRun, in run: ScenarioRun) -> Outcome? {
        let planned = Scenario.named(run.scenario)?.step(step.id)
        return step.outcome.value
            .flatMap { meaning(of: $0, to: planned?.authorizationRequest, at: planned?.call?.endpoint) }
    }

    private func meaning(
        of outcome: StepRun.Outcome,
        to request: AuthorizationRequest? = nil,
        at endpoint: String?
    ) -> Outcome? {
        switch outcome {
        case .authorization(let answer): Outcome(of: answer, to: request, in: self)
        case .answer(let answer):
            exchange(answer.exchange)?.response
                .map { Outcome(of: $0, answer.body.json, exchange: answer.exchange, endpoint: endpoint, in: self) }
        }
    }
}

extension Outcome {
    /// Whether the token endpoint rejects the client itself (RFC 6749 section 5.2).
    ///
    /// Some providers send every rejection with status 401: an error code about something else is about that. GitHub rejects a
    /// client with status 200 and an error of its own.
    package static func refusesClient(status: Int, error: String?) -> Bool {
        let others = ["invalid_request", "invalid_grant", "unsupported_grant_type", "invalid_scope"]
        return ["invalid_client", "incorrect_client_credentials"].contains(error)
            || status == 401 && !others.contains(error ?? "")
    }
}

extension CallResult {
    /// Whether the request was granted.
    package var isSuccess: Bool { response.grants(json) }
}

extension Exchange.Response {
    /// Whether the response grants the request: by its content, and not only by its status.
    ///
    /// - Parameter json: The body, if it is JSON.
    package func grants(_ json: JSON?) -> Bool {
        isSuccess && Outcome.refusal(in: json) == nil && formError == nil
    }
}

extension Evidence {
    /// Whether an endpoint's response grants the request.
    package func isGrant(_ answer: EndpointAnswer) -> Bool {
        exchange(answer.exchange)?.response?.grants(answer.body.json) ?? false
    }
}

extension Evidence {
    /// Whether a request of a signed-in user was granted though nothing was filled in or pressed on the way.
    fileprivate var letsThroughWithoutPage: Bool {
        runs.contains { run in
            guard !run.scenario.isFlow, run[.authorization]?.lentBy == nil,
                let redirect = run.authorization.value?.redirect
            else { return false }
            return redirect.isRedirectURI && redirect.isGrant && redirect.error == nil
                && run.visits.allSatisfy { $0.filled.isEmpty && $0.pressed == nil }
        }
    }

    /// Whether users sign in on pages with that status: some sign-in pages have 403.
    fileprivate func signsInOnPages(withStatus status: Int) -> Bool {
        runs.contains { run in
            run.scenario.isFlow && run.authorization.value?.redirect?.isGrant == true
                && run.visits.contains { exchange($0.exchange)?.response?.status == status }
        }
    }

    /// Whether a server error came each time that its request was made, at least twice, and the endpoint answered others
    /// meanwhile.
    ///
    /// The run repeats a scenario with a server error serially; the exchanges of its earlier attempts stay in the evidence.
    fileprivate func comesEveryTime(_ id: Int) -> Bool {
        guard let own = exchange(id) else { return false }
        // A client is deleted once: the deletions of a run are its attempts.
        let isDeletion = own.request.method == "DELETE"
        let lane = Exchange.lane(of: id)
        let attempts = exchanges.filter { other in
            guard other.response != nil else { return false }
            return isDeletion
                ? other.request.method == "DELETE" : Exchange.lane(of: other.id) == lane && other.step == own.step
        }
        guard attempts.count > 1, attempts.allSatisfy({ $0.response?.isServerError == true }),
            let first = attempts.map(\.startedAt).min()
        else { return false }
        if isDeletion { return true }
        let place = own.request.url.prefix { $0 != "?" }
        return exchanges.contains { other in
            other.startedAt >= first && other.request.url.prefix { $0 != "?" } == place
                && other.response?.isServerError == false
        }
    }
}

extension Exchange.Response {
    /// The error of an answer in the form encoding, as GitHub sends it.
    fileprivate var formError: String? {
        guard mediaType == "application/x-www-form-urlencoded", case .text(let text) = body else { return nil }
        let error = text.utf8.split(separator: UInt8(ascii: "&")).first { $0.starts(with: "error=".utf8) }
        return error.map { String(Substring($0.dropFirst(6))) }
    }

    /// Whether the body is a page for users.
    var isPage: Bool {
        if mediaType == "text/html" || mediaType == "application/xhtml+xml" { return body.bytes?.isEmpty != true }
        let start = (body.bytes ?? []).drop { $0 <= 0x20 }.prefix(9)
        let text = String(decoding: start, as: UTF8.self).lowercased()
        return text == "<!doctype" || text.hasPrefix("<html")
    }
}

/// The pages that firewalls and sites under maintenance show in the place of the provider's own.
enum BlockPage {
    static func isMeant(title: String, text: String) -> Bool {
        let words = Array((title + " " + text.prefix(2_048)).lowercased().utf8)
        return words.indices.contains { place in
            signs[Int(words[place])].contains { words[place...].starts(with: $0) }
        }
    }

    /// Words of well-known products, and those by which a site says that it is closed, by their first byte: each page of a run
    /// is searched for all of them.
    private static let signs: [[[UInt8]]] = {
        let words = products.map { Array($0.utf8) }
        return (UInt8.min...UInt8.max).map { first in words.filter { $0.first == first } }
    }()

    private static let products = [
        "attention required! | cloudflare", "cloudflare ray id", "you have been blocked", "request blocked",
        "the request could not be satisfied", "the requested url was rejected", "your support id is",
        "403 forbidden nginx", "403 forbidden openresty", "request forbidden by administrative rules",
        "access denied you don't have permission to access", "incapsula incident", "_incapsula_resource",
        "sucuri website firewall", "web application firewall", "mod_security", "modsecurity",
        "blocked by network security", "scheduled maintenance", "under maintenance",
        "down for maintenance", "maintenance mode", "service is temporarily unavailable",
    ]
}
