import Catalogue
import Conformance
import Preflight
import Testing

@Suite("Examples, Samples", .timeLimit(.minutes(5)))
struct ExampleSamplesTests {
    @Test("every check has a recorded finding, and no removed check has one")
    func everyCheckHasOne() {
        #expect(ExampleRecord.checks == Catalogue.all.map(\.id), "regenerate them with: make examples")
    }

    @Test("the compiled examples match the committed ones")
    func isCompiledIn() {
        #expect(Example.all.map(\.check) == ExampleRecord.checks, "a line has not six columns")
        #expect(Example.all.allSatisfy { !$0.message.isEmpty && !$0.fix.isEmpty })
    }

    @Test("a sentence of a fix has at most 25 words")
    func length() {
        for example in Example.all {
            for sentence in example.fix.split(separator: ". ") where sentence.split(separator: " ").count > 25 {
                Issue.record("\(example.check): \(sentence)")
            }
        }
    }
}
