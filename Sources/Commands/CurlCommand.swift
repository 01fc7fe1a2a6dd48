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
        "Print the request that reproduces a finding, as a curl command.",
        text: [
            "Reads the finding from saved evidence, checked by the profile of the run unless --profile names another. Secrets "
                + "become shell variables: comment lines before the command describe each value and mark those "
                + "that can be used only once."
        ],
        examples: [
            .init("oidc-preflight check --config preflight.yaml --save-evidence run.json"),
            .init("oidc-preflight curl discovery.issuer.matches-request --evidence run.json"),
            .init("oidc-preflight curl sign-in --evidence run.json", "the request in which a step failed"),
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
                    "\(name.shown(limit: 200)) comes from the TLS connection, the configuration or a document from a file: there is no "
                        + "HTTP request to repeat. See oidc-preflight checks explain \(name.shown(limit: 200))"
                )
            }
            let chosen = invocation[number]
            if let chosen, chosen > text.count {
                throw ConfigurationError(
                    file: "--number \(chosen)",
                    "\(name.shown(limit: 200)) was found in only \(counted(text.count, "request"))"
                )
            }
            Terminal.print(text.text(number: chosen, authorities: invocation[authorities]))
        }
    )

    private static let finding: Argument<String> = .operand(
        .finding,
        "The check that failed, the step that failed (sign-in), or the place of the findings (/issuer)."
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
        "Print only this request of several.",
        fallback: "all"
    )
    private static let authorities: Argument<String?> = .option(
        "--ca-file",
        .file(),
        group: Heading.connection,
        "The CA file for hosts whose certificates the system does not trust.",
        fallback: "the variable OIDC_CA_FILE"
    )

    /// The reports of the evidence, one for each profile.
    private static func judged(_ saved: SavedEvidence, _ profile: String?) throws -> [Report] {
        var options = RunOptions()
        options.profiles = try profile.map { try JointRun.profiles(stated: $0, at: "--profile") }
        let runs = try PreparedRuns(
            offlineInput: saved.configuration,
            upTo: saved.evidence.tier,
            options,
            Files.environment
        )
        return runs.targets[0].judge(JointEvidence(saved.evidence), now: Terminal.now()).reports
    }

    /// Explains why there is no finding with that name, and lists the available ones.
    private static func whyNone(_ name: String, _ reports: [Report]) -> String {
        var names: [String] = []
        for known in reports.flatMap(CurlText.names) where !names.contains(known) { names.append(known) }
        let some = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? " and \(names.count - 12) more" : "")
        let others = names.isEmpty ? "; nothing failed in this evidence" : "; failed: \(some)"
        if Cause.SignInStep.allCases.contains(where: { $0.key == name }) {
            return "the step \(name) did not fail in this evidence\(others)"
        }
        let id = CheckID(written: name)
        guard let entry = reports.lazy.flatMap(\.entries).first(where: { $0.id == id }) else {
            let near = NearestWord.of(name, among: names + PreflightRun.checks.map(\.id.rawValue))
            return "\(name.quoted) is not a check, a step or the place of a finding"
                + (near.map { "; did you mean \($0.quoted)?" } ?? others)
        }
        if case .passed = entry.verdict { return "\(id) passed: there is no finding to reproduce\(others)" }
        return "\(id) was skipped (\((entry.verdict.reason ?? "").shown(limit: 300)))\(others)"
    }
}

extension Kind where Value == String {
    /// A name for ``CurlText``: a check, a step or a place.
    fileprivate static var finding: Self {
        let words: @Sendable () -> [Candidate] = {
            Candidate.checks
                + Cause.SignInStep.allCases.filter { $0 != .limit }
                .map { Candidate($0.key, "the request in which this step failed") }
        }
        return Kind("FINDING", completion: .words(words)) { $0.isEmpty ? .failure(.empty) : .success($0) }
    }
}
