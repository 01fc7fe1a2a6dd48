import Conformance
import JSONTree
import Judgement
import Reporting
import TestSupport
import Testing

/// Reports stay valid, whatever a provider sends.
@Suite(.phase(.hostile), .timeLimit(.minutes(5))) struct HostileTests {
    static let strings = [
        "\u{1B}[31mred\u{1B}]0;title\u{7}",
        "]]></failure></testcase><testcase name=\"forged\"/>",
        "</details></code><script>alert(1)</script><img src=x onerror=y>",
        "a|b\\|c|`d`|```|~~~",
        "\u{202E}gnp.exe\u{2066}",
        "\u{0}nul\u{FFFE}\u{FFFF}\u{1FFFE}\u{FEFF}",
        "line\n::set-output name=x::y\r\n##[command]rm\n##vso[task.complete]\n::error::z",
        "@everyone see #1 and [link](https://evil.example) <https://evil.example> www.evil.example",
        "# heading\n- [x] list\n\n<!-- comment\n\n    code\n***\n$math$ &amp; &#64;you",
        "'; rm -rf / #\" $(id) `id` \\",
        "::\u{301}x ::warning::a ::error::b " + String(repeating: "::stop-commands::x ", count: 40),
        String(repeating: "💥é\u{301}", count: 400),
        String(repeating: "A", count: 1_000_000),
        String(repeating: "@#|`<\u{0}", count: 170_000),
        "",
    ]

    /// The same string in every place for provider text, in every kind of entry.
    static func report(_ text: String, checks: Int = 3, findings: Int = 2) -> Report {
        let finding = Finding(
            text,
            at: text,
            expected: text,
            found: text,
            fix: text,
            exchange: 0,
            subject: text
        )
        let citation = Citation(.core, "2", "REQUIRED")
        let all = (0..<checks)
            .flatMap { number -> [Check] in
                let failed = Verdict.failed(Array(repeating: finding, count: findings))
                return [
                    .fixed(CheckID("discovery.failed.n\(number)"), "title", .must, citation, failed, why: text),
                    .fixed(CheckID("keys.warned.n\(number)"), "title", .should, citation, failed),
                    .fixed(CheckID("token.unclear.n\(number)"), "title", .must, citation, .inconclusive(text)),
                    .fixed(CheckID("idtoken.exempt.n\(number)"), "title", .must, citation, .notApplicable(text)),
                    .fixed(CheckID("userinfo.left.n\(number)"), "title", .must, citation, .notAttempted(text)),
                    .fixed(CheckID("platform.passed.n\(number)"), "title", .must, citation, .passed),
                ]
            }
        var evidence = Evidence(tool: "t", startedAt: 0, target: Target(issuer: text), tier: .full, because: "no")
        let fields = [Field(text, text), Field("X-Text", text)]
        evidence.exchanges = [
            Exchange(
                id: 0,
                step: text,
                request: .init(method: "POST", url: text, headers: fields, body: text),
                response: .init(status: 200, headers: fields, body: .text(text)),
                failure: .init(kind: .other, message: text),
                peer: text,
                startedAt: .infinity
            )
        ]
        evidence.suggestions = [IssuerSuggestion(address: text, issuer: text)]
        let plan = Plan(
            target: evidence.target,
            profile: Profile(name: "openid", title: "OpenID", include: ["*"]),
            tier: .full
        )
        return Judge.judge(evidence, plan: plan, checks: all, now: .nan, tool: text, notes: [text])
    }

    @Test(arguments: strings.indices)
    func `JSON contains exactly the received text`(_ index: Int) throws {
        let text = Self.strings[index]
        let document = try JSONDocument.parse(ReportFormat.json.render(Self.report(text, checks: 1, findings: 1)))
        #expect(document.duplicates.isEmpty)
        #expect(document.root["/entries/0/findings/0/found" as JSONPointer] == .string(text))
        #expect(document.root["target"]?["issuer"] == .string(text))
    }

    @Test(arguments: strings.indices)
    func `text shows no control character and starts no line with a command`(_ index: Int) {
        let report = Self.report(Self.strings[index])
        let inks = ["\u{1B}[31m", "\u{1B}[32m", "\u{1B}[33m", "\u{1B}[2m", "\u{1B}[0m"]
        for (width, color) in [(40, false), (80, true)] {
            let options = ReportOptions(color: color, width: width, verbosity: .full, explains: true)
            let text = ReportFormat.text.render(report, options: options)
            let bare = color ? inks.reduce(text) { $0.replacing($1, with: "") } : text
            let hidden = bare.unicodeScalars.first { scalar in
                scalar != "\n" && [.control, .format, .unassigned].contains(scalar.properties.generalCategory)
            }
            #expect(hidden == nil)
            let lines = bare.split(separator: "\n")
            #expect(!lines.contains { $0.utf8.drop { $0 == 0x20 }.starts(with: "::".utf8) })
            #expect(!bare.contains("##["))
            #expect(!bare.contains("##vso["))
            #expect(lines.last?.hasPrefix("Gate closed: ") == true)
            #expect(text.utf8.count < 200_000)
        }
    }

    @Test(arguments: strings.indices)
    func `Markdown stays below 60 KB with true counts and balanced tags`(_ index: Int) {
        for (checks, findings) in [(3, 2), (150, 1), (2, 5_000)] {
            let markdown = ReportFormat.markdown.render(
                Self.report(Self.strings[index], checks: checks, findings: findings)
            )
            #expect(markdown.utf8.count < 60_000)
            #expect(markdown.contains("### Blocking (\(checks))\n"))
            #expect(markdown.contains("### Inconclusive (\(checks))\n"))
            #expect(markdown.contains("Not applicable (\(checks))"))
            // Code blocks and code spans contain provider text, which has no special meaning there.
            let prose = markdown.split(separator: "\n").filter { !$0.hasPrefix("curl ") && !$0.hasPrefix("```") }
                .map { Self.withoutCodeSpans(String($0)) }.joined(separator: "\n")
            for tag in ["details", "summary", "code", "sub"] {
                #expect(Self.count("<\(tag)>", prose) == Self.count("</\(tag)>", prose))
            }
            let tags = Set(prose.split(separator: "<").dropFirst().map { $0.prefix { $0 != ">" } })
            let allowed = ["details", "summary", "code", "sub"].flatMap { [$0, "/" + $0] }
            #expect(
                tags.allSatisfy { tag in
                    let links = ["https://openid.net/specs/", Publication.link(to: "Documentation/Catalogue/")]
                    return allowed.contains(String(tag)) || links.contains { tag.hasPrefix($0) }
                }
            )
            #expect(!prose.contains("@"))
            #expect(!prose.contains("`"))
            #expect(!prose.contains("www."))
            let lines = prose.split(separator: "\n", omittingEmptySubsequences: true)
            #expect(lines.filter { $0.contains("|") }.count == 3)
        }
    }

    @Test(arguments: strings.indices)
    func `a command is one line that a shell can read`(_ index: Int) throws {
        let exchange = try #require(Self.report(Self.strings[index]).exchanges.first)
        let command = Curl.command(for: exchange)
        #expect(command.hasPrefix("curl "))
        #expect(!command.contains { $0.isNewline })
        #expect(!command.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    /// A line without its code spans, as CommonMark defines them (section 6.1): from a run of backticks to the next one of equal length.
    private static func withoutCodeSpans(_ line: String) -> String {
        var result = ""
        var rest = line[...]
        while let start = rest.firstIndex(of: "`") {
            result += rest[..<start]
            let fence = rest[start...].prefix { $0 == "`" }
            rest = rest[fence.endIndex...]
            let runs = rest.matches(of: /`+/).map(\.range)
            guard let end = runs.first(where: { rest[$0].count == fence.count }) else {
                result += fence
                continue
            }
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    private static func count(_ part: String, _ text: String) -> Int { text.ranges(of: part).count }
}
