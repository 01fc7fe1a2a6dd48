internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

internal import struct OIDCPreflight.PreparedRuns

enum CheckCommand {
    static let command = Command(
        "check",
        "Check an issuer: metadata, keys, TLS and live sign-in.",
        text: [
            "An issuer alone: checks the discovery document, the key set and TLS. A configuration with a client adds "
                + "requests that need no user. A sign_in section adds sign-in flows with a test user."
        ],
        examples: [
            .init("oidc-preflight check https://idp.example.com"),
            .init(
                "oidc-preflight check --config preflight.yaml --report junit=preflight.xml --report markdown=preflight.md"
            ),
            .init("oidc-preflight check https://idp.example.com --only 'keys.*' --fail-on warning"),
            .init("oidc-preflight check https://idp.example.com --profile supabase,kubernetes,vault"),
            .init("oidc-preflight check http://127.0.0.1:8080 --wait-for-issuer 60"),
            .init("oidc-preflight check --target staging", "one target of preflight.yaml; default: all"),
        ],
        arguments: [Options.issuer] + Options.judging + [
            Options.require, Options.baseline, Options.config, Options.target, Options.tier, Options.resource, patient,
        ]
            + Options.driving + Options.connection + [Options.allowIssuer]
            + Options.limits + [waitForIssuer] + Options.reports + [
                Options.screenshots, saveEvidence, saveEvidenceWithSecrets,
            ],
        sections: [Sections.secrets, Sections.environment, Sections.exitCodes],
        objections: { invocation in
            let keepsNothing = invocation[saveEvidenceWithSecrets] && invocation[saveEvidence] == nil
            return Reports.objections(invocation)
                + (keepsNothing ? ["--save-evidence-with-secrets requires --save-evidence FILE"] : [])
        },
        run: run
    )

    private static let saveEvidence: Argument<String?> = .option(
        "--save-evidence",
        .file(),
        group: Heading.reports,
        "Save the collected evidence, for the command judge."
    )
    private static let saveEvidenceWithSecrets: Argument<Bool> =
        .flag(
            "--save-evidence-with-secrets",
            group: Heading.reports,
            "Include tokens and codes in the saved evidence; never the client secret or the password."
        )
        .onCommandLineAlone
    private static let waitForIssuer: Argument<Double?> = .option(
        "--wait-for-issuer",
        .decimal("SECONDS", isAboveZero: true),
        group: Heading.limits,
        "Wait up to SECONDS for the discovery document."
    )
    private static let patient: Argument<Bool> = .flag(
        "--patient",
        group: Heading.sending,
        "Include slow probes: wait 30 seconds to test whether a used code is accepted again."
    )

    private static func run(_ invocation: Invocation) async throws {
        try await ExitCodes.beforeSending {
            let evidenceFile = invocation[saveEvidence]
            let screenshots = Screenshots(invocation)
            var options = try RunOptions(invocation)
            options.keepsSecrets = invocation[saveEvidenceWithSecrets]
            options.slowProbes = invocation[patient] ? .long : .short
            options.required = invocation[Options.require]
            options.baseline = try invocation[Options.baseline].map(EarlierReport.init)?.report(for:)
            let runs = try PreparedRuns(invocation, options, album: screenshots?.album, signsIn: true)
            if invocation[Options.baseline] != nil {
                try runs.demandOneTarget("--baseline", "it is the report of a single run")
            }
            if evidenceFile != nil {
                try runs.demandOneRun(
                    "--save-evidence",
                    "it saves a single run",
                    "save the evidence of one platform at a time"
                )
            }
            let reports = try Reports(invocation, screenshots).ofTargets(runs)
            try reports.prepare()
            if let evidenceFile { try Files.prepare(evidenceFile) }
            let progress = ProgressLine(isQuiet: invocation[Options.quiet])
            let waiting = invocation[waitForIssuer]
            let configuration = Configuration.file(of: invocation)
            let (writer, isSaved) = await Interruption.cancellable {
                var writer = ReportWriter(reports, runs, configuration: configuration)
                var isSaved = true
                await runs.collect(
                    waitingForIssuer: waiting,
                    beginning: progress.begin,
                    progress: progress.handle
                ) { run, evidence in
                    if let evidenceFile {
                        progress.clear()
                        isSaved = save(evidence.first, of: run, to: evidenceFile)
                        writer.evidence = isSaved ? evidenceFile : nil
                    }
                    writer.add(RedactableReport(run, evidence, now: Terminal.now()))
                }
                return (writer, isSaved)
            }
            progress.clear()
            try Interruption.finishing { try writer.finish(isWholeElsewhere: isSaved) }
        }
    }

    /// False if the evidence could not be written; the reports are written anyway.
    private static func save(_ evidence: Evidence, of run: JointRun, to file: String) -> Bool {
        do {
            let text = String(decoding: try PreflightRun.encode(evidence), as: UTF8.self)
            try Files.write(run.withoutSecrets(text, isJSON: true), to: file)
            return true
        } catch {
            Terminal.complain("The evidence was not saved: \(error)")
            return false
        }
    }
}
