import Browsing
import Foundation
import LoopbackServer
import OtherPrograms
import SignIn
import TestSupport
import Testing
import Transport

/// Screenshots of pages, decoded by another program: none contains typed text.
@Suite(
    "Screenshots of pages",
    .serialized,
    .phase(.browsers),
    .timeLimit(.minutes(5)),
    .oracle(Installed.anyBrowser)
)
struct ScreenshotInBrowserTests {
    private static let password = "s3cret&word"

    /// The positions of the parts of the page: left, top, width, height.
    private static let places = [
        "password": "40,40,400,60", "code": "40,120,400,60", "notes": "40,200,400,60", "editable": "40,280,400,60",
        "shadow": "40,360,400,60", "frame": "40,440,400,60", "foreign": "40,520,400,60", "words": "600,40,400,60",
        "button": "600,120,400,60",
    ]
    private static let emptied = ["password", "code", "notes", "editable", "shadow", "frame", "foreign"]

    private static func style(_ name: String) -> String {
        let parts = places[name]?.split(separator: ",") ?? []
        return "position:fixed;left:\(parts[0])px;top:\(parts[1])px;width:\(parts[2])px;height:\(parts[3])px;"
            + "margin:0;border:0;padding:0;outline:none;resize:none;overflow:hidden;background:#fff;font:30px sans-serif"
    }

    /// The page fills in every field itself, and shows the password in clear text.
    private static func page(_ words: String) -> LoopbackReply {
        .page(
            """
            <title>Sign in</title><body style="background:#fff"><p style="\(style("words"))">\(words)</p>
            <textarea style="\(style("notes"))">typed words</textarea>
            <div contenteditable style="\(style("editable"))">typed <b style="color:#000">words</b></div>
            <div id=host></div>
            <iframe scrolling=no srcdoc='<body style="margin:0"><input value="\(password)" style="width:400px;height:60px;border:0;font:30px sans-serif">'
              style="\(style("frame"))"></iframe>
            <iframe scrolling=no sandbox srcdoc='<body style="margin:0;font:30px sans-serif">typed words' style="\(style("foreign"))"></iframe>
            <form method=post action=/login>
            <input type=password name=password value="\(password)" style="\(style("password"))">
            <input type=text name=username autocomplete=username value="alice" style="\(style("code"));transition:color 5s">
            <input type=hidden name=looks><button style="\(style("button"))">Sign in</button></form>
            <script>
            const root = document.getElementById('host').attachShadow({ mode: 'open' });
            root.innerHTML = '<input value="typed words" style="\(style("shadow"))">';
            const all = () => [...document.querySelectorAll('*'), root.firstChild].filter(e => e.style);
            const before = all().map(e => e.style.cssText);
            document.forms[0].onsubmit = () => {
              document.forms[0].looks.value = all().map((e, i) => e.style.cssText === before[i]).join(' ');
            };
            </script>
            """
        )
    }

    private static func visits(
        _ browser: BrowserKind,
        takesScreenshots: Bool,
        _ page: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) async throws -> (visits: [Visit], server: LoopbackServer) {
        let server = LoopbackServer(replies: page)
        let transport = TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        let browsers = Browsers(
            try #require(BrowserPrograms.installed(browser)),
            BrowserOptions(pageTimeout: 20, takesScreenshots: takesScreenshots, transport: transport)
        )
        let session = SignInSession(
            client: HTTPClient(configuration: transport),
            instructions: SignInInstructions(
                username: "alice",
                password: Credential(password),
                driving: SharedSignInDriver(.browser, browsers: browsers)
            ),
            redirectURI: "https://rp.example/cb"
        )
        let (_, visits) = await session.open(server.url + "/authorize?state=some-state")
        await browsers.stop()
        return (visits, server)
    }

    /// The number of colours in each part of a screenshot.
    private static func colours(_ screenshot: [UInt8], _ python: String) async throws -> [String: Int] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
        try Data(screenshot).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("colours.py")
        let names = places.keys.sorted()
        let answer = try await OtherProgram.run(python, [script.path, file.path] + names.compactMap { places[$0] })
        try #require(answer.isSuccess, "\(answer.errors)")
        let counts = try JSONDecoder().decode([Int].self, from: Data(answer.text.utf8))
        return Dictionary(uniqueKeysWithValues: zip(names, counts))
    }

    private static let pypng = Oracle.python("png")

    @Test(
        "no screenshot contains typed text, and the page is unchanged",
        .oracle(pypng),
        arguments: Installed.browsers
    )
    func emptied(browser: BrowserKind) async throws {
        let python = try await Self.pypng.path()
        let page = Self.page("Sign in here")
        let (visits, server) = try await Self.visits(browser, takesScreenshots: true) { _ in page }
        let screenshots = visits.compactMap { $0.page?.screenshot }
        // The first page, fetched without a browser, has none; it has one when the browser shows it again.
        #expect(screenshots.count == 2)
        for screenshot in screenshots {
            let colours = try await Self.colours(screenshot, python)
            for name in Self.emptied { #expect(colours[name] == 1, "\(name)") }
            for name in ["words", "button"] { #expect((colours[name] ?? 0) > 2, "\(name)") }
        }
        let sent = try #require(server.requests.first { $0.method == "POST" }?.body)
        let looks = FormParameters(parsing: sent)["looks"]?.split(separator: " ").map(String.init) ?? []
        #expect(looks.count > 15)
        #expect(looks.allSatisfy { $0 == "true" }, "\(looks)")
    }

    @Test("a page with the password in its text has no screenshot", arguments: Installed.browsers)
    func words(browser: BrowserKind) async throws {
        let page = Self.page("The password s3cret&amp;word is wrong")
        let (visits, _) = try await Self.visits(browser, takesScreenshots: true) { _ in page }
        #expect(visits.contains { $0.cause == .shown && $0.page != nil })
        #expect(visits.allSatisfy { $0.page?.screenshot == nil })
    }

    @Test("the browser makes a screenshot only if requested")
    func unasked() async throws {
        let page = Self.page("Sign in here")
        let (visits, _) = try await Self.visits(Installed.browsers[0], takesScreenshots: false) { _ in page }
        #expect(visits.contains { $0.cause == .shown && $0.page != nil })
        #expect(visits.allSatisfy { $0.page?.screenshot == nil })
    }
}
