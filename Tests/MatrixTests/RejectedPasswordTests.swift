import Conformance
import OIDCPreflight
import Preflight
import ReferenceProvider
import Synchronization
import Testing
import Transport

/// Accounts lock by user, so a rejected password is sent once per invocation, not once per run.
@Suite(.timeLimit(.minutes(5))) struct RejectedPasswordTests {
    @Test(
        arguments: [
            // Scripts name their origin, so these platforms need two runs.
            (["openid", "spa"], 1, "wrong", 1), (["openid"], 2, "wrong", 1),
            (["openid", "spa"], 2, "wrong", 1),
            // The password is right: every run signs in.
            (["openid", "spa"], 1, nil, 2), (["openid"], 2, nil, 2),
        ] as [([String], Int, String?, Int)]
    )
    func `a rejected password is not sent again for another platform or target`(
        _ profiles: [String],
        _ targets: Int,
        _ password: String?,
        _ atLeast: Int
    ) async throws {
        let provider = try UnservedProvider(ReferenceProviderConfiguration())
        let persona = provider.persona
        let passwords = Mutex(0)
        var configuration = Configuration(target: provider.target())
        let secret = password.map { Conformance.Secret($0) } ?? persona.credentials.password
        configuration.signIn(as: persona.credentials.username, password: secret)
        configuration.takeClientSecrets(from: persona.clientSecret)
        configuration.way = .inMemory(provider.origins) { request in
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            if body.contains("password=") { passwords.withLock { $0 += 1 } }
            return await provider.answer(request)
        }
        var options = RunOptions()
        options.profiles = profiles
        let targets = Array(repeating: (configuration: configuration, options: options), count: targets)
        let runs = try PreparedRuns(targets, Laboratory.environment)
        #expect(runs.targets.allSatisfy { $0.runCount == profiles.count })
        let reports = runs.targets.flatMap(\.runs).count
        var judged: [Conformance.Report] = []
        await runs.collect { judged += $0.judge($1, now: 0).reports }
        let sent = passwords.withLock(\.self)
        guard password != nil else {
            #expect(sent >= atLeast)
            return
        }
        #expect(sent == 1)
        #expect(judged.count == reports)
        for report in judged {
            #expect(report.outcome.gate != .open)
            #expect(report.causes.contains { $0.isRefusedPassword }, "\(report.causes)")
        }
        // A run that sends nothing quotes no page as the provider's answer.
        let quoting = judged.flatMap(\.causes).compactMap(\.words)
        #expect(Set(quoting).count == 1, "\(quoting)")
    }
}
