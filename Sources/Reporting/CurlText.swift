package import Conformance
internal import JSONTree

/// The requests that reproduce a finding, each as a command with the variables to set first.
///
/// Other text is commented out with `#`, so that a shell accepts the whole text.
package struct CurlText: Sendable {
    /// A request and the findings about its response.
    private struct ObservedRequest {
        var exchange: Exchange
        var sentences: [String]
        /// Found and expected.
        var rows: [(String, String)]
    }

    /// The selected check, failed step or place.
    private let title: String
    private let observed: [ObservedRequest]
    private let report: Report

    /// The number of requests; 0 if no exchange shows the finding.
    package var count: Int { observed.count }

    /// - Parameters:
    ///   - name: A failed check, the key of a failed step (`sign-in`), or the place of findings (`/issuer`).
    ///   - report: The report of a run.
    /// - Returns: `nil` if nothing has that name.
    package init?(_ name: String, in report: Report) {
        self.report = report
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty }
        let id = CheckID(written: name)
        let cause = report.causes.first { $0.signInStep.key == name }
        if let entry = failed.first(where: { $0.id == id }) {
            title = "\(entry.id): \(entry.title)"
            observed = Self.observed(of: entry.verdict.findings, in: report)
        } else if let cause {
            title = cause.signInStep.rawValue
            observed = report.recorded.filter { $0.id == cause.exchange }
                .map { exchange in
                    let words = cause.words.map { [("message", $0.shown())] } ?? []
                    return ObservedRequest(
                        exchange: exchange,
                        sentences: [cause.message],
                        rows: words + [("action", cause.advice)]
                    )
                }
        } else {
            let findings = failed.flatMap(\.verdict.findings).filter { $0.pointer == name }
            if findings.isEmpty { return nil }
            title = name
            observed = Self.observed(of: findings, in: report)
        }
    }

    /// The valid names: failed checks and failed steps.
    package static func names(in report: Report) -> [String] {
        report.causes.map(\.signInStep.key) + report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id.rawValue)
    }

    private static func observed(of findings: [Finding], in report: Report) -> [ObservedRequest] {
        findings.filter { $0.exchange != nil }.grouped(by: \.exchange)
            .compactMap { id, members in
                report.recorded.first { $0.id == id }
                    .map { exchange in
                        let rows = members.prefix(3)
                            .flatMap { finding in
                                [
                                    ("found", finding.shownFound(limit: 300)),
                                    ("expected", finding.shownExpected(limit: 300)),
                                ]
                                .compactMap { name, text in text.map { (name, $0) } }
                            }
                        return ObservedRequest(
                            exchange: exchange,
                            sentences: members.prefix(3).map { $0.sentence(limit: 300) },
                            rows: rows
                        )
                    }
            }
    }

    /// The commands.
    ///
    /// - Parameters:
    ///   - number: The number of one request, from 1; `nil` for all.
    ///   - authorities: The CA file for the commands.
    package func text(number: Int? = nil, authorities: String? = nil) -> String {
        let chosen = observed.enumerated().filter { number == nil || $0.offset + 1 == number }
        var lines = ["# \(title.shown(limit: 400))"]
        for (place, request) in chosen {
            if observed.count > 1 {
                lines += [
                    "#",
                    "# Request \(place + 1) of \(observed.count)"
                        + (number == nil ? "; --number \(place + 1) prints it alone" : ""),
                ]
            }
            lines += block(request, authorities)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func block(_ request: ObservedRequest, _ authorities: String?) -> [String] {
        let exchange = request.exchange
        var lines = request.sentences.map { "# \($0.shown(limit: 400))" }
        lines += request.rows.map { "#   \($0): \($1.shown(limit: 400))" }
        let origin = Origin(of: exchange, in: report)
        let steps = origin.steps + [exchange]
        var explained: Set<String> = []
        for (place, step) in steps.enumerated() {
            if steps.count > 1 { lines.append("# Step \(place + 1) of \(steps.count)") }
            lines.append("# In the run: \(step.step.shown(limit: 200)), \(Self.outcome(of: step))")
            // With several responses, or a token in the redirect, it is unknown which one the request had.
            let issuers = steps[..<place].indices.filter { steps[$0].issuesTokens }
            let issuer = issuers.count == 1 && origin.signIn?.returnsTokens == false ? issuers.first : nil
            let variables = Curl.variables(for: step, reach: report.reach, authorities: authorities)
                .filter { explained.insert($0.name).inserted }
                .map { variable in issuer.map { variable.returned(byStep: $0 + 1) } ?? variable }
            lines += explanation(of: variables, origin)
            lines.append(Curl.command(for: step, reach: report.reach, authorities: authorities))
        }
        return lines
    }

    private static func outcome(of exchange: Exchange) -> String {
        exchange.response.map { "returned HTTP status \($0.status)" }
            ?? exchange.failure.map { $0.message.shown(limit: 300) } ?? "no response was recorded"
    }

    /// The lines that name the variables, their values and the sign-in that yields them.
    private func explanation(of variables: [CurlVariable], _ origin: Origin) -> [String] {
        guard !variables.isEmpty else { return [] }
        let signIn = variables.contains { $0.isOneTime && $0.name != Curl.cookieVariable } ? origin.signIn : nil
        let width = (variables.map(\.name.count).max() ?? 0) + 2
        let rows = variables.map { variable in
            let gap = String(repeating: " ", count: width - variable.name.count)
            if variable.name == "OIDC_CODE_VERIFIER", let verifier = signIn?.verifier {
                return
                    "#   \(variable.name)\(gap)\(verifier), which matches the code_challenge of the sign-in URL below"
            }
            return "#   \(variable.name)\(gap)\(variable.advice.shown(limit: 400))"
                + (variable.isOneTime ? "; a new value each time" : "")
        }
        return ["# Set first:"] + rows + (signIn.map { ["# Sign-in URL: \($0.address.shown(limit: 4_000))"] } ?? [])
    }
}

extension CurlVariable {
    /// A token whose value is in the response to an earlier step; every other variable unchanged.
    fileprivate func returned(byStep step: Int) -> CurlVariable {
        let members = [
            "OIDC_ACCESS_TOKEN": "access_token", "OIDC_REFRESH_TOKEN": "refresh_token", "OIDC_ID_TOKEN": "id_token",
            "OIDC_ID_TOKEN_HINT": "id_token",
        ]
        guard let member = members[name] else { return self }
        return CurlVariable(name: name, advice: "\(member) in the response to step \(step)", isOneTime: false)
    }
}

/// The part of a scenario that must be repeated before one of its requests: the sign-in and the client's requests after it.
private struct Origin {
    let signIn: SignInAddress?
    /// The client's requests between the sign-in and the request that affect it, in order.
    let steps: [Exchange]

    init(of exchange: Exchange, in report: Report) {
        let lane = Exchange.lane(of: exchange.id)
        let earlier = report.recorded.filter { $0.id < exchange.id }
        let scenario = earlier.filter { Exchange.lane(of: $0.id) == lane }
        let request = scenario.last(where: SignInAddress.isRequest)
        // A scenario without a sign-in redeems the code of a scenario before it.
        signIn = (request ?? earlier.last(where: SignInAddress.isForCode)).flatMap { SignInAddress($0) }
        steps = scenario.filter { $0.id > request?.id ?? -1 && $0.isOfTheClient && !$0.onlyReads }
    }
}

extension Exchange {
    /// Whether it is a token request that succeeded.
    fileprivate var issuesTokens: Bool {
        response?.status == 200 && names.contains("grant_type")
    }

    /// The names of the parameters in the body.
    private var names: [Substring] {
        (request.body ?? "").split(separator: "&").map { $0.prefix { $0 != "=" } }
    }

    /// Whether the client sends it, with a credential, a code or a token of its own, and not the browser.
    fileprivate var isOfTheClient: Bool {
        if isSuperseded == true { return false }
        // The pages of a sign-in have fields of any name.
        if request.headers.contains(where: { $0.isNamed("Accept") && $0.value.contains("text/html") }) { return false }
        if request.headers.contains(where: { $0.isNamed("Authorization") }) { return true }
        return names.contains("grant_type") || names.contains("token") || names.contains("access_token")
    }
}

extension Exchange {
    /// Whether it only uses a token, at the UserInfo endpoint or for introspection: no later request depends on it.
    fileprivate var onlyReads: Bool {
        if names.contains("grant_type") { return false }
        if names.contains("access_token") { return true }
        if names.contains("token") { return response?.body.json?["active"] != nil }
        let hasToken = request.headers.contains { header in
            header.isNamed("Authorization")
                && ["bearer ", "dpop "].contains { header.value.lowercased().hasPrefix($0) }
        }
        // A client registration is JSON; its management also has PUT and DELETE.
        return hasToken && ["GET", "HEAD", "POST"].contains(request.method) && request.body?.first != "{"
    }
}

/// The URL of the sign-in that yields the values for a later request of the same scenario.
private struct SignInAddress {
    let address: String
    /// The verifier of the challenge in the address; `nil` where there is none.
    let verifier: String?

    /// The public example pair of RFC 7636 appendix B, because the verifier of the run is not recorded.
    private static let pair = (
        verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    )

    /// Whether the redirect contains tokens, not only a code.
    var returnsTokens: Bool { !address.contains("response_type=code&") && !address.hasSuffix("response_type=code") }

    /// Whether it is an authorization request.
    static func isRequest(_ exchange: Exchange) -> Bool {
        exchange.request.method == "GET"
            && parameters(of: exchange.request.url).contains { $0.hasPrefix("response_type=") }
    }

    static func isForCode(_ exchange: Exchange) -> Bool {
        isRequest(exchange) && parameters(of: exchange.request.url).contains("response_type=code")
    }

    /// `nil` if the authorization request contains a secret, and cannot be repeated.
    init?(_ exchange: Exchange) {
        let url = exchange.request.url
        let parameters = Self.parameters(of: url)
        let method = parameters.first { $0.hasPrefix("code_challenge_method=") }?
            .dropFirst("code_challenge_method=".count)
        let challenge = method == "S256" ? Self.pair.challenge : Self.pair.verifier
        let isReplaced =
            parameters.contains { $0.hasPrefix("code_challenge=") } && [nil, "plain", "S256"].contains(method)
        let changed = parameters.map {
            isReplaced && $0.hasPrefix("code_challenge=") ? "code_challenge=" + challenge : $0
        }
        address = isReplaced ? url.prefix { $0 != "?" } + "?" + changed.joined(separator: "&") : url
        verifier = isReplaced ? Self.pair.verifier : nil
        if Curl.parts(of: address).contains(where: \.isSecret) { return nil }
    }

    private static func parameters(of url: String) -> [String] {
        let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&", omittingEmptySubsequences: false).map(String.init)
    }
}
