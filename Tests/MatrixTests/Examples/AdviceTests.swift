import Catalogue
import Conformance
import Preflight
import Testing

/// What the first finding of each check's first fault says should be done: something that mends this fault.
@Suite("Advice", .timeLimit(.minutes(5)))
struct AdviceTests {
    /// Words of a fix that suits many faults and mends few, with the checks that may say it, each for a reason.
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
                    "a server error says nothing of its cause, which its log does",
                "authorization.flow.succeeds": "the error came without a description; the registration is named",
                "token.refresh.succeeds": "what is to be done stands before it",
                "platform.firebase.request.is-accepted": "what is to be done stands before it",
            ]
        ),
        Phrase(
            words: "register the issuer that",
            allowed: [
                "discovery.response.status-is-200":
                    "status 404: nothing is at this address, which the user may have written"
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

    @Test("generic advice is given where nothing better can be, and a reason says why", arguments: phrases)
    func isRare(phrase: Phrase) {
        let saying = Example.all.filter { $0.fix.lowercased().contains(phrase.words) }.map(\.check)
        #expect(Set(saying) == Set(phrase.allowed.keys))
    }

    @Test("nothing need be done only where the check keeps nobody out by itself")
    func nothing() {
        let errors = Set(Catalogue.all.filter { $0.requirement.level == .error }.map(\.id))
        let idle = Example.all.filter { example in
            ["Nothing", "No change"].contains { example.fix.hasPrefix($0) } && errors.contains(example.check)
        }
        #expect(idle.map(\.check) == [])
    }

    @Test("advice is a sentence, does not repeat the finding, and begins with what to do")
    func sentences() {
        for example in Example.all {
            let fix = example.fix
            #expect(fix.last == "." && fix != example.message, "\(example.check): \(fix)")
            #expect(fix.first?.isUppercase == true, "\(example.check): \(fix)")
        }
    }

    @Test("a status that was found is not what is advised")
    func statuses() {
        for example in Example.all where example.pointer == "status" {
            let found = example.found ?? ""
            #expect(!example.fix.contains("with status \(found)"), "\(example.check): \(example.fix)")
        }
    }

    /// A finding's first sentence names the defect; of which conversations it was seen stands behind it.
    @Test("a sentence begins with no conversation")
    func first() {
        let titles = Set(Scenario.catalogue.map(\.title))
        for example in Example.all {
            let beginning = String(example.message.prefix { $0 != ":" })
            #expect(beginning == example.message || !titles.contains(beginning), "\(example.check)")
        }
    }
}
