import Conformance
import JSONTree
import Reporting
import Testing

/// The pages of a sign-in, in each format of the report.
@Suite(.timeLimit(.minutes(5))) struct VisitedPageTextTests {
    private static func report(_ pages: [VisitedPage], _ identity: Cause.Identity = .signInStep) -> Report {
        var report = HostileTests.report("x", checks: 1, findings: 1)
        var cause = Cause(
            .signIn,
            as: identity,
            "The sign-in stopped.",
            words: "no",
            advice: "Look.",
            mayBeConfiguration: true
        )
        cause.pages = pages
        report.causes = [cause]
        return report
    }

    private static let pages = [
        VisitedPage(
            number: 1,
            address: "https://idp.example/in?a=…",
            status: 200,
            title: "Sign in",
            fields: ["User name (text)"],
            filled: ["user"],
            pressed: "Next"
        ),
        VisitedPage(number: 2, address: "https://idp.example/more", status: 403, title: "", message: "<b>Not you</b>"),
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var pages: [VisitedPage]
        var identity = Cause.Identity.signInStep
        /// The lines about pages in the short terminal report.
        var lines: [String]
    }

    static let cases = [
        Case(
            testDescription: "two pages",
            pages: pages,
            lines: [
                "  page 1: “Sign in” at https://idp.example/in: filled user, pressed “Next”",
                "  page 2: a page without a title (status 403) at https://idp.example/more: message “<b>Not you</b>”",
            ]
        ),
        Case(testDescription: "one page, which the root cause describes", pages: [pages[1]], lines: []),
        Case(testDescription: "no page", pages: [], lines: []),
        Case(testDescription: "a refused password", pages: pages, identity: .refusedPassword, lines: []),
    ]

    @Test(arguments: cases) func `the short report has a line for each of several pages`(example: Case) {
        let text = ReportFormat.text.render(
            Self.report(example.pages, example.identity),
            options: ReportOptions(width: 120, verbosity: .brief)
        )
        #expect(text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("  page ") } == example.lines)
    }

    @Test func `the full report has everything`() {
        let options = ReportOptions(width: 200, verbosity: .full)
        let text = ReportFormat.text.render(Self.report(Self.pages), options: options).replacing(/\s+/, with: " ")
        let first = "“Sign in” at https://idp.example/in; fields: User name (text); filled user, pressed “Next”"
        #expect(text.contains(first))
        let second = "a page without a title, status 403 at https://idp.example/more; message “<b>Not you</b>”"
        #expect(text.contains(second))
    }

    @Test(arguments: [ReportFormat.markdown, .junit])
    func `other formats have a line per page, as text`(format: ReportFormat) {
        let text = format.render(Self.report(Self.pages))
        #expect(text.contains("page 1: "))
        #expect(text.contains("page 2: "))
        #expect(!text.contains("<b>Not"))
    }

    @Test func `JSON has each member`() throws {
        let root = try JSONDocument.parse(ReportFormat.json.render(Self.report(Self.pages))).root
        let page = try #require(root["causes"]?.arrayValue?.first?["pages"]?.arrayValue?.first)
        let expected: JSON = [
            "number": 1, "address": "https://idp.example/in?a=…", "status": 200, "title": "Sign in", "message": nil,
            "fields": ["User name (text)"], "filled": ["user"], "pressed": "Next",
        ]
        #expect(page == expected)
    }
}
