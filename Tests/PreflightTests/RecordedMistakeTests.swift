import Conformance
import Preflight
import Profiles
import TestSupport
import Testing

/// Files with mistakes, and the messages about each.
struct RecordedMistake {
    let name: String
    let text: String
    /// One line a problem.
    let problems: [String]

    /// The cases of `Fixtures/yaml/NAME-with-mistakes.txt.gz`.
    static func all(of name: String) async throws -> [RecordedMistake] {
        let file = try await Fixture.bytes("yaml/\(name)-with-mistakes.txt.gz")
        let parts = String(decoding: file, as: UTF8.self).split(separator: "\n### ").dropFirst()
        return parts.map { part in
            var lines = part.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            if lines.last == "" { lines.removeLast() }
            let end = lines.firstIndex { $0.hasPrefix(">>>") } ?? lines.endIndex
            let start = lines.lastIndex { $0.hasPrefix(">>>") } ?? lines.endIndex
            return RecordedMistake(
                name: lines[0],
                text: lines[1..<end].map { $0 + "\n" }.joined(),
                problems: Array(lines[start...].dropFirst())
            )
        }
    }

    func expect(_ read: () throws -> Void) {
        do {
            try read()
            #expect(problems.isEmpty, "\(name)")
        } catch let error as ConfigurationError {
            #expect(error.problems.map(\.description) == problems, "\(name)")
        } catch {
            Issue.record("\(name): \(error)")
        }
    }
}

@Suite("Messages about files with mistakes", .timeLimit(.minutes(5)))
struct RecordedMistakeTests {
    private static let checks = PreflightRun.checks.map(\.id)

    @Test("the messages about mistakes in a configuration match the recorded ones")
    func configurations() async throws {
        let variables = ["OIDC_CLIENT_SECRET": "s3cret", "OIDC_PASSWORD": "pass word"]
        let environment = Environment(
            variable: { variables[$0] },
            readFile: { path in
                switch path {
                case "secret.txt": .success(Array("from file\n".utf8))
                case "empty.txt": .success([])
                default: .failure(FileError(path: path, reason: "no such file"))
                }
            }
        )
        let mistakes = try await RecordedMistake.all(of: "configurations")
        #expect(mistakes.count >= 110)
        for mistake in mistakes {
            mistake.expect {
                let reader = ConfigurationReader(environment)
                _ = try reader.read(mistake.text, file: "preflight.yaml", checks: Self.checks)
            }
        }
    }

    @Test("the messages about mistakes in a profile match the recorded ones")
    func profiles() async throws {
        let mistakes = try await RecordedMistake.all(of: "profiles")
        #expect(mistakes.count >= 35)
        for mistake in mistakes {
            mistake.expect {
                let library = ProfileLibrary(checks: Self.checks) { _ in Array(mistake.text.utf8) }
                _ = try library.profile("./mine.yaml")
            }
        }
    }

    @Test("a file that is not UTF-8 is refused by its encoding")
    func encodings() {
        let reader = ConfigurationReader(Environment(variable: { _ in nil }, readFile: { _ in .success([]) }))
        let bytes: [UInt8] = [0xFF, 0xFE] + Array("issuer: x".utf16).flatMap { [UInt8(truncatingIfNeeded: $0), 0] }
        let error = #expect(throws: ConfigurationError.self) {
            _ = try reader.read(bytes, file: "preflight.yaml", checks: [])
        }
        #expect(error?.description == "preflight.yaml:1:1: the text is encoded in UTF-16: save it as UTF-8")
    }
}
