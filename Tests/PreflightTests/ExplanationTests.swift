import Catalogue
import Conformance
import Preflight
import Testing

@Suite("Explanation", .timeLimit(.minutes(5)))
struct ExplanationTests {
    private static func text(_ id: CheckID, width: Int = 80) throws -> String {
        try #require(try CatalogueText.explanation(of: id, width: width))
    }

    @Test("every line fits, but for words that cannot be broken", arguments: [40, 59, 60, 80, 200])
    func fits(width: Int) throws {
        for check in PreflightRun.checks {
            for line in try Self.text(check.id, width: width).split(separator: "\n") where line.count > width {
                let words = line.split(separator: " ")
                // A heading may precede a single long word.
                #expect(words.last.map { $0.count > width - 14 } == true, "\(check.id): \(line)")
            }
        }
    }

    @Test("every check is explained with its rule, its requests, its fix and its levels")
    func isWhole() throws {
        for check in PreflightRun.checks {
            let text = try Self.text(check.id)
            for heading in ["Requirement  ", "Source       ", "Why          ", "Sends        ", "Platforms    "] {
                #expect(text.contains("\n" + heading), "\(check.id) lacks \(heading)")
            }
            #expect(text.contains(check.citation.link), "\(check.id)")
            #expect(Example.of(check.id) == nil || text.contains("\nFix          "), "\(check.id)")
        }
    }

    @Test(
        "the consequence has the words of a report",
        arguments: [
            (Consequence.signIn, "breaks sign-in: users"), (.safety, "not safe: an attacker"),
            (.conformance, "does not conform: ordinary sign-ins"),
        ]
    )
    func consequence(_ consequence: Consequence, words: String) throws {
        let check = try #require(Catalogue.all.first { $0.consequence == consequence })
        #expect(try Self.text(check.id, width: 200).contains("\nConsequence  \(words)"))
    }

    @Test("a level changed by a platform has its reason, and issues have their addresses")
    func platforms() throws {
        let text = try Self.text("transport.authority.is-public", width: 200)
        #expect(text.contains("google-identity-platform, because the platform's servers"))
        #expect(text.contains("warning in openid"))
        #expect(text.contains("https://github.com/argoproj/argo-cd/issues/25401"))
        let platform = try Self.text("platform.firebase.request.is-accepted")
        #expect(platform.contains("not checked in openid"))
    }

    /// The identifier of a check names the member of the discovery document that it concerns; a recorded finding names the
    /// member that the check read.
    @Test("the member in a recorded finding is one that its check concerns")
    func concernsWhatItPointsAt() throws {
        var compared = 0
        for check in Catalogue.all where check.id.stage == .discovery && !check.features.isEmpty {
            guard let member = Example.of(check.id)?.pointer?.split(separator: "/").first else { continue }
            let feature = try #require(Feature.ofMember(String(member)), "\(check.id) points at \(member)")
            #expect(check.features.contains(feature), "\(check.id) points at \(member)")
            compared += 1
        }
        #expect(compared > 20)
    }

    @Test("an unknown identifier is not explained")
    func unknown() throws {
        let text = try CatalogueText.explanation(of: "keys.no-such-check", width: 80)
        #expect(text == nil)
    }
}
