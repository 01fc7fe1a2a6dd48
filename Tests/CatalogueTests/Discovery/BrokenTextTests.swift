import Conformance
import ReferenceProvider
import Testing

/// Documents that are not JSON, and documents with an unexpected status: each cause has its own fix.
@Suite("Documents that cannot be read", .timeLimit(.minutes(5)))
struct BrokenTextTests {
    private func finding(_ id: CheckID, _ bytes: [UInt8]) throws -> Finding {
        var provider = DocumentProvider()
        provider.hooks.answer = { endpoint, answer in
            if endpoint == .discovery { answer.body = bytes }
        }
        let check = try #require(StaticChecks.check(id))
        return try #require(provider.judge(check).findings.first)
    }

    @Test(
        "each syntax error has its own fix and no pointer",
        arguments: [
            ("{\"a\": 1,}", "comma"), ("{\"a\": 1 // x\n}", "comment"), ("{'a': 1}", "double quotation marks"),
            ("{\"a\": \"b\"", "ends too early"), ("<!DOCTYPE html>", "HTML"), ("", "no text"),
        ]
    )
    func advice(text: String, words: String) throws {
        let finding = try finding("discovery.response.is-a-json-object", Array(text.utf8))
        #expect(finding.fix.contains(words), "\(finding.fix)")
        #expect(finding.pointer == nil)
    }

    @Test("UTF-16 is recognised with and without a byte order mark")
    func utf16() throws {
        let text = Array("{\"a\": 1}".utf16)
        for mark in [[0xFE, 0xFF], []] as [[UInt8]] {
            let bytes = mark + text.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            let finding = try finding("discovery.response.is-a-json-object", bytes)
            #expect(finding.fix.contains("UTF-8"), "\(finding.fix)")
        }
    }

    @Test("a finding about a long text quotes the position of the error, not the beginning")
    func place() throws {
        let text = "{\"a\": \"" + String(repeating: "x", count: 300) + "\", \"here\": tru}"
        let found = try finding("discovery.response.is-a-json-object", Array(text.utf8)).found ?? ""
        #expect(found.contains("here") && !found.contains("\"a\""))
    }

    @Test(
        "each status has its own fix, and only status 404 suggests another issuer",
        arguments: [
            (201, "200"), (302, "redirect"), (403, "public"), (405, "GET"), (500, "log"), (404, "documentation names"),
        ]
    )
    func statuses(status: Int, words: String) throws {
        for (id, endpoint) in [("discovery", Endpoint.discovery), ("keys", .keys)] {
            var provider = DocumentProvider()
            provider.hooks.answer = { place, answer in
                if place == endpoint { answer.status = status }
            }
            let check = try #require(StaticChecks.check(CheckID(id + ".response.status-is-200")))
            let finding = try #require(provider.judge(check).findings.first)
            if id == "discovery" { #expect(finding.fix.contains(words), "\(finding.fix)") }
            #expect(
                finding.fix.contains("documentation names") == (status == 404 && id == "discovery"),
                "\(finding.fix)"
            )
        }
    }
}
