internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles
internal import Reporting

internal import struct OIDCPreflight.PreparedRuns

enum CurlCommand {
    static let command = Command(
        "curl",
        "Print the request that shows a finding again, as a command for curl.",
        text: [
            "The finding is one of saved evidence, judged by the profile of the run unless another is named. Secrets are variables "
                + "of the shell: the lines before the command, which begin with #, say what each has to hold, and which of "
                + "them serve once."
        ],
        examples: [
            .init("oidc-preflight check --config preflight.yaml --save-evidence run.json"),
            .init("oidc-preflight curl discovery.issuer.matches-request --evidence run.json"),
            .init("oidc-preflight curl sign-in --evidence run.json", "the request that a step broke with"),
            .init("oidc-preflight curl keys.response.content-type-is-json --evidence run.json --ca-file ca.pem | sh"),
        ],
        arguments: [finding, evidence, Options.profile, number, authorities],
        run: { invocation in
            let file = invocation[evidence]
            let saved = try SavedEvidence(file: file, config: nil, targets: [], profile: invocation[Options.profile])
            let reports = try judged(saved, invocation[Options.profile])
            let name = invocation[finding]
            guard let text = reports.lazy.compactMap({ CurlText(name, in: $0) }).first else {
                throw ConfigurationError(file: file, whyNone(name, reports))
            }
            guard text.count > 0 else {
                throw ConfigurationError(
                    file: file,
                    "\(name.shown(limit: 200)) was found in no HTTP exchange of this evidence, but in the TLS connection, in the "
                        + "configuration or in a document from a file: there is no request to repeat. oidc-preflight checks "
                        + "explain \(name.shown(limit: 200)) says what it is about"
                )
            }
            let chosen = invocation[number]
            if let chosen, chosen > text.count {
                throw ConfigurationError(
                    file: "--number \(chosen)",
                    "\(name.shown(limit: 200)) was seen in \(counted(text.count, "request"))"
                )
            }
            Terminal.print(text.text(number: chosen, authorities: invocation[authorities]))
        }
    )

    private static let finding: Argument<String> = .operand(
        .finding,
        "The check that failed, the step that broke (sign-in), or the place that findings are about (/issuer)."
    )
    private static let evidence: Argument<String> = .required(
        "--evidence",
        .file(),
        group: Heading.judging,
        "A file written by check --save-evidence."
    )
    private static let number: Argument<Int?> = .option(
        "--number",
        .integer(in: 1...Int.max),
        group: Heading.reports,
        "Only this one, where a finding was seen in several requests.",
        standing: "all of them"
    )
    private static let authorities: Argument<String?> = .option(
        "--ca-file",
        .file(),
        group: Heading.connection,
        "The file that the command names for a host which no authority of the system vouches for.",
        standing: "the variable OIDC_CA_FILE"
    )

    /// The judgements of the evidence, by each profile that it was collected for.
    private static func judged(_ saved: SavedEvidence, _ profile: String?) throws -> [Report] {
        var options = RunOptions()
        options.profiles = try profile.map { try JointRun.names(stated: $0, at: "--profile") }
        let runs = try PreparedRuns(
            handedIn: saved.configuration,
            upTo: saved.evidence.tier,
            options,
            Files.environment
        )
        return runs.conclude([JointEvidence(saved.evidence)], now: Terminal.now()).report.targets[0].report.reports
    }

    /// Why there is no finding of that name, and what to ask for instead.
    private static func whyNone(_ name: String, _ reports: [Report]) -> String {
        var names: [String] = []
        for known in reports.flatMap(CurlText.names) where !names.contains(known) { names.append(known) }
        let some = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? " and \(names.count - 12) more" : "")
        let others = names.isEmpty ? "; nothing failed in this evidence" : "; what failed: \(some)"
        if Cause.Rung.allCases.contains(where: { $0.key == name }) {
            return "the step \(name) did not break in this evidence\(others)"
        }
        let id = CheckID(written: name)
        guard let entry = reports.lazy.flatMap(\.entries).first(where: { $0.id == id }) else {
            let near = NearestWord.of(name, among: names + PreflightRun.checks.map(\.id.rawValue))
            return "no check, step or place of a finding is called \(name.quoted)"
                + (near.map { "; did you mean \($0.quoted)?" } ?? others)
        }
        if case .passed = entry.verdict { return "\(id) passed: there is no finding to show again\(others)" }
        return "\(id) was not judged (\((entry.verdict.reason ?? "").shown(limit: 300)))\(others)"
    }
}

extension Kind where Value == String {
    /// What ``CurlText`` takes: a check, a step, a place.
    fileprivate static var finding: Self {
        let words: @Sendable () -> [Candidate] = {
            Candidate.checks
                + Cause.Rung.allCases.filter { $0 != .limit }.map { Candidate($0.key, "what this step broke with") }
        }
        return Kind("FINDING", completion: .words(words)) { $0.isEmpty ? .failure(.empty) : .success($0) }
    }
}
