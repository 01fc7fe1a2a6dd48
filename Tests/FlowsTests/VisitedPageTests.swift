import Conformance
import LoopbackServer
import Testing

@testable import Flows

/// The report of the pages of a sign-in: what the page showed and the run did, in bounded size, without secrets.
@Suite(.timeLimit(.minutes(5))) struct VisitedPageTests {
    private static func form(_ title: String, _ content: String) -> LoopbackReply {
        .page("<title>\(title)</title><form method=post action=/login>\(content)</form>")
    }

    /// A provider whose sign-in goes from the first of the pages to the last, one for each form that is sent.
    private static func provider(_ pages: [LoopbackReply]) throws -> ScriptedProvider {
        try ScriptedProvider([
            "/login": { provider, request in
                let sent = provider.requests.count { $0.path == "/login" && $0.method == "POST" }
                return pages[min(sent, pages.count - 1)]
            }
        ])
    }

    private static func flow(_ provider: ScriptedProvider) async throws -> (Evidence, Cause) {
        let evidence = await provider.collect(
            needs: [.discovery, .keys],
            scenarios: [.flow("code")],
            target: provider.target(flows: ["code"])
        )
        return (evidence, try cause(evidence))
    }

    private static func cause(_ evidence: Evidence) throws -> Cause {
        let facts = Facts(evidence, profile: Profile(name: "p", title: "P"))
        return try #require(facts.signInSequence.causes.first { $0.signInStep <= .signIn })
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var pages: [LoopbackReply]
        /// Title, message, fields, filled, pressed.
        var reported: [String]
    }

    static let cases = [
        Case(
            testDescription: "a refused password",
            pages: [
                form(
                    "Sign in",
                    "<input type=hidden name=csrf value=\(ScriptedProvider.Canary.hidden)><label>User name <input name=user></label>"
                        + "<label>Password <input type=password name=pass></label><button name=go value=1>Go</button>"
                ),
                form(
                    "Sign in",
                    "<p role=alert>\(ScriptedProvider.Canary.password) is wrong.</p><label>User name <input name=user></label>"
                        + "<label>Password <input type=password name=pass></label><button name=go value=1>Go</button>"
                ),
            ],
            reported: [
                "Sign in|-|User name (text), Password (password)|user, pass|go=1",
                "Sign in|(password:18-characters) is wrong.|User name (text), Password (password)||-",
            ]
        ),
        Case(
            testDescription: "a passkey behind the name",
            pages: [
                form("Who are you?", "<input name=username placeholder=\"Your name\"><button>Next</button>"),
                .page("<title>Use your passkey</title><p>Hold your security key.</p><script></script>"),
            ],
            reported: [
                "Who are you?|-|Your name (text)|username|Next",
                "Use your passkey|Hold your security key.|||-",
            ]
        ),
        Case(
            testDescription: "an error page, and nothing before it",
            pages: [.page("<title>Oh no</title><p>Out of order.</p>", status: 500)],
            reported: ["Oh no|Out of order.|||-"]
        ),
    ]

    @Test(arguments: cases) func `each page is reported with what was done there`(example: Case) async throws {
        let provider = try Self.provider(example.pages)
        let (evidence, _) = try await Self.flow(provider)
        let met = try #require(evidence.runs.first?.met)
        let reported = met.map { page in
            [
                page.title, page.message ?? "-", page.fields.joined(separator: ", "),
                page.filled.joined(separator: ", "),
                page.pressed ?? "-",
            ]
            .joined(separator: "|")
        }
        #expect(reported == example.reported)
        #expect(met.map(\.number) == Array(1...met.count))
        #expect(met.allSatisfy { $0.address == provider.issuer + "/login?state=…&type=…" || $0.number > 1 })
    }

    @Test func `a sign-in that succeeds leaves no pages`() async throws {
        let provider = try ScriptedProvider()
        let evidence = await provider.collect(scenarios: [.flow("code")], target: provider.target(flows: ["code"]))
        #expect(evidence.runs.first?.authorization.value?.redirect?.isRedirectURI == true)
        #expect(evidence.runs.first?.met == nil)
    }

    @Test func `saved evidence contains the same pages, and evidence of an earlier version none`() async throws {
        let (evidence, cause) = try await Self.flow(try Self.provider(Self.cases[1].pages))
        #expect(cause.pages.count == 2)
        let bytes = try evidence.encoded()
        #expect(try Self.cause(try Evidence.decode(bytes)).pages == cause.pages)
        var earlier = evidence
        earlier.runs[0].met = nil
        let text = String(decoding: try earlier.encoded(), as: UTF8.self)
        #expect(!text.contains("\"met\""))
        let judged = try Self.cause(try Evidence.decode(Array(text.utf8)))
        #expect(judged.pages.isEmpty)
        #expect(judged.message == cause.message)
    }

    @Test func `twenty pages of megabytes come to some thousand characters`() async throws {
        let text = String(repeating: "word \u{202E}", count: 20_000)
        let fields = (0..<200).map { "<label>\(text.prefix(1_000)) <input name=f\($0)></label>" }.joined()
        // The last page comes again and again, since a button may be pressed several times; each has another field.
        let pages = (0..<25)
            .map { number in
                Self.form(
                    "\(number) \(text)",
                    "<p role=alert>\(text)</p><input type=checkbox name=c\(number)><button>Continue</button>"
                )
            }
        let (evidence, cause) = try await Self.flow(try Self.provider(pages))
        #expect(cause.pages.count == VisitedPage.most, "\(cause.message.prefix(300))")
        #expect(cause.pages.first?.number == 1)
        #expect(cause.pages.last?.number == 21)
        let (_, wide) = try await Self.flow(try Self.provider([Self.form("Wide", fields)]))
        for cause in [cause, wide] {
            #expect(cause.pages.reduce(0) { $0 + $1.lines.joined().count } < 12_000)
            #expect(cause.pages.allSatisfy { $0.sentence.count < 500 && !$0.sentence.contains("\u{202E}") })
        }
        #expect(try evidence.encoded().count < 200_000)
    }
}
