import Browsing
import Foundation
import LoopbackServer
import OtherPrograms
import TestSupport
import Testing

/// The driver and the browser end with the program that started them, however it ends.
@Suite(
    "The browser's processes",
    .serialized,
    .phase(.browsers),
    .timeLimit(.minutes(5)),
    .oracle(Installed.anyBrowser)
)
struct BrowserProcessTests {
    /// The processes whose command line or environment names a folder, as Linux lists them.
    private static func processes(naming folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { name in
            guard Int(name) != nil else { return false }
            return ["cmdline", "environ"]
                .contains { file in
                    let bytes = FileManager.default.contents(atPath: "/proc/\(name)/\(file)") ?? Data()
                    return String(decoding: bytes, as: UTF8.self).contains(folder)
                }
        }
    }

    /// Whether no process is left; returns as soon as that is true.
    private static func isGone(_ folder: String) async throws -> Bool {
        for _ in 0..<200 {
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            if processes(naming: folder + "/oidc-preflight-browser").isEmpty, files.isEmpty { return true }
            try await Task.sleep(nanoseconds: 50_000_000)
        }
        return false
    }

    /// - Parameter name: The prefix of its name; a browser cannot create its sockets in a folder with a long path.
    private static func temporaryFolder(_ name: String = "b") throws -> String {
        let folder = "/tmp/\(name)-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    /// The ways in which a program ends.
    enum End: String, CaseIterable, CustomTestStringConvertible {
        case interrupted, terminated, killed

        var testDescription: String { rawValue }

        var signal: Int32 {
            switch self {
            case .interrupted: SIGINT
            case .terminated: SIGTERM
            case .killed: SIGKILL
            }
        }
    }

    /// The tests of these suites run in the installed browsers; this one is skipped, or fails, for each missing browser.
    @Test("every browser can be driven on this machine", arguments: BrowserKind.allCases)
    func isInstalled(browser: BrowserKind) async throws {
        try await Installed.oracle(browser).require()
    }

    @Test(
        "no process of the browser is left if a signal ends the program",
        arguments: Installed.browsers,
        End.allCases
    )
    func ended(browser: BrowserKind, by end: End) async throws {
        try await open(browser, in: try Self.temporaryFolder(), until: end)
    }

    @Test(
        "a browser starts although the path of the temporary folder is too long for its sockets",
        arguments: Installed.browsers
    )
    func longName(browser: BrowserKind) async throws {
        let folder = try Self.temporaryFolder(String(repeating: "long-", count: 20))
        try await open(browser, in: folder, until: .interrupted, browserIsElsewhere: true)
    }

    @Test(
        "Firefox contacts no host except the page's, neither by its resolver nor by its proxy",
        .oracle(Installed.oracle(.firefox))
    )
    func isQuiet() async throws {
        let work = try Self.temporaryFolder("log")
        defer { try? FileManager.default.removeItem(atPath: work) }
        // The browser's proxy reaches every host but the page's through this one.
        let outside = LoopbackServer { _ in LoopbackReply(502) }
        let environment = [
            "MOZ_LOG": "sync,nsHostResolver:5", "MOZ_LOG_FILE": work + "/firefox", "https_proxy": outside.url,
            "http_proxy": outside.url, "no_proxy": "",
        ]
        // It sends its own requests in the first seconds.
        let folder = try Self.temporaryFolder()
        try await open(.firefox, in: folder, until: .terminated, after: 10, environment: environment)
        let files = try FileManager.default.contentsOfDirectory(atPath: work)
        let lines = files.compactMap { FileManager.default.contents(atPath: work + "/" + $0) }
            .flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
        let hosts = lines.compactMap { line in
            line.firstRange(of: "Resolving host [").map { String(line[$0.upperBound...].prefix { $0 != "]" }) }
        }
        #expect(hosts.contains("127.0.0.1"), "the log does not contain the proxy: \(files)")
        #expect(Set(hosts).subtracting(["127.0.0.1", "localhost"]).isEmpty, "\(Set(hosts))")
        #expect(outside.requests.map(\.target) == [])
    }

    /// - Parameter seconds: The time for which the page stays open.
    private func open(
        _ browser: BrowserKind,
        in folder: String,
        until end: End,
        after seconds: Double = 0,
        environment: [String: String] = [:],
        browserIsElsewhere: Bool = false
    ) async throws {
        let work = try Self.temporaryFolder()
        defer { for path in [folder, work] { try? FileManager.default.removeItem(atPath: path) } }
        // A page on which a browser waits for a script that never arrives.
        let server = LoopbackServer { connection in
            while let request = connection.readRequest() {
                switch request.path {
                case "/.well-known/openid-configuration":
                    let issuer = "http://127.0.0.1:\(request.header("Host")?.split(separator: ":").last ?? "")"
                    let document = """
                        {"issuer":"\(issuer)","authorization_endpoint":"\(issuer)/auth","token_endpoint":"\(issuer)/token",\
                        "jwks_uri":"\(issuer)/keys","response_types_supported":["code"],"subject_types_supported":["public"],\
                        "id_token_signing_alg_values_supported":["RS256"]}
                        """
                    _ = connection.write(
                        LoopbackReply(200, [("Content-Type", "application/json")], body: Array(document.utf8))
                    )
                case "/never": return connection.pause(milliseconds: 30_000)
                default: _ = connection.write(.page("<p>One moment</p><script src=/never></script>"))
                }
            }
        }
        let file = work + "/preflight.yaml"
        let text = """
            issuer: \(server.url)
            client: { id: c, secret: { env: S }, authentication: client_secret_basic }
            redirect_uri: https://rp.example/cb
            flows: [code]
            sign_in: { username: alice, password: { env: P }, driver: browser }
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = try #require(
            [bundle, root.appendingPathComponent(".build/debug")]
                .map { $0.appendingPathComponent("oidc-preflight").path }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        )
        let running = try RunningProgram(
            path,
            ["try", "--config", file, "--browser", browser.rawValue],
            environment: environment.merging(["TMPDIR": folder, "S": "client-secret", "P": "pass-word"]) { $1 }
        )
        var isOpen = false
        for _ in 0..<400 where !isOpen {
            isOpen = server.requests.contains { $0.path == "/never" }
            if !isOpen { try await Task.sleep(nanoseconds: 50_000_000) }
        }
        #expect(isOpen, "the browser did not open the page")
        #expect(Self.processes(naming: folder + "/oidc-preflight-browser").isEmpty == browserIsElsewhere)
        try await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
        running.send(end.signal)
        _ = try await running.end()
        #expect(try await Self.isGone(folder))
    }
}
