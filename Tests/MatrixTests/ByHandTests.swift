import Conformance
import Flows
import Foundation
import OtherPrograms
import Preflight
import ReferenceProvider
import Reporting
import SignIn
import Synchronization
import TestSupport
import Testing
import Transport

/// A simulated user: passes the URL to a script and pastes its output.
private final class User: Sendable {
    private let lines: AsyncStream<TerminalUser.Line>
    private let feed: AsyncStream<TerminalUser.Line>.Continuation
    private let seen = Mutex<[String]>([])
    private let outputs = Mutex<[String]>([])
    /// Happens when the script has ended.
    let isDone = Event()

    /// The addresses that were shown.
    var addresses: [String] { seen.withLock { $0 } }
    /// The output of the script, or the text of the last page.
    var ends: [String] { outputs.withLock { $0 } }

    init() {
        (lines, feed) = AsyncStream<TerminalUser.Line>.makeStream()
    }

    /// - Parameters:
    ///   - authority: The file with the provider's CA certificate.
    ///   - password: The password that the user types.
    ///   - then: Maps the output of the script to the pasted text.
    func terminal(
        _ authority: String,
        password: String = "correct horse battery staple",
        isAtTerminal: Bool = false,
        then paste: @escaping @Sendable (User, String) -> [TerminalUser.Line] = { [.text($1)] }
    ) -> TerminalUser {
        TerminalUser(
            isAtTerminal: isAtTerminal,
            line: { [lines] _ in
                for await line in lines { return line }
                return .late
            },
            open: { [self] address in
                seen.withLock { $0.append(address) }
                // A user who does not open the URL but pastes one anyway.
                guard !password.isEmpty else {
                    let query = URLComponents(string: address)?.queryItems ?? []
                    let value = { (name: String) in query.first { $0.name == name }?.value ?? "" }
                    for line in paste(self, "\(value("redirect_uri"))?code=c&state=\(value("state"))") {
                        feed.yield(line)
                    }
                    return true
                }
                Task {
                    defer { isDone.happen() }
                    let outcome = try await OtherProgram.run(
                        "python3",
                        [Self.script, authority, address, "alice", password]
                    )
                    let text = outcome.words.trimmingCharacters(in: .whitespacesAndNewlines)
                    outputs.withLock { $0.append(text) }
                    for line in paste(self, text) { feed.yield(line) }
                }
                return true
            }
        )
    }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("CommandTests/sign_in_by_hand.py").path
}

/// Sign-in by hand, with a script as the user.
@Suite("Sign-in by hand", .phase(.sockets), .timeLimit(.minutes(20)))
struct ByHandTests {
    /// A run by hand against the reference provider.
    private static func collect(
        _ user: User,
        flows: [ResponseType] = ["code"],
        redirectURI: String? = nil,
        parameters: [Field] = [],
        seconds: Double = 30,
        faults: [Fault] = [],
        password: String = Account.alice.password.reveal(),
        isAtTerminal: Bool = false,
        then paste: @escaping @Sendable (User, String) -> [TerminalUser.Line] = { [.text($1)] }
    ) async throws -> Laboratory.Run {
        try await Laboratory.collect(
            .standard,
            faults: faults,
            profile: "openid",
            over: .sockets,
            configure: { target in
                target.flows = flows
                target.customParameters = parameters
                if let redirectURI { target.redirectURI = redirectURI }
            },
            mistake: { configuration in
                var byHand = Configuration(target: configuration.target)
                byHand.network = configuration.network
                byHand.takeClientSecrets { _ in RegisteredClient.confidential.secret }
                byHand.signInSettings.driver = .manual
                byHand.signInSettings.manualTimeout = seconds
                let authority = configuration.network.certificateAuthorityFile ?? "-"
                byHand.signInSettings.user = user.terminal(
                    authority,
                    password: password,
                    isAtTerminal: isAtTerminal,
                    then: paste
                )
                configuration = byHand
            },
            provide: { settings in
                guard let redirectURI else { return }
                for index in settings.clients.indices { settings.clients[index].redirectURIs.append(redirectURI) }
            }
        )
    }

    struct Way: Sendable, CustomTestStringConvertible {
        var name: String
        var flows: [ResponseType]
        var parameters: [Field] = []
        /// The host of the listener; `nil` if the response is pasted.
        var host: String?
        var testDescription: String { "\(name), \(host ?? "pasted")" }
    }

    static let ways = [
        Way(name: "query", flows: ["code"]),
        Way(name: "query", flows: ["code"], host: "127.0.0.1"),
        Way(name: "query", flows: ["code"], host: "[::1]"),
        Way(name: "fragment", flows: ["code id_token"]),
        Way(name: "fragment", flows: ["id_token", "code id_token token"], host: "localhost"),
        Way(name: "form_post", flows: ["code"], parameters: [Field("response_mode", "form_post")], host: "127.0.0.1"),
        Way(name: "all three flows", flows: ["code", "id_token", "code id_token"], host: "127.0.0.1"),
    ]

