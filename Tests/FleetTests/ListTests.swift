import Fleet
import Foundation
import Profiles
import Testing

@Suite("Lists of issuers", .timeLimit(.minutes(5)))
struct ListTests {
    private func read(
        _ text: String,
        _ form: IssuerList.Form = .text,
        file: String = "lists/issuers"
    ) throws -> IssuerList {
        try read(Array(text.utf8), form, file: file)
    }

    private func read(_ bytes: [UInt8], _ form: IssuerList.Form, file: String = "lists/issuers") throws -> IssuerList {
        try IssuerList.read(bytes, file: file, form: form) {
            $0.hasPrefix("http") ? nil : "the issuer “\($0)” is no URL"
        }
    }

    @Test(
        "the same entries are read from every form",
        arguments: [
            (
                IssuerList.Form.text,
                "# all\nhttps://a.example\n\n https://b.example\tvault,kubernetes b.yaml # why\r\nhttps://c.example - c.yaml\n"
            ),
            (
                .csv,
                "issuer,profile,configuration\r\nhttps://a.example,,\r\n\r\n\"https://b.example\",\"vault,kubernetes\",b.yaml\nhttps://c.example,,c.yaml"
            ),
            (
                .csv,
                "\u{FEFF}Configuration, issuer ,profile\n,https://a.example,\nb.yaml,https://b.example,\"vault,kubernetes\"\nc.yaml,https://c.example,\n"
            ),
            (
                .jsonLines,
                """
                {"issuer": "https://a.example"}
                {"profile": "vault,kubernetes", "issuer": "https://b.example", "configuration": "b.yaml"}

                {"issuer": "https://c.example", "profile": null, "configuration": "c.yaml"}
                """
            ),
        ]
    )
    func forms(form: IssuerList.Form, text: String) throws {
        let list = try read(text, form)
        #expect(list.entries.map(\.issuer) == ["https://a.example", "https://b.example", "https://c.example"])
        #expect(list.entries.map(\.profile) == [nil, "vault,kubernetes", nil])
        // Files are relative to the list.
        #expect(list.entries.map(\.configuration) == [nil, "lists/b.yaml", "lists/c.yaml"])
    }

    @Test(
        "a mistake is reported with its line and fix",
        arguments: [
            (
                IssuerList.Form.text, "https://a.example\nidp.example\n",
                "lists/issuers:2: the issuer “idp.example” is no URL"
            ),
            (
                .text, "https://a.example a b c",
                "lists/issuers:1: the line has 4 words; it may contain issuer, profile and configuration"
            ),
            (.text, "https://a.example kubernets", "lists/issuers:1: there is no profile “kubernets”"),
            (.text, "https://a.example\nhttps://b.\u{0}example", "lists/issuers:2: the line contains a NUL byte"),
            (.text, "# nothing\n", "lists/issuers: the list contains no issuer"),
            (.csv, "name,profile\nhttps://a.example,vault", "lists/issuers:1: the first line must name the columns"),
            (.csv, "issuer,profil\nhttps://a.example,vault", "did you mean “profile”?"),
            (
                .csv, "issuer\nhttps://a.example,vault",
                "lists/issuers:2: the line has 2 fields, but the first line names 1"
            ),
            (.csv, "issuer\n\"https://a.example\n", "lists/issuers:2: a quotation mark is not closed"),
            (
                .jsonLines, "{\"issuer\": \"https://a.example\"}\n{\"isuer\": \"x\"}",
                "lists/issuers:2: unknown member “isuer”"
            ),
            (.jsonLines, "{\"issuer\": 7}", "lists/issuers:1: the member “issuer” must be a string"),
            (.jsonLines, "[1]", "lists/issuers:1: the line is not a JSON object"),
            (.jsonLines, "{\"issuer\": ", "lists/issuers:1: the line is not JSON"),
        ]
    )
    func mistakes(form: IssuerList.Form, text: String, reported: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read(text, form) }
        #expect(error.map { "\($0)".contains(reported) } == true, "\(String(describing: error))")
    }

    @Test("bytes that are not text and a line that is too long are reported")
    func hostile() throws {
        let error = #expect(throws: ConfigurationError.self) { try read([0xFF, 0xFE, 0x41], .text) }
        #expect(error.map { "\($0)".contains("not UTF-8") } == true)
        let long = #expect(throws: ConfigurationError.self) {
            try read(Array(("https://" + String(repeating: "a", count: 1 << 20)).utf8), .text)
        }
        #expect(long.map { "\($0)".contains("the line has 1048584 bytes") && "\($0)".utf8.count < 300 } == true)
    }

    @Test("a hundred thousand lines are read, repeated ones once, and at most twenty mistakes are listed")
    func many() throws {
        let lines = (0..<100_000).map { "https://idp-\($0 % 90_000).example\n" }.joined()
        let list = try read(lines)
        #expect(list.entries.count == 90_000 && list.repetitions.count == 10_000)
        #expect(list.repetitions[0] == (90_001, 1))
        let error = #expect(throws: ConfigurationError.self) { try read(lines.replacing("https://", with: "")) }
        #expect(error?.problems.count == 21)
        #expect(error.map { "\($0)".contains("and 99980 more errors") } == true)
    }

    @Test("the same issuer with another profile is a separate entry")
    func rules() throws {
        #expect(
            try read("https://a.example vault\nhttps://a.example kubernetes\nhttps://a.example vault\n").entries.count
                == 2
        )
    }
}

@Suite("The order of issuers", .timeLimit(.minutes(5)))
struct HostQueueTests {
    @Test("a host with a thousand issuers delays no other host, and its limit of concurrent issuers is enforced")
    func fairness() {
        let issuers = (0..<1_000).map { "https://big.example/\($0)" } + (0..<10).map { "https://small-\($0).example" }
        var queue = HostQueue(issuers, perHost: 3) { _ in false }
        var begun: [Int] = []
        while let place = queue.take() { begun.append(place) }
        #expect(begun.count == 13)
        #expect(Set(begun) == Set([0, 1, 2] + Array(1_000..<1_010)))
        queue.finish(1)
        #expect(queue.take() == 3)
        #expect(queue.take() == nil)
        #expect(queue.waiting == 996)
    }

    @Test("every unfinished issuer is returned once", arguments: 1...20)
    func all(seed: UInt64) {
        var chance = Chance(seed)
        let issuers = (0..<300)
            .map { _ in
                "https://h\(Int.random(in: 0..<12, using: &chance)).example/\(UInt16.random(in: 0...UInt16.max, using: &chance))"
            }
        let done = issuers.indices.filter { _ in Bool.random(using: &chance) }
        var queue = HostQueue(issuers, perHost: Int.random(in: 1...4, using: &chance)) { done.contains($0) }
        var begun: [Int] = []
        var running: [Int] = []
        while true {
            if let place = queue.take() {
                begun.append(place)
                running.append(place)
            } else if running.isEmpty {
                break
            } else {
                queue.finish(running.remove(at: Int.random(in: running.indices, using: &chance)))
            }
        }
        #expect(begun.sorted() == issuers.indices.filter { !done.contains($0) })
    }
}
