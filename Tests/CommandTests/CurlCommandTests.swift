import Foundation
import Testing

/// `oidc-preflight curl`: which request it prints, and why it prints none.
@Suite("The command curl", .timeLimit(.minutes(5)))
struct CurlCommandTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        var testDescription: String { words.joined(separator: " ") }
        var words: [String]
        var evidence = "closed"
        var says: String
    }

    @Test(
        "a finding without a request says why",
        arguments: [
            Refusal(words: ["idtoken.aud.holds-clint"], says: "did you mean “idtoken.aud.holds-client”?"),
            Refusal(
                words: ["idtoken.sub.is-present"],
                says: "idtoken.sub.is-present passed: there is no finding to reproduce"
            ),
            Refusal(words: ["nothing-like-it"], says: "failed: discovery.subject-types-supported.is-present, "),
            Refusal(words: ["idtoken.sub.is-present"], evidence: "undecided", says: "failed: sign-in"),
            Refusal(words: ["sign-in"], says: "the step sign-in did not fail in this evidence"),
            Refusal(words: ["anything-else"], evidence: "open", says: "nothing failed in this evidence"),
            Refusal(words: ["idtoken.aud.holds-client", "--number", "7"], says: "was found in only 1 request"),
        ]
    )
    func refuses(refusal: Refusal) async throws {
        let result = try await Program.run(
            ["curl"] + refusal.words + ["--evidence", try await SavedRun.evidence(refusal.evidence)]
        )
        #expect(result.code == 64 && result.output.isEmpty)
        #expect(result.errors.contains(refusal.says), "\(result.errors)")
    }

    @Test("a document from a file was seen in no exchange")
    func withoutExchange() async throws {
        // Evidence as check keeps it, whose discovery document is said to come from a file.
        let text = try String(contentsOfFile: try await SavedRun.evidence("closed"), encoding: .utf8)
        let folder = try TemporaryFolder()
        let origin = /"origin" : \{\s*"exchange" : \{\s*"_0" : 0\s*\}\s*\}/
        #expect(text.contains(origin))
        let file = try folder.file(
            "run.json",
            text.replacing(origin, with: #""origin" : {"file" : {"_0" : "discovery.json"}}"#)
        )
        let result = try await Program.run(["curl", "discovery.subject-types-supported.is-present", "--evidence", file])
        #expect(result.code == 64)
        #expect(result.errors.contains("HTTP request to repeat"), "\(result.errors)\(result.output)")
    }

    @Test("a failed step is shown by its name, and a place by its findings")
    func names() async throws {
        let broken = try await Program.run(["curl", "sign-in", "--evidence", try await SavedRun.evidence("undecided")])
        #expect(broken.code == 0)
        #expect(broken.output.contains("# The provider rejects the user name or the password."))
        #expect(broken.output.contains("password='\"$OIDC_PASSWORD\""), "\(broken.output)")
        let place = try await Program.run([
            "curl", "/subject_types_supported", "--evidence", try await SavedRun.evidence("closed"),
        ])
        #expect(place.output.contains(".well-known/openid-configuration'"))
    }
}