    @Test("every way to receive the response works with one sign-in per flow, and the gate is open", arguments: ways)
    func through(way: Way) async throws {
        let user = User()
        let port = try ReservedPort()
        defer { withExtendedLifetime(port) {} }
        let redirectURI = way.host.map { "http://\($0):\(port.number)/callback?of=the+client" }
        let result = try await Self.collect(
            user,
            flows: way.flows,
            redirectURI: redirectURI,
            parameters: way.parameters
        )
        let report = result.report
        #expect(
            report.outcome.exitCode == 0,
            "\(report.outcome.summary) \(report.causes.map(\.message)) \(user.ends)"
        )
        #expect(user.addresses.count == way.flows.count)
        for type in way.flows {
            #expect(result.evidence.arrival(by: type).value != nil, "\(type): \(user.ends)")
        }
        if way.host != nil { #expect(user.ends.allSatisfy { $0.contains("Done. ") }, "\(user.ends)") }
        #expect(report.notes.contains { $0.hasPrefix("Not tried, because sign-in is by hand") })
        // The checks have the same results as with forms; checks of the sign-in pages are skipped.
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty && $0.closesGate }.map(\.id)
        #expect(failed.isEmpty, "\(failed)")
        #expect(result.evidence.signIns == 0)
        let evidence = String(decoding: try result.evidence.encoded(), as: UTF8.self)
        for end in user.ends {
            guard let query = end.split(separator: "code=").dropFirst().first else { continue }
            #expect(!evidence.contains(query.prefix { $0 != "&" }))
        }
    }

    @Test("an invalid pasted text is reported, and the user is prompted again")
    func wrongPastes() async throws {
        let user = User()
        let result = try await Self.collect(
            user,
            flows: ["code", "id_token"],
            then: { user, address in
                let other = address.replacingOccurrences(of: "state=", with: "state=x")
                let hostile = [
                    "<script>alert(1)</script>", "\u{1B}[2Jhttps://evil.example/?code=a",
                    "https://evil.example/?code=a",
                ]
                return [.tooLong]
                    + (user.addresses + user.ends.dropLast() + [other] + hostile + ["", "<\(address)>"])
                    .map { .text($0) }
            }
        )
        #expect(result.report.outcome.exitCode == 0, "\(result.report.outcome.summary) \(user.ends)")
        #expect(user.addresses.count == 2)
    }

    @Test("if no response arrives in time, the run is inconclusive and prompts for no other sign-in")
    func late() async throws {
        let user = User()
        let result = try await Self.collect(user, flows: ["code", "id_token"], seconds: 1, then: { _, _ in [] })
        try Self.expect(
            result,
            user,
            asked: 1,
            "no response to the sign-in by hand arrived within 1 second",
            "Open the address"
        )
    }

    @Test("responses with a different state are reported with the reason")
    func otherState() async throws {
        let user = User()
        let result = try await Self.collect(
            user,
            seconds: 1,
            password: "",
            then: { [.text($1.replacingOccurrences(of: "state=", with: "state=x"))] }
        )
        try Self.expect(
            result,
            user,
            asked: 1,
            "a response arrived with the state of another request",
            "Open the address"
        )
    }

    @Test("without a terminal, the end of the input is reported at once")
    func nobody() async throws {
        let user = User()
        let result = try await Self.collect(user, seconds: 300, then: { _, _ in [.ended] })
        try Self.expect(result, user, asked: 1, "standard input ended", "Run it at a terminal")
    }

    @Test(
        "if the response is posted elsewhere, the user is not prompted, and the run is inconclusive with the reason",
        arguments: [1, 2]
    )
    func formElsewhere(flows: Int) async throws {
        let user = User()
        let result = try await Self.collect(
            user,
            flows: Array(["code", "code id_token"].prefix(flows)),
            parameters: [Field("response_mode", "form_post")]
        )
        try Self.expect(
            result,
            user,
            asked: 0,
            "a form response cannot be pasted",
            "Register a redirect URI on loopback"
        )
        #expect(result.evidence.exchanges.contains { $0.step.hasSuffix("authorization request, not shown") })
        #expect(!result.evidence.exchanges.contains { $0.step.hasSuffix("by hand") })
        let text = ReportFormat.text.render(result.report, options: ReportOptions(width: 120, verbosity: .brief))
        let words = text.replacing(/\s+/, with: " ")
        #expect(words.contains("a form response cannot be pasted") && words.contains("Inconclusive: "), "\(text)")
    }

    @Test("the evidence records a sign-in by hand as a value, not as a text")
    func fact() async throws {
        let user = User()
        let result = try await Self.collect(user)
        #expect(result.evidence.isByHand == true && result.report.isByHand)
        let read = try Evidence.decode(try result.evidence.encoded())
        #expect(read.isByHand == true)
        var report = result.report
        report.notes = []
        let text = ReportFormat.text.render(report, options: ReportOptions(width: 120, verbosity: .brief))
        #expect(text.contains("signed in by hand"), "\(text)")
    }

    @Test("an error response has the same result as with forms")
    func providerError() async throws {
        let user = User()
        let port = try ReservedPort()
        defer { withExtendedLifetime(port) {} }
        let redirectURI = "http://127.0.0.1:\(port.number)/callback"
        let result = try await Self.collect(
            user,
            redirectURI: redirectURI,
            parameters: [Field("prompt", "none")]
        )
        #expect(result.report.outcome.exitCode == 2, "\(result.report.outcome.summary)")
        #expect(result.report.causes.first?.message.contains("login_required") == true, "\(result.report.causes)")
        // The page may arrive after the run has received the response.
        await user.isDone.wait()
        #expect(user.ends.first?.contains("Done. ") == true, "\(user.ends)")
    }

    private static func expect(
        _ result: Laboratory.Run,
        _ user: User,
        asked: Int,
        _ message: String,
        _ advice: String
    ) throws {
        #expect(result.report.outcome.exitCode == 2, "\(result.report.outcome.summary)")
        #expect(user.addresses.count == asked)
        let cause = try #require(result.report.causes.first)
        #expect(result.report.causes.count == 1, "\(result.report.causes.map(\.message))")
        #expect(cause.signInStep == .signIn && cause.message.contains(message), "\(cause.message)")
        #expect(cause.advice.hasPrefix(advice), "\(cause.advice)")
        let failed = result.report.entries.filter { !$0.verdict.findings.isEmpty && $0.closesGate }.map(\.id)
        #expect(failed.isEmpty, "\(failed)")
    }
}
