import Conformance
import Foundation
import JSONTree
import Preflight
import Reporting
import Synchronization
import TestSupport
import Testing

/// No output of a run contains a secret, whatever the provider returns and however it spells it.
@Suite(.serialized, .phase(.hostile), .timeLimit(.minutes(20))) struct LeakTests {
    /// A run with all its output: reports in each format and verbosity, evidence, progress.
    ///
    /// - Parameter isWritten: Whether the output is redacted once more, as the commands do before writing.
    private static func outputs(
        of provider: EchoProvider,
        isWritten: Bool
    ) async throws -> [(name: String, text: String)] {
        var target = Target(issuer: provider.issuer)
        target.client = Client(id: EchoProvider.clientID, authentication: .clientSecretBasic, hasSecret: true)
        target.redirectURI = EchoProvider.redirectURI
        target.flows = ["code"]
        var configuration = Configuration(target: target)
        configuration.signIn(as: "user", password: Secret(EchoProvider.Canary.password.rawValue))
        configuration.takeClientSecrets { _ in Secret(EchoProvider.Canary.clientSecret.rawValue) }
        // With concurrency, a response may repeat a secret that another response is still delivering.
        configuration.concurrency = 1
        // This provider has no sessions, and the test must not wait in real time.
        configuration.limits.signInsPerMinute = 600
        let run = try PreflightRun(
            configuration: configuration,
            profile: "openid",
            environment: Environment(
                variable: { _ in nil },
                readFile: { .failure(FileError(path: $0, reason: "no such file")) }
            )
        )
        let reported = Mutex("")
        let evidence = await run.collect { progress in reported.withLock { $0 += "\(progress)\n" } }
        let report = run.judge(evidence, now: evidence.endedAt)
        var outputs = [(name: "progress", text: reported.withLock { $0 })]
        outputs.append(("evidence", String(decoding: try PreflightRun.encode(evidence), as: UTF8.self)))
        for format in ReportFormat.allCases { outputs.append((format.rawValue, format.render(report))) }
        for verbosity in ReportOptions.Verbosity.allCases {
            let options = ReportOptions(width: 120, verbosity: verbosity, explains: true)
            outputs.append(("text \(verbosity)", ReportFormat.text.render(report, options: options)))
        }
        guard isWritten else { return outputs }
        return outputs.map { ($0.name, run.withoutSecrets($0.text, isJSON: ["json", "evidence"].contains($0.name))) }
    }

    /// The readable forms of a text: itself, and its decoded JSON strings.
    private static func readings(_ text: String) -> [String] {
        guard let root = try? JSONDocument.parse(Array(text.utf8), depthLimit: 1_024).root else { return [text] }
        var strings: [String] = []
        collect(root, &strings)
        let inside = strings.filter { $0.hasPrefix("{") }.flatMap(readings)
        return [text, strings.joined(separator: "\n")] + inside
    }

    private static func collect(_ value: JSON, _ strings: inout [String]) {
        switch value {
        case .string(let text): strings.append(text)
        case .array(let elements): for element in elements { collect(element, &strings) }
        case .object(let object):
            for member in object.members {
                strings.append(member.name)
                collect(member.value, &strings)
            }
        default: break
        }
    }

    /// Whether bytes contain a text; Swift's own string search is many times slower.
    private static func contains(_ bytes: Data, _ text: String) -> Bool { bytes.range(of: Data(text.utf8)) != nil }

    /// The number of forms searched for, and those that were found.
    private static func leaks(in outputs: [(name: String, text: String)]) -> (looked: Int, found: [String]) {
        var looked = 0
        var found: Set<String> = []
        for output in outputs {
            let readings = Self.readings(output.text).map { Data($0.lowercased().utf8) }
            for secret in EchoProvider.Canary.allCases {
                for spelling in Spelling.allCases {
                    let form = spelling.write(secret.rawValue).lowercased()
                    looked += 1
                    if readings.contains(where: { Self.contains($0, form) }) {
                        found.insert("\(secret).\(spelling) in \(output.name)")
                    }
                }
                // A truncated secret leaks as well.
                let beginning = String(secret.rawValue.prefix(12)).lowercased()
                if readings.contains(where: { Self.contains($0, beginning) }) {
                    found.insert("\(secret), cut off, in \(output.name)")
                }
            }
        }
        return (looked, found.sorted())
    }

    /// Documents fetched during a sign-in may repeat secrets of that sign-in, which are redacted at the end of the run.
    @Test(arguments: [false, true])
    func `no secret is reported, in whatever spelling, place and output`(isWritten: Bool) async throws {
        let silent: Set<EchoProvider.Place> = isWritten ? [] : [.discovery, .keySet]
        let provider = EchoProvider(silent: silent)
        let outputs = try await Self.outputs(of: provider, isWritten: isWritten)
        let (looked, found) = Self.leaks(in: outputs)
        if let folder = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_LEAKS"], !found.isEmpty {
            for output in outputs {
                try output.text.write(toFile: folder + "/" + output.name, atomically: true, encoding: .utf8)
            }
        }
        #expect(found.isEmpty, "\(found.count): \(found.prefix(60).joined(separator: "\n"))")
        #expect(provider.reported == Set(EchoProvider.Place.allCases).subtracting(silent))
        #expect(outputs.first { $0.name == "evidence" }?.text.contains("(client_secret:") == true)
        let places = provider.reported.count
        print(
            "leaks: \(EchoProvider.Canary.allCases.count) secrets × \(Spelling.allCases.count) spellings × "
                + "\(places) places × \(outputs.count) outputs = \(looked * places) combinations, "
                + "\(provider.requests) requests, "
                + "\(outputs.reduce(0) { $0 + $1.text.utf8.count } / 1_024) KiB looked through, \(found.count) found"
        )
    }

    @Test func `no secret is reported of the pages that a sign-in met`() async throws {
        let provider = EchoProvider(silent: [.discovery, .keySet], refuses: true)
        let outputs = try await Self.outputs(of: provider, isWritten: false)
        let (_, found) = Self.leaks(in: outputs)
        #expect(found.isEmpty, "\(found.count): \(found.prefix(60).joined(separator: "\n"))")
        #expect(provider.reported.isSuperset(of: [.htmlTitle, .htmlAlert, .htmlLabel]))
        let json = try #require(outputs.first { $0.name == "json" }?.text)
        let pages = try JSONDocument.parse(json).root["causes"]?.arrayValue?.first?["pages"]?.arrayValue ?? []
        #expect(pages.count == 2)
        #expect(pages.allSatisfy { $0["fields"]?.arrayValue?.count == 2 })
        #expect(pages.first?["title"]?.stringValue?.contains("-characters)") == true)
    }

    @Test func `baseline: a sign-in succeeds at the same provider without echoes`() async throws {
        let outputs = try await Self.outputs(of: EchoProvider(isSound: true), isWritten: false)
        let json = try #require(outputs.first { $0.name == "json" }?.text)
        let root = try JSONDocument.parse(json).root
        let entries = root["entries"]?.arrayValue ?? []
        let verdict = entries.first { $0["id"]?.stringValue == "authorization.flow.succeeds" }?["verdict"]?.stringValue
        #expect(verdict == "passed")
    }
}
