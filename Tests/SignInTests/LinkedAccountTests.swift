import Testing
import Transport

@testable import SignIn

/// Accounts that are chosen by links: the test user's own is followed, and no other link.
@Suite(.timeLimit(.minutes(5)))
struct LinkedAccountTests {
    private static let choice = "<h1>Choose an account</h1>"

    struct Page: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var html: String
        /// The requested address; `nil` if nothing is pressed.
        var asks: String?
    }

    static let pages = [
        Page(
            testDescription: "the name in brackets, and parameters in the address",
            html: choice + "<a href='/as?u=bob'>Bob (bob)</a><a href='/as?u=alice&amp;next=%2Fa+b#x'>Alice (alice)</a>",
            asks: "https://op.example/as?u=alice&next=%2Fa+b"
        ),
        Page(
            testDescription: "image and name with a link each",
            html: choice + "<a href=pick/1><img alt=''> alice</a> <a href=pick/1>alice</a>",
            asks: "https://op.example/in/pick/1"
        ),
        Page(
            testDescription: "another language",
            html: "<h1>Konto auswählen</h1><a href=/as/1>alice</a>",
            asks: "https://op.example/as/1"
        ),
        Page(testDescription: "nobody's", html: choice + "<a href=/as/2>bob</a><a href=/new>Use another account</a>"),
        Page(testDescription: "two of that name", html: choice + "<a href=/as/1>alice</a><a href=/as/2>alice</a>"),
        Page(testDescription: "the way out", html: choice + "<a href=/out>Sign out alice</a>"),
        Page(testDescription: "not the user", html: choice + "<a href=/other>Not alice?</a>"),
        Page(testDescription: "a name that only begins so", html: choice + "<a href=/as/3>alice.smith</a>"),
        Page(testDescription: "a page of something else", html: "<h1>Welcome</h1><a href=/profile>alice</a>"),
        Page(
            testDescription: "an error",
            html: "<p role=alert>The account is locked</p>\(choice)<a href=/as/1>alice</a>"
        ),
        Page(testDescription: "a script", html: choice + "<a href='javascript:pick(1)'>alice</a><a href='#'>alice</a>"),
        Page(
            testDescription: "a form with an input field",
            html: choice + "<a href=/as/1>alice</a><form><input name=realm><button>Find</button></form>"
        ),
    ]

    @Test("the link of the test user's account is treated as a form with one button", arguments: pages)
    func followed(page: Page) throws {
        let recognition = FormRecognition(
            instructions: SignInInstructions(username: "alice", password: Credential("secret"))
        )
        let url = try #require(WebURL("https://op.example/in/choose"))
        let filling = recognition.filling(for: HTMLReader.read(Array(page.html.utf8), charset: "UTF-8"), at: url)
        #expect(filling?.request(on: url, base: url)?.url == page.asks)
        #expect(filling?.cause == (page.asks == nil ? nil : .account))
    }
}
