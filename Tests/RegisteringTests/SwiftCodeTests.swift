import Conformance
import FoundationEssentials
import OtherPrograms
import Registering
import Testing

/// The lines for an app: the compiler accepts them, and a program with them prints the intended values.
@Suite(.timeLimit(.minutes(5))) struct SwiftCodeTests {
    /// The Firebase types that the lines use, reduced to printing their arguments.
    private static let stub = """
        struct AuthCredential {}
        struct AuthDataResult {}
        final class OAuthProvider {
            var scopes: [String]?
            var customParameters: [String: String]?
            let providerID: String
            init(providerID: String) { self.providerID = providerID }
            func credential(with: Int?) async throws -> AuthCredential {
                var words = [providerID] + (scopes ?? [])
                for (name, value) in customParameters ?? [:] { words += [name, value] }
                print(words.map { $0.utf8.map(String.init).joined(separator: ",") }.joined(separator: ";"))
                return AuthCredential()
            }
        }
        struct Auth {
            static func auth() -> Auth { Auth() }
            func signIn(with: AuthCredential) async throws -> AuthDataResult { AuthDataResult() }
        }

        """

    private static func bytes(_ words: [String]) -> String {
        words.map { $0.utf8.map { String($0) }.joined(separator: ",") }.joined(separator: ";")
    }

    @Test func `the compiler accepts the lines, and every text stays unchanged`() async throws {
        // The compiler is slow, so some of the random strings are enough here.
        let strings = HostileValueTests.written + HostileValueTests.strings.suffix(20)
        let files = try strings.map { text in
            try Samples.file(.swift, HostileValueTests.target(text), reason: text).text
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "oidc-preflight-swift-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var program = Self.stub
        for (index, file) in files.enumerated() {
            let code = file.replacing("import FirebaseAuth\n", with: "")
                .replacing("func signInWithProvider", with: "func signIn\(index)")
            program += code + "\n"
        }
        for index in files.indices { program += "_ = try await signIn\(index)()\n" }
        let main = folder.appending(path: "main.swift")
        try Data(program.utf8).write(to: main)
        let alone = folder.appending(path: "alone.swift")
        try Data((try Samples.file(.swift).text).utf8).write(to: alone)
        let parsed = try await OtherProgram.run("swiftc", ["-parse", alone.path, main.path])
        #expect(parsed.code == 0, "\(parsed.errors.suffix(2_000))")
        let binary = folder.appending(path: "program").path
        let compiled = try await OtherProgram.run("swiftc", ["-Onone", main.path, "-o", binary])
        try #require(compiled.code == 0, "\(compiled.errors.suffix(2_000))")
        let answer = try await OtherProgram.run(binary, [])
        let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        #expect(lines == strings.map { Self.bytes(["oidc." + $0, $0, $0, $0]) })
    }

    @Test(
        arguments: [
            ("oidc.acme", ["calendars.read"]), ("microsoft.com", ["calendars.read"]),
            ("github.com", ["email", "profile", "calendars.read"]), ("twitter.com", []),
        ]
    )
    func `scopes are those that Firebase does not request itself`(_ id: String, _ scopes: [String]) throws {
        let text = try Samples.file(.swift, Samples.target { $0.registration.providerID = id }).text
        let list = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(text.contains("provider.scopes = [\(list)]") == !scopes.isEmpty)
        #expect(text.contains("OAuthProvider(providerID: \"\(id)\")"))
    }
}
