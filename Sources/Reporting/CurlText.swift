package import Conformance

/// The requests that show a finding again, each as a command with what has to be known beforehand.
///
/// What is no command stands behind `#`, so that a shell takes the whole text.
package struct CurlText: Sendable {
    /// A request, and what was seen in its answer.
    private struct Sight {
        var exchange: Exchange
        var sentences: [String]
        /// Found and expected.
        var rows: [(String, String)]
    }

    /// What was asked for: a check, a step that broke, a place.
    private let title: String
    private let sights: [Sight]
    private let report: Report

    /// How many requests there are; none where the finding was seen in no exchange.
    package var count: Int { sights.count }

    /// - Parameters:
    ///   - name: A check that failed, the key of a step that broke (`sign-in`), or the place that findings are about
    ///     (`/issuer`).
    ///   - report: The judgement of a run.
    /// - Returns: `nil` for a name of nothing that was found.
    package init?(_ name: String, in report: Report) {
        self.report = report
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty }
        let id = CheckID(written: name)
        let cause = report.causes.first { $0.rung.key == name }
        if let entry = failed.first(where: { $0.id == id }) {
            title = "\(entry.id): \(entry.title)"
            sights = Self.sights(of: entry.verdict.findings, in: report)
        } else if let cause {
            title = cause.rung.rawValue
            sights = report.recorded.filter { $0.id == cause.exchange }
                .map { exchange in
                    let words = cause.words.map { [("it says", $0)] } ?? []
                    return Sight(exchange: exchange, sentences: [cause.message], rows: words + [("do", cause.advice)])
                }
        } else {
            let findings = failed.flatMap(\.verdict.findings).filter { $0.pointer == name }
            if findings.isEmpty { return nil }
            title = name
            sights = Self.sights(of: findings, in: report)
        }
    }

    /// What of a report can be asked for: the checks that failed, and the steps that broke.
    package static func names(in report: Report) -> [String] {
        report.causes.map(\.rung.key) + report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id.rawValue)
    }

    private static func sights(of findings: [Finding], in report: Report) -> [Sight] {
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
                        return Sight(
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
    ///   - number: Of one request, from 1; all of them for `nil`.
    ///   - authorities: The file of authorities that the commands name.
    package func text(number: Int? = nil, authorities: String? = nil) -> String {
        let chosen = sights.enumerated().filter { number == nil || $0.offset + 1 == number }
        var lines = ["# \(title.shown(limit: 400))"]
        for (place, sight) in chosen {
            if sights.count > 1 {
                lines += [
                    "#",
                    "# Request \(place + 1) of \(sights.count)"
                        + (number == nil ? "; --number \(place + 1) prints it alone" : ""),
                ]
            }
            lines += block(sight, authorities)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func block(_ sight: Sight, _ authorities: String?) -> [String] {
        let exchange = sight.exchange
        let answer =
            exchange.response.map { "answered with HTTP status \($0.status)" }
            ?? exchange.failure.map { $0.message.shown(limit: 300) } ?? "no answer was recorded"
        var lines = sight.sentences.map { "# \($0.shown(limit: 400))" }
        lines += sight.rows.map { "#   \($0): \($1.shown(limit: 400))" }
        lines.append("# In the run: \(exchange.step.shown(limit: 200)), \(answer)")
        var variables = Curl.variables(for: exchange, reach: report.reach, authorities: authorities)
        let signIn =
            variables.contains { $0.isOneTime && $0.name != Curl.cookieVariable }
            ? SignInAddress(before: exchange, in: report) : nil
        if let verifier = signIn?.verifier, let place = variables.firstIndex(where: { $0.name == "OIDC_CODE_VERIFIER" })
        {
            variables[place].advice = "\(verifier), which belongs to the code_challenge of the address below"
            variables[place].isOneTime = false
        }
        if !variables.isEmpty {
            lines.append("# Set first:")
            let width = (variables.map(\.name.count).max() ?? 0) + 2
            lines += variables.map { variable in
                let gap = String(repeating: " ", count: width - variable.name.count)
                return "#   \(variable.name)\(gap)\(variable.advice.shown(limit: 400))"
                    + (variable.isOneTime ? "; another one each time" : "")
            }
        }
        if let signIn { lines.append("# A sign-in begins at: \(signIn.address.shown(limit: 4_000))") }
        return lines + [Curl.command(for: exchange, reach: report.reach, authorities: authorities)]
    }
}

/// Where a person signs in to get what a later request of the same conversation takes.
private struct SignInAddress {
    let address: String
    /// The verifier of the challenge in the address; `nil` where there is none.
    let verifier: String?

    /// A pair that everybody can compute (RFC 7636 appendix B): the run's own verifier is not kept.
    private static let pair = (
        verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    )

    /// `nil` where no authorization request comes before the exchange.
    init?(before exchange: Exchange, in report: Report) {
        let lane = Exchange.lane(of: exchange.id)
        let request = report.recorded
            .last { other in
                Exchange.lane(of: other.id) == lane && other.id < exchange.id && other.request.method == "GET"
                    && Self.parameters(of: other.request.url).contains { $0.hasPrefix("response_type=") }
            }
        guard let url = request?.request.url, !Curl.parts(of: url).contains(where: \.isSecret) else { return nil }
        let parameters = Self.parameters(of: url)
        guard parameters.contains("code_challenge_method=S256"),
            parameters.contains(where: { $0.hasPrefix("code_challenge=") })
        else {
            address = url
            verifier = nil
            return
        }
        let changed = parameters.map { $0.hasPrefix("code_challenge=") ? "code_challenge=" + Self.pair.challenge : $0 }
        address = url.prefix { $0 != "?" } + "?" + changed.joined(separator: "&")
        verifier = Self.pair.verifier
    }

    private static func parameters(of url: String) -> [String] {
        let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&", omittingEmptySubsequences: false).map(String.init)
    }
}
