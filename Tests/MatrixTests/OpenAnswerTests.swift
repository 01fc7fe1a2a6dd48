import Conformance
import Preflight
import ReferenceProvider
import Testing

/// A response that neither grants nor rejects the request decides no check.
@Suite("Indeterminate responses", .timeLimit(.minutes(5)))
struct OpenAnswerTests {
    /// A response that neither grants nor rejects.
    enum Nothing: String, CaseIterable, CustomTestStringConvertible {
        case later = "429"
        case crash = "500"
        case badGateway = "502"
        case unavailable = "503"
        case timeout = "408"
        case laterByName = "temporarily_unavailable"
        case empty = "an empty response with status 200"
        case lost = "a closed connection"
        case firewall = "a firewall's page"
        case nginx = "a 403 page of nginx"
        case haproxy = "a 403 page of HAProxy"
        case akamai = "a 403 page of Akamai"
        case maintenance = "a page of maintenance"
        /// The request was not sent; the reference for the other cases.
        case notAsked = "nothing"

        var testDescription: String { rawValue }

        var status: Int? {
            switch self {
            case .later: 429
            case .crash: 500
            case .badGateway: 502
            case .unavailable: 503
            case .timeout: 408
            case .laterByName: 400
            case .firewall, .nginx, .haproxy, .akamai: 403
            case .maintenance, .empty: 200
            case .lost, .notAsked: nil
            }
        }

        /// Whether it may be the response to any request, whatever the client is.
        var isOfEveryServer: Bool {
            [.later, .crash, .badGateway, .unavailable, .timeout, .lost, .notAsked].contains(self)
        }

        /// The checks of the responses themselves, whatever the request.
        var ownChecks: [CheckPattern] {
            // A revocation and a deletion have no content (RFC 7009 section 2.2, RFC 7592 section 2.3).
            self == .empty ? ["transport.*", "revocation.*", "registration.deletion.*"] : ["transport.*"]
        }

        var title: String {
            switch self {
            case .firewall: "Attention Required! | Cloudflare"
            case .maintenance: "Down for maintenance"
            case .nginx: "403 Forbidden"
            case .akamai: "Access Denied"
            default: "Error"
            }
        }

        /// The visible text.
        var text: String {
            switch self {
            case .nginx: "403 Forbidden nginx/1.22.1"
            case .haproxy: "403 Forbidden Request forbidden by administrative rules."
            case .akamai: "Access Denied You don't have permission to access \"/authorize\" on this server."
            default: "Please come back."
            }
        }

        var response: Exchange.Response? {
            if self == .empty { return Exchange.Response(status: 200, headers: [], body: .text("")) }
            if self == .laterByName {
                return Exchange.Response(
                    status: 400,
                    headers: [Field("Content-Type", "application/json")],
                    body: .text(#"{"error":"temporarily_unavailable"}"#)
                )
            }
            return status.map { status in
                Exchange.Response(
                    status: status,
                    headers: [Field("Content-Type", "text/html")],
                    body: .text("<!DOCTYPE html><title>\(title)</title><p>\(text)</p>")
                )
            }
        }

        func ending(_ address: String) -> AuthorizationAnswer.Ending? {
            if self == .empty {
                return .page(PageSummary(address: address, status: 200, title: nil, forms: [], text: ""))
            }
            if self == .laterByName {
                let error = [ResponseParameter(name: "error", value: rawValue)]
                return .redirected(RedirectAnswer(address: address, isRedirectURI: true, query: error, fragment: []))
            }
            return status.map { status in
                .page(PageSummary(address: address, status: status, title: title, forms: [], text: text))
            }
        }
    }

    /// The evidence of a run in which only baseline requests have a meaningful response.
    private static func answered(_ nothing: Nothing, in evidence: Evidence) -> Evidence {
        var evidence = evidence
        for run in evidence.runs.indices {
            let scenario = evidence.runs[run].scenario
            if BaselineScenario.isBaseline(scenario, in: evidence.target, tier: evidence.tier) { continue }
            for step in evidence.runs[run].steps.indices {
                let outcome = evidence.runs[run].steps[step].outcome
                guard let value = outcome.value else { continue }
                guard let response = nothing.response else {
                    evidence.runs[run].steps[step].outcome = .absent("no response arrived")
                    continue
                }
                switch value {
                case .authorization(let answer):
                    guard let ending = nothing.ending("https://op.example.com/authorize") else { continue }
                    evidence.replace(answer.exchange, by: response)
                    evidence.runs[run].steps[step].outcome = .observed(
                        .authorization(AuthorizationAnswer(ending: ending, exchange: answer.exchange))
                    )
                case .answer(let answer):
                    evidence.replace(answer.exchange, by: response)
                    evidence.runs[run].steps[step].outcome = .observed(
                        .answer(EndpointAnswer(exchange: answer.exchange, body: response.body))
                    )
                }
            }
        }
        answerAgents(nothing.isOfEveryServer ? nothing : .notAsked, in: &evidence)
        return evidence
    }

    /// The second requests for the documents get the response.
    ///
    /// A firewall's page to one of them is a finding of its own, so they are not sent then.
    private static func answerAgents(_ nothing: Nothing, in evidence: inout Evidence) {
        for place in evidence.refetches?.agents.indices ?? 0..<0 {
            guard let exchange = evidence.refetches?.agents[place].answer.value?.exchange else { continue }
            if let response = nothing.response {
                evidence.replace(exchange, by: response)
            } else {
                evidence.refetches?.agents[place].answer = .absent("no response arrived")
            }
        }
    }

    private static let run = Task { try await Laboratory.collect(.standard, profile: "openid", tier: .full) }

    @Test("no check passes or fails on an indeterminate response", arguments: Nothing.allCases)
    func decidesNothing(nothing: Nothing) async throws {
        let result = try await Self.run.value
        let judge = { (nothing: Nothing) in
            result.run.judge(Self.answered(nothing, in: result.evidence), now: result.evidence.endedAt)
        }
        let verdicts = { (report: Report, word: String) in
            Set(report.entries.filter { $0.verdict.word == word }.map(\.id))
                .filter { id in !nothing.ownChecks.contains { $0.matches(id) } }
        }
        let (measure, report) = (judge(.notAsked), judge(nothing))
        for word in ["passed", "failed", "excused"] {
            let more = verdicts(report, word).subtracting(verdicts(measure, word))
            #expect(more.isEmpty, "\(word) by \(nothing.rawValue): \(more.sorted())")
        }
        #expect(report.outcome.gate != .open, "\(report.outcome.summary)")
    }
}

extension Evidence {
    fileprivate mutating func replace(_ id: Int, by response: Exchange.Response) {
        guard let place = exchanges.firstIndex(where: { $0.id == id }) else { return }
        exchanges[place].response = response
    }
}
