import Catalogue
import Conformance
import Preflight
import ReferenceProvider
import Testing

@Suite("Examples, Samples", .timeLimit(.minutes(5)))
struct ExampleSamplesTests {
    @Test("every check has a recorded finding, and no check that is gone has one")
    func everyCheckHasOne() {
        #expect(ExampleRecord.checks == Catalogue.all.map(\.id), "write them anew with: make examples")
    }

    @Test("what is compiled in is what is committed")
    func isCompiledIn() {
        #expect(Example.all.map(\.check) == ExampleRecord.checks, "a line has not six columns")
        #expect(Example.all.allSatisfy { !$0.message.isEmpty && !$0.fix.isEmpty })
    }
}
