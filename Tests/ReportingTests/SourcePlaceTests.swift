import Conformance
import JSONTree
import Reporting
import Testing

/// The place of a finding in a file, and the name of the file.
@Suite(.timeLimit(.minutes(5))) struct SourcePlaceTests {
    struct Named: Sendable, CustomTestStringConvertible {
        var file: String
        var folder = "/srv/checkout/sign-in"
        var root = "/srv/checkout"
        var path: String
        var testDescription: String { "\(file) in \(folder)" }
    }

    @Test(
        arguments: [
            Named(file: "preflight.yaml", path: "sign-in/preflight.yaml"),
            Named(file: "./conf/../preflight.yaml", path: "sign-in/preflight.yaml"),
            Named(file: "../preflight.yaml", path: "preflight.yaml"),
            Named(file: "/srv/checkout/preflight.yaml", path: "preflight.yaml"),
            Named(file: "/etc/preflight.yaml", path: "/etc/preflight.yaml"),
            Named(file: "../../preflight.yaml", path: "/srv/preflight.yaml"),
            Named(file: "preflight.yaml", root: "", path: "preflight.yaml"),
            Named(file: "preflight.yaml", root: "/elsewhere", path: "preflight.yaml"),
            Named(file: "preflight.yaml", root: "/srv/checkout/", path: "sign-in/preflight.yaml"),
            Named(file: "preflight.yaml", root: "/", path: "srv/checkout/sign-in/preflight.yaml"),
            Named(file: "./a/./b.yaml", folder: "", root: "", path: "a/b.yaml"),
            Named(file: "../b.yaml", folder: "", root: "", path: "../b.yaml"),
            Named(file: "https://idp.example.com/jwks", path: "https://idp.example.com/jwks"),
        ]
    )
    func `a file is named from the root of the checkout`(_ named: Named) {
        let root = SourceRoot(workingFolder: named.folder, root: named.root)
        #expect(root.path(of: named.file) == named.path)
    }

    private static let document = """
        {
          "issuer": "https://idp.example.com",
          "nested": { "a/b": [1,
              {"x": "\\"}, {"}], "c~": null },
          "issuer": "again",

          "last"
            : true, "\\u0061b": [] }
        """

    @Test(
        arguments: [
            ("", 1), ("/issuer", 2), ("/nested", 3), ("/nested/a~1b", 3), ("/nested/a~1b/0", 3), ("/nested/a~1b/1", 4),
            ("/nested/a~1b/1/x", 4), ("/nested/c~0", 4), ("/last", 7), ("/ab", 8), ("/nested/missing", 3),
            ("/missing", 1), ("Cache-Control", 1),
        ]
    )
    func `a member has its own line, and a missing one has the line of its parent`(pointer: String, line: Int) {
        let source = Report.DocumentSource(file: "d.json", lines: JSONLines.of(Array(Self.document.utf8)))
        #expect(source.line(of: pointer) == line)
    }

    @Test(arguments: [
        "", "{", "]]}}", "\"abc", "{\"a\"", "[,,,]", "{\"a\":\\", "{:::}", String(repeating: "[", count: 100_000),
    ])
    func `invalid JSON does not cause an endless loop`(text: String) {
        #expect(JSONLines.of(Array(text.utf8)).count <= 100)
    }

    @Test func `without a key the place is the beginning of the file, and without a file there is none`() {
        var report = SampleReport.closed.report
        #expect(report.place(of: .keys, at: "/keys/0") == nil)
        report.sources.configuration = ["scopes": SourcePlace(file: "p.yaml", line: 9)]
        #expect(report.place(of: .keys, at: "/keys/0") == SourcePlace(file: "p.yaml", line: 1))
        #expect(report.place(of: .authorization, at: "scopes") == SourcePlace(file: "p.yaml", line: 9))
        report.sources.configuration["client.id"] = SourcePlace(file: "p.yaml", line: 2)
        report.sources.configuration["issuer"] = SourcePlace(file: "p.yaml", line: 3)
        #expect(report.place(of: .token, at: nil)?.line == 3)
        report.sources.discovery = .init(file: "d.json", lines: ["": 1, "/issuer": 2])
        report.sources.keys = .init(file: "k.json", lines: ["": 1, "/keys/0": 5])
        #expect(report.place(of: .discovery, at: "/issuer") == SourcePlace(file: "d.json", line: 2))
        #expect(report.place(of: .platform, at: "/keys/0/n") == SourcePlace(file: "k.json", line: 5))
    }
}
