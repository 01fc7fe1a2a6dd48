import Conformance
import Foundation
import JSONTree
import Preflight
import ReportRecord
import TestSupport

/// A real provider that `Scripts/interop.sh up` has started, read from its description file.
struct RealProvider {
    let name: String
    let scheme: String
    let issuer: String
    let caFile: String?
    let configurationFile: String
    let username: String
    let environment: [String: String]

    /// The folder of the description files; nil if `make` has not started the providers.
    static let folder = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_INTEROP"]

    /// Cancels the current test case if the provider is not running; with `PREFLIGHT_REQUIRE_ORACLES=1` the test fails.
    init(_ name: String) async throws {
        let path = (Self.folder ?? ".") + "/\(name).json"
        if Self.folder == nil {
            try await Oracle("real provider \(name): none was started; run `make interop`") { nil }.require()
        }
        if let reason = try? String(contentsOfFile: (Self.folder ?? ".") + "/\(name).missing", encoding: .utf8) {
            try await Oracle("real provider \(name): \(reason)") { nil }.require()
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let json = try JSONDocument.parse(Array(bytes)).root
        func text(_ key: String) throws -> String {
            guard let text = json[key]?.stringValue else { throw InteropError("\(path) has no \(key)") }
            return text
        }
        self.name = try text("name")
        self.scheme = try text("scheme")
        self.issuer = try text("issuer")
        self.caFile = json["ca_file"]?.stringValue
        self.configurationFile = try text("configuration")
        self.username = try text("username")
        self.environment = [
            "OIDC_CLIENT_SECRET": json["clients"]?["code"]?["secret"]?.stringValue ?? "",
            "OIDC_PASSWORD": try text("password"),
        ]
    }

    /// A single sign-in.
    ///
    /// - Parameters:
    ///   - steps: Replaces the value of `sign_in.steps` in the configuration.
    ///   - change: A change to the sign-in, such as its driver.
    func signIn(
        steps: String?,
        _ change: (inout Configuration) -> Void
    ) async throws -> (trial: SignInTrial, evidence: Evidence) {
        let (configuration, environment) = try configuration(steps: steps, change)
        let run = try PreflightRun(configuration: configuration, environment: environment).signInTrial
        await Turns.shared.enter(issuer)
        let evidence = await run.collect { _ in }
        await Turns.shared.leave(issuer)
        return (run.signInTrial(by: evidence), evidence)
    }

    private func configuration(
        steps: String?? = nil,
        _ change: (inout Configuration) -> Void
    ) throws -> (Configuration, Environment) {
        let variables = environment
        let environment = Environment(
            variable: { variables[$0] },
            readFile: { .failure(FileError(path: $0, reason: "no files here")) }
        )
        var text = try String(contentsOfFile: configurationFile, encoding: .utf8)
        if let steps {
            let own = #/  steps:\n(?: {4}.*\n)+/#
            text = text.replacing(own, with: "")
            if let steps { text = text.replacing("sign_in:\n", with: "sign_in:\n  steps:\n    \(steps)\n") }
        }
        var configuration = try ConfigurationReader(environment)
            .read(text, file: configurationFile, issuer: issuer, checks: PreflightRun.checks.map(\.id))
        if let caFile { configuration.trust(caFile) }
        change(&configuration)
        return (configuration, environment)
    }

    /// A run of the full tier with the rules of the configuration's profile and of further profiles.
    ///
    /// - Parameter mistake: The user's mistake in the configuration.
    func judge(
        for platforms: [String] = [],
        mistake: (inout Configuration) -> Void = { _ in }
    ) async throws -> JointReport {
        let (configuration, environment) = try configuration(mistake)
        let own = try PreflightRun(configuration: configuration, environment: environment)
        let others = try platforms.filter { $0 != own.plan.profile.name }
            .map { try PreflightRun(configuration: configuration, profile: $0, environment: environment) }
        let run = try JointRun(own, others)
        await Turns.shared.enter(issuer)
        let evidence = await run.collect { _ in }
        await Turns.shared.leave(issuer)
        return try ReportRecord.keep(run.judge(evidence, now: evidence.first.endedAt))
    }
}

/// One run at a time per provider: runs share its accounts, and a sign-in of one run changes the `auth_time` of another.
private actor Turns {
    static let shared = Turns()
    private var taken: Set<String> = []
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    func enter(_ issuer: String) async {
        if taken.insert(issuer).inserted { return }
        await withCheckedContinuation { waiting[issuer, default: []].append($0) }
    }

    /// The longest waiting run is next.
    func leave(_ issuer: String) {
        if waiting[issuer]?.isEmpty == false {
            waiting[issuer]?.removeFirst().resume()
        } else {
            taken.remove(issuer)
        }
    }
}

struct InteropError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
