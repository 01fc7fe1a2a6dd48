import Conformance
import FoundationEssentials
import JSONTree
import OtherPrograms
import Reporting
import TestSupport
import Testing

/// The page as another HTML parser reads it: provider text stays text.
@Suite(.timeLimit(.minutes(5))) struct HTMLReportTests {
    /// Texts that end elements, attributes or comments, run or load something, change the text direction, or are very long.
    private static let hostile =
        HostileTests.strings + [
            "\"><img src=x onerror=\"window.wasRun = true\">", "' autofocus onfocus='window.wasRun = true",
            "</style><script>window.wasRun = true</script>", "</title></head><body onload=\"window.wasRun = true\">",
            "javascript:window.wasRun=true", "--><svg onload=alert(1)>", "<!-- ", "<![CDATA[", "&lt;b&gt; &amp; &#x3C;",
            "\u{202E}txt.exe\u{2066}\u{200F}\u{061C}", "<base href=https://evil.example>", "{{7*7}}${7*7}",
            "\u{301}\u{20DD}<b>",
            "<meta http-equiv=refresh content=\"0;url=https://evil.example\">",
            "data:text/html,<script>alert(1)</script>",
        ]

    static func samples() -> [String] {
        let joint = JointReport(
            JointReportTests.report(.open, for: "alpha"),
            [JointReportTests.report(.closed, for: "beta"), JointReportTests.report(.inconclusive, for: "gamma")]
        )
        return SampleReport.allCases.map { ReportFormat.html.render($0.report) } + [ReportFormat.html.render(joint)]
    }

    private static let html5lib = Oracle.python("html5lib")

    /// The results of html5lib for each page.
    private static func read(_ pages: [String]) async throws -> [JSON] {
        let python = try await html5lib.path()
        let script = Repository.folder("Tests/ReportingTests/read_page.py").path
        let input = JSON.array(pages.map { .string($0) }).serialized()
        let answer = try await OtherProgram.run(python, [script], input: input)
        let results = try JSONDocument.parse(answer.text).root.arrayValue ?? []
        try #require(results.count == pages.count, "\(answer.errors.suffix(500))")
        return results
    }

    private static let allowed: (elements: Set<String>, attributes: Set<String>) = (
        [
            "html", "head", "meta", "title", "style", "body", "a", "header", "div", "p", "h1", "h2", "h3", "main",
            "section",
            "ul", "ol", "li", "dl", "dt", "dd", "span", "strong", "code", "pre", "details", "summary", "figure",
            "figcaption",
            "table", "thead", "tbody", "tr", "th", "td", "label", "select", "option", "input", "button", "svg",
            "circle", "path",
            "footer", "script",
        ],
        [
            "lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "rel", "open", "hidden", "role",
            "scope",
            "for", "type", "value", "aria-label", "aria-labelledby", "aria-hidden", "aria-live", "aria-pressed",
            "data-label",
            "data-answer", "data-level", "data-stage", "data-platforms", "viewBox", "width", "height", "focusable",
            "fill",
            "stroke", "stroke-width", "cx", "cy", "r", "d",
        ]
    )

    @Test(.oracle(html5lib))
    func `another parser finds no error, and the policy names the style and the script of the page`()
        async throws
    {
        for page in try await Self.read(Self.samples()) {
            #expect(page["errors"]?.arrayValue == [])
            #expect(page["lost"]?.strings == [])
            #expect(page["twice"]?.strings == [])
            let policy = try #require(page["policy"]?.stringValue)
            #expect(policy.hasPrefix("default-src 'none'; "))
            for hash in try #require(page["hashes"]?.strings) { #expect(policy.contains(hash), "\(hash) in \(policy)") }
            let text = try #require(page["text"]?.stringValue)
            #expect(text.contains("Progress of the sign-in"))
            #expect(text.contains("discovery document"))
        }
    }

    @Test(.oracle(html5lib)) func `no element, no attribute and no link comes from the provider`() async throws {
        let plain = ReportFormat.html.render(HostileTests.report("plain"))
        let pages = Self.hostile.map { ReportFormat.html.render(HostileTests.report($0)) }
        let results = try await Self.read([plain] + pages)
        let reference = try #require(results.first)
        let values = Set(reference["values"]?.strings ?? [])
        for (text, page) in zip(Self.hostile, results.dropFirst()) {
            let name = text.prefix(40)
            #expect(page["errors"]?.arrayValue == [], "\(name)")
            let elements = page["elements"]?.objectValue?.members ?? []
            #expect(Set(elements.map(\.name)).subtracting(Self.allowed.elements) == [], "\(name)")
            for single in ["script", "style", "title", "body", "head", "main", "header"] {
                #expect(page["elements"]?[single] == 1, "\(name): \(single)")
            }
            #expect(page["elements"]?["meta"] == reference["elements"]?["meta"], "\(name)")
            #expect(page["policy"] == reference["policy"], "\(name)")
            #expect(page["hashes"] == reference["hashes"], "\(name)")
            #expect(Set(page["attributes"]?.strings ?? []).subtracting(Self.allowed.attributes) == [], "\(name)")
            #expect(Set(page["values"]?.strings ?? []).subtracting(values) == [], "\(name)")
            #expect(page["links"] == reference["links"], "\(name)")
            #expect(page["lost"]?.strings == [], "\(name)")
            let hidden = page["text"]?.stringValue?.unicodeScalars
                .first { [.control, .format].contains($0.properties.generalCategory) && $0 != "\n" && $0 != "\t" }
            #expect(hidden == nil, "\(name)")
        }
        let links = reference["links"]?.strings ?? []
        let own = ["#", "https://openid.net/specs/", Publication.link(to: "Documentation/Catalogue/")]
        #expect(links.allSatisfy { link in own.contains { link.hasPrefix($0) } }, "\(links)")
        #expect(links.contains { $0.hasPrefix("https://openid.net/") })
    }

    @Test(.oracle(html5lib)) func `visible text is preserved exactly`() async throws {
        let text = "<b>\"fish\" & 'chips'</b> &amp; 日本語 émoji 💥"
        let page = try #require(try await Self.read([ReportFormat.html.render(HostileTests.report(text))]).first)
        #expect(page["text"]?.stringValue?.contains(text) == true)
    }

    // MARK: Colors

    /// The relative luminance of a color, and the contrast of two (WCAG 2.2, "relative luminance" and "contrast ratio").
    private static func contrast(_ one: String, _ other: String) -> Double {
        func luminance(_ color: String) -> Double {
            let number = Int(color.dropFirst(), radix: 16) ?? 0
            let parts = [16, 8, 0]
                .map { shift -> Double in
                    let part = Double(number >> shift & 0xFF) / 255
                    // There is no power function here, so the exponential of the logarithm is used.
                    return part <= 0.03928 ? part / 12.92 : power((part + 0.055) / 1.055, 2.4)
                }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        let (light, dark) = (max(luminance(one), luminance(other)), min(luminance(one), luminance(other)))
        return (light + 0.05) / (dark + 0.05)
    }

    /// 2.4 is 12 fifths: the fifth root by Newton's method.
    private static func power(_ base: Double, _ exponent: Double) -> Double {
        var root = 1.0
        for _ in 0..<60 { root -= (root * root * root * root * root - base) / (5 * root * root * root * root) }
        return (0..<Int(exponent * 5)).reduce(1.0) { product, _ in product * root }
    }

    @Test func `every color is readable on its background, in both themes and in print`() throws {
        #expect(abs(Self.contrast("#000000", "#ffffff") - 21) < 0.01)
        #expect(abs(Self.contrast("#767676", "#ffffff") - 4.54) < 0.01)
        let page = Self.samples()[0]
        let palettes = page.matches(of: #/:root \{[^}]*--paper[^}]*\}/#).map { String($0.output) }
        #expect(palettes.count == 3)
        for palette in palettes {
            let colors = Dictionary(
                palette.matches(of: #/--([a-z-]+): (#[0-9a-f]{6});/#).map { (String($0.output.1), String($0.output.2)) }
            ) { first, _ in first }
            #expect(colors.count == 14)
            let grounds = ["paper", "raised"]
            for ink in ["ink", "quiet", "link", "good", "bad", "warn", "idle"] {
                for ground in grounds + (colors["\(ink)-paper"] == nil ? [] : ["\(ink)-paper"]) {
                    let ratio = Self.contrast(try #require(colors[ink]), try #require(colors[ground]))
                    #expect(ratio >= 4.5, "\(ink) on \(ground): \(ratio)")
                }
            }
            // The background of the verdict has plain text.
            for ground in ["good-paper", "bad-paper", "warn-paper", "idle-paper"] {
                #expect(Self.contrast(try #require(colors["ink"]), try #require(colors[ground])) >= 4.5)
            }
        }
    }

    // MARK: Contents

    @Test(arguments: SampleReport.allCases)
    func `the first screen has the verdict, the answers and the first fix`(_ sample: SampleReport) {
        let report = sample.report
        let page = ReportFormat.html.render(report)
        let top = page.firstRange(of: "<h2 id=\"findings\"").map { page[..<$0.lowerBound] } ?? page[...]
        #expect(top.contains("<h1>\(report.outcome.summary)</h1>"))
        #expect(top.contains("exit code \(report.outcome.exitCode)"))
        for question in ["Sign-in", "Safety", "Conformance"] {
            #expect(top.contains("<p class=\"question\">\(question)</p>"))
        }
        let first = report.entries.first { $0.closesGate && $0.consequence == .signIn }?.verdict.findings.first?.fix
        if let first { #expect(top.contains(first.replacing("“", with: "“"))) }
        #expect(top.contains("Fix first") == (report.outcome.gate == .closed))
    }

    @Test func `a failed step is named, and the later ones were not reached`() {
        var report = SampleReport.inconclusive.report
        report.causes = [Cause(.signIn, "no user could sign in", advice: "see", mayBeConfiguration: true)]
        report.signInSteps = Cause.SignInStep.allCases.filter { $0 != .limit }
            .map { SignInStepState($0, $0 < .signIn ? .succeeded : $0 == .signIn ? .broken : .notReached) }
        let page = ReportFormat.html.render(report)
        let signInSteps = page.matches(of: #/<span class="name">([^<]*)</span> <span class="state">([^<]*)</span>/#)
            .map { "\($0.output.1): \($0.output.2)" }
        #expect(
            signInSteps == [
                "discovery document: ok", "key set: ok", "authorization request: ok", "sign-in: failed",
                "client authentication: not reached", "code redemption: not reached", "ID Token: not reached",
                "UserInfo endpoint: not reached",
            ]
        )
        #expect(page.contains("<h3>No user could sign in</h3>"))
    }
}

@Suite("Size of the page", .phase(.hostile), .timeLimit(.minutes(20))) struct HTMLSizeTests {
    @Test(
        arguments: [
            (String(repeating: "A", count: 1_000_000), 3, 2), (String(repeating: "<&\"", count: 3_000), 300, 20),
            (String(repeating: "\u{202E}\u{1}", count: 3_000), 300, 2), ("short", 4, 2),
            (String(repeating: "💥", count: 9_000), 500, 5),
        ]
    )
    func `no page is larger than two megabytes, and omitted entries are counted`(
        _ text: String,
        _ checks: Int,
        _ findings: Int
    ) {
        let page = ReportFormat.html.render(HostileTests.report(text, checks: checks, findings: findings))
        #expect(page.utf8.count < 2_000_000)
        #expect(page.contains("</html>"))
        #expect(page.contains("Blocking: breaks sign-in (\(checks))"))
        #expect(page.contains("Inconclusive (\(checks))"))
        let isWhole = page.ranges(of: "<li class=\"check ").count == 2 * checks && findings <= 20
        #expect(isWhole || page.contains(" more; see the JSON report."))
    }
}
