import Foundation
import Testing

@testable import Browsing

@Suite("start of a driver", .timeLimit(.minutes(1)))
struct DriverStartTests {
    struct Ending: Sendable, CustomTestStringConvertible {
        let script: String
        let message: String
        var testDescription: String { script }
    }

    static let endings = [
        Ending(
            script: "echo starting; echo 'libnss3.so: cannot open shared object file' >&2; exit 127",
            message: "ended before it reported its address (status 127): libnss3.so: cannot open shared object file"
        ),
        Ending(script: "kill -s TERM $$", message: "ended before it reported its address (signal 15)"),
        Ending(script: "exit 0", message: "ended before it reported its address (status 0)"),
    ]

    @Test(arguments: endings) func `the message has the status and the last words of a driver that ends`(
        ending: Ending
    ) async {
        let launch = DriverProcess.Launch(
            program: "/bin/sh",
            arguments: { _ in ["-c", ending.script] },
            variables: [],
            prepare: { _ in },
            port: { _ in nil },
            file: nil
        )
        await #expect(throws: BrowserFailure("/bin/sh " + ending.message)) {
            _ = try await DriverProcess.start(launch, CommandLimit(own: 60) { nil })
        }
    }

    @Test func `a driver whose port is in use is started again`() async throws {
        let mark = FileManager.default.temporaryDirectory.appending(path: "oidc-preflight-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: mark) }
        let launch = DriverProcess.Launch(
            program: "/bin/sh",
            arguments: { _ in ["-c", "mkdir \(mark.path) && exit 1; echo 4711; exec sleep 300"] },
            variables: [],
            prepare: { _ in },
            port: { $0.contains("4711\n") ? 4711 : nil },
            file: nil
        )
        let process = try await DriverProcess.start(launch, CommandLimit(own: 60) { nil })
        #expect(process.port == 4711)
        await process.stop()
    }
}
