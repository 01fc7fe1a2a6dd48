import Catalogue
import Conformance
import Preflight
import Testing

/// The fix of the first finding of each check's first fault must fix that fault.
@Suite("Advice", .timeLimit(.minutes(5)))
struct AdviceTests {
    /// Words of a generic fix, with the checks that may use it and the reason for each.
    struct Phrase: Sendable, CustomTestStringConvertible {
        var words: String
        var allowed: [CheckID: String]
        var testDescription: String { words }
    }

    static let phrases = [
        Phrase(
            words: "provider's log",
            allowed: [
                "transport.answers.are-no-server-errors":
                    "a server error does not show its cause, but the log does",
                "authorization.flow.succeeds": "the error came without a description; the registration is named",
                "token.refresh.succeeds": "the specific fix comes first",
                "platform.firebase.request.is-accepted": "the specific fix comes first",
            ]
        ),
        Phrase(
            words: "use the issuer that the provider's documentation names",
            allowed: [
                "discovery.response.status-is-200":
                    "status 404: nothing is at this URL, which the user may have mistyped"
            ]
        ),
        Phrase(
            words: "register the issuer exactly",
            allowed: ["platform.firebase.id-token.iss-is-the-registered-issuer": "the platform compares these two"]
        ),
        Phrase(words: "sign_in.steps or", allowed: [:]),
        Phrase(words: "see the documentation", allowed: [:]),
        Phrase(words: "contact", allowed: [:]),
        Phrase(words: "check the configuration of", allowed: [:]),
    ]

    @Test("only listed checks give generic advice, each for a reason", arguments: phrases)
    func isRare(phrase: Phrase) {
        let saying = Example.all.filter { $0.fix.lowercased().contains(phrase.words) }.map(\.check)
        #expect(Set(saying) == Set(phrase.allowed.keys))
    }

    @Test("only checks that are not errors may advise that nothing needs to change")
    func nothing() {
        let errors = Set(Catalogue.all.filter { $0.requirement.level == .error }.map(\.id))
        let idle = Example.all.filter { example in
            ["Nothing", "No change"].contains { example.fix.hasPrefix($0) } && errors.contains(example.check)
        }
        #expect(idle.map(\.check) == [])
    }

    @Test("advice is a sentence, does not repeat the finding, and begins with a capital letter")
    func sentences() {
        for example in Example.all {
            let fix = example.fix
            #expect(fix.last == "." && fix != example.message, "\(example.check): \(fix)")
            #expect(fix.first?.isUppercase == true, "\(example.check): \(fix)")
        }
    }

    @Test("the advice does not name the status that was found")
    func statuses() {
        for example in Example.all where example.pointer == "status" {
            let found = (example.found ?? "").replacing("HTTP status ", with: "")
            #expect(!example.fix.contains("with status \(found)"), "\(example.check): \(example.fix)")
        }
    }

    /// A finding's first sentence names the defect; the scenarios in which it was observed follow.
    @Test("a finding does not begin with the title of a scenario")
    func first() {
        let titles = Set(Scenario.catalogue.map(\.title))
        for example in Example.all {
            let beginning = String(example.message.prefix { $0 != ":" })
            #expect(beginning == example.message || !titles.contains(beginning), "\(example.check)")
        }
    }
}
