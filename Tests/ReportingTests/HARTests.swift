import Conformance
import FoundationEssentials
import JSONTree
import OtherPrograms
import Reporting
import TestSupport
import Testing

/// The archive as independent readers understand it.
@Suite(.timeLimit(.minutes(5))) struct HARTests {
    private static func archive(_ report: Report) -> String { ReportFormat.har.render(report) }

    private static let readers = Oracle.python("hario_core", "haralyzer")

    @Test(.oracle(readers)) func `hario and haralyzer read every exchange of the run`() async throws {
        let python = try await Self.readers.path()
        let reports =
            SampleReport.allCases.map(\.report) + HostileTests.strings.map { HostileTests.report($0) } + [Self.large()]
        let script = Repository.folder("Tests/ReportingTests/read_archive.py").path
        let texts = JSON.array(reports.map { .string(Self.archive($0)) }).serialized()
        let answer = try await OtherProgram.run(python, [script], input: texts)
        let lines = answer.text.split(separator: "\n")
        try #require(lines.count == reports.count, "\(answer.errors.suffix(1_000))")
        for (line, report) in zip(lines, reports) {
            let counts = line.split(separator: " ").compactMap { Int($0) }
            #expect(counts.count == 6)
            #expect(counts[0] == report.recorded.count)
            let bodies = report.recorded.compactMap(\.response?.body.bytes?.count)
            #expect(counts[4] == 0 || bodies.reduce(0, +) > 16 << 20, "nothing is left out of a small run")
            #expect(counts[5] <= 16 << 20)
        }
        #expect(lines.last.map { $0.split(separator: " ")[4] } == "9", "of 25 bodies of a megabyte 16 are kept")
    }

    private static func large() -> Report {
        var report = SampleReport.open.report
        report.recorded = (0..<25)
            .map { number in
                Exchange(
                    id: number,
                    step: "a large answer",
                    request: .init(method: "GET", url: "https://idp.example.com/\(number)"),
                    response: .init(status: 200, headers: [], body: .text(String(repeating: "x", count: 1 << 20))),
                    startedAt: 1_790_000_000
                )
            }
        return report
    }

    private static func entry(_ exchange: Exchange) throws -> JSON {
        var report = SampleReport.open.report
        report.recorded = [exchange]
        let root = try JSONDocument.parse(archive(report)).root
        return try #require(root["log"]?["entries"]?.arrayValue?.first)
    }

    @Test(
        arguments: [ReportFormat.har, .json],
        ["\u{9B}31m", "\u{202E}", "\u{E0041}", "\u{2028}", "\u{2029}", "\u{7F}"]
    )
    func `a character that readers do not see is escaped in every text of an exchange`(
        format: ReportFormat,
        character: String
    ) throws {
        let texts = ["Location", "Set-Cookie", "Content-Type"].map { Field($0, "a=\(character); path=\(character)") }
        let exchange = Exchange(
            id: 1,
            step: "a step \(character)",
            request: .init(
                method: "GET\(character)",
                url: "https://idp.example.com/\(character)?\(character)=\(character)",
                headers: texts + [Field("Cookie", "a=\(character)")],
                body: character
            ),
            response: .init(status: 200, headers: texts, body: .text("{\"a\":\"\(character)\"}")),
            startedAt: 1_790_000_000
        )
        var report = SampleReport.open.report
        (report.recorded, report.exchanges) = ([exchange], [exchange])
        let text = format.render(report)
        let scalar = try #require(character.unicodeScalars.first)
        #expect(!text.unicodeScalars.contains(scalar))
        #expect(try JSONDocument.parse(text).root.serialized().unicodeScalars.contains(scalar))
    }

    @Test func `an exchange has the members of the format`() throws {
        var exchange = Exchange(
            id: 1_500_003,
            step: "sign in with response_type code: token request",
            request: .init(
                method: "POST",
                url: "https://idp.example.com/token?a=b%20c+d&e&f=%zz#g=h",
                headers: [Field("Cookie", "sid=(cookie:32-characters); b=c"), Field("Content-Type", "text/plain")],
                body: "x=y"
            ),
            response: .init(
                status: 302,
                headers: [
                    Field("Set-Cookie", "sid=(cookie:32-characters); Path=/; HttpOnly; SameSite=Lax"),
                    Field("Location", "https://client.example/cb"),
                ],
                body: .bytes([0xFF, 0x00])
            ),
            peer: "[2001:db8::1]:443",
            tlsVersion: "TLSv1.3",
            startedAt: 1_790_000_000.1234
        )
        exchange.timings.nameLookup = 0.001
        exchange.timings.connect = 0.003
        exchange.timings.tls = 0.01
        exchange.timings.firstByte = 0.05
        exchange.timings.total = 0.06
        let entry = try Self.entry(exchange)
        #expect(entry["startedDateTime"] == "2026-09-21T14:13:20.123Z")
        #expect(entry["serverIPAddress"] == "2001:db8::1")
        #expect(entry["time"]?.numberValue == 60)
        let timings = try #require(entry["timings"])
        for (name, value) in [
            ("blocked", -1.0), ("dns", 1), ("connect", 9), ("ssl", 7), ("send", 0), ("wait", 40), ("receive", 10),
        ] {
            #expect(timings[name]?.numberValue == value, "\(name)")
        }
        let request = try #require(entry["request"])
        #expect(
            request["queryString"]?.serialized()
                == #"[{"name":"a","value":"b c d"},{"name":"e","value":""},{"name":"f","value":"%zz"}]"#
        )
        #expect(
            request["cookies"]?.serialized()
                == #"[{"name":"sid","value":"(cookie:32-characters)"},{"name":"b","value":"c"}]"#
        )
        #expect(request["postData"]?.serialized() == #"{"mimeType":"text/plain","text":"x=y"}"#)
        let response = try #require(entry["response"])
        #expect(response["redirectURL"] == "https://client.example/cb")
        #expect(
            response["content"]?.serialized() == #"{"size":2,"mimeType":"x-unknown","text":"/wA=","encoding":"base64"}"#
        )
        #expect(response["/cookies/0/httpOnly" as JSONPointer] == true)
        #expect(response["/cookies/0/secure" as JSONPointer] == false)
    }

    @Test func `unknown values and missing phases are marked as such`() throws {
        var exchange = Exchange(
            id: 0,
            step: "key set",
            request: .init(method: "GET", url: "https://idp.example.com/keys"),
            failure: .init(kind: .timedOut, message: "key set timed out after 30 s"),
            startedAt: .nan
        )
        exchange.timings.total = 30
        let entry = try Self.entry(exchange)
        #expect(entry["startedDateTime"] == "1970-01-01T00:00:00.000Z")
        #expect(entry["response"]?["status"] == 0)
        #expect(entry["response"]?["comment"] == "key set timed out after 30 s")
        #expect(entry["timings"]?["dns"]?.numberValue == -1)
        #expect(entry["timings"]?["connect"]?.numberValue == -1)
        #expect(entry["request"]?["headersSize"] == -1)
        exchange.response = .init(status: 200, headers: [], body: .omitted("a page of the sign-in"))
        let omitted = try Self.entry(exchange)
        #expect(omitted["response"]?["content"]?["size"] == -1)
        #expect(omitted["response"]?["content"]?["comment"] == "The body was not kept: a page of the sign-in")
    }

    @Test func `a run that several platforms share is written once`() throws {
        let reports = ["alpha", "beta"].map { JointReportTests.report(.closed, for: $0) }
        let joint = JointReport(reports[0], [reports[1]])
        let root = try JSONDocument.parse(ReportFormat.har.render(joint)).root
        #expect(root["log"]?["entries"]?.arrayValue?.count == reports[0].recorded.count)
        #expect(root["log"]?["creator"]?["name"] == "oidc-preflight")
    }
}
