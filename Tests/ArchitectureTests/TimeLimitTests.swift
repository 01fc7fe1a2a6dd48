import Foundation
import Testing

/// No test can hang: each belongs to a suite with a time limit.
@Suite("Time limits of the tests", .timeLimit(.minutes(5)))
struct TimeLimitTests {
    /// The target of a test and the name of its outermost type.
    private struct SuiteName: Hashable {
        let target: String
        let type: String
    }

    /// The suites with a time limit, and the place of the first test of each outermost type, read from the sources.
    private struct Tests {
        var limited: Set<SuiteName> = []
        var places: [SuiteName: String] = [:]

        /// Reads a file in the layout that `swift format` enforces: outermost declarations begin in the first column.
        mutating func read(_ file: Repository.SourceFile) {
            let target = String(file.path.split(separator: "/")[1])
            var attribute = ""
            var suite = SuiteName(target: target, type: "a test outside of a type")
            for (index, line) in file.lines.enumerated() {
                if line.hasPrefix("@Suite") { attribute = "" }
                if line.first != " " { attribute += line } else if attribute.hasPrefix("@Suite") { attribute += line }
                if let name = Self.declaredType(line) {
                    suite = SuiteName(target: target, type: name)
                    if attribute.hasPrefix("@Suite"), attribute.contains(".timeLimit(") { limited.insert(suite) }
                    attribute = ""
                }
                let isTest = line.drop { $0 == " " }.hasPrefix("@Test")
                if isTest, places[suite] == nil { places[suite] = "\(file.path):\(index + 1)" }
            }
        }

        private static func declaredType(_ line: String) -> String? {
            guard line.first != " ", !line.hasPrefix("//"),
                let match = line.firstMatch(of: #/(?:^|[ )])(?:struct|enum|class|actor|extension) (\w+)/#)
            else { return nil }
            return String(match.1)
        }
    }

    private static func tests(of files: [Repository.SourceFile]) -> Tests {
        var tests = Tests()
        for file in files { tests.read(file) }
        return tests
    }

    /// The sources of the test targets.
    private static func sources() throws -> [Repository.SourceFile] {
        try Repository.swiftFiles(in: "Tests").filter { $0.path.split(separator: "/")[1].hasSuffix("Tests") }
    }

    @Test("every suite has a time limit")
    func limits() throws {
        let tests = Self.tests(of: try Self.sources())
        #expect(tests.places.count > 150)
        for (suite, place) in tests.places.sorted(by: { $0.value < $1.value }) where !tests.limited.contains(suite) {
            Issue.record("\(place): \(suite.type) has no .timeLimit")
        }
    }

    @Test("a test that uses the machine's clock has a comment with the reason, or runs in a phase")
    func time() throws {
        let words = ["Task." + "sleep", "us" + "leep(", "Continuous" + "Clock", "Suspending" + "Clock"]
        for file in try Self.sources() where !file.lines.contains(where: { $0.contains(".phase(.") }) {
            for (index, line) in file.lines.enumerated() where words.contains(where: line.contains) {
                let before = file.lines[max(0, index - 3)..<index]
                #expect(
                    before.contains { $0.contains("// ") },
                    "\(file.path):\(index + 1) takes time: inject a clock, or wait for an event"
                )
            }
        }
    }

    @Test(
        "a suite without a limit is found",
        arguments: [
            ("@Suite struct A {\n    @Test func a() {}\n}", false),
            ("@Suite(\"A\", .timeLimit(.minutes(5)))\nstruct A {\n    @Test func a() {}\n}", true),
            ("@Suite(\n    \"A\",\n    .timeLimit(.minutes(5))\n)\nstruct A {\n    @Test func a() {}\n}", true),
            ("@Suite(.timeLimit(.minutes(5))) struct B {}\nstruct A {\n    @Test func a() {}\n}", false),
            ("@Suite(.timeLimit(.minutes(5))) struct A {}\n\nextension A {\n    @Test func a() {}\n}", true),
            ("@Test func a() {}", false),
        ]
    )
    func finding(text: String, isLimited: Bool) {
        let lines = text.components(separatedBy: "\n")
        let tests = Self.tests(of: [Repository.SourceFile(path: "Tests/SomeTests/A.swift", lines: lines)])
        #expect(tests.places.count == 1)
        #expect(tests.limited.isSuperset(of: tests.places.keys) == isLimited)
    }
}
