import Testing

@testable import SignIn

/// The message of a page is its own text, without the menu and the footer that the page before had as well.
@Suite("Messages of pages", .timeLimit(.minutes(1))) struct SeenPageTests {
    @Test(
        "the words that two pages begin and end with are left out",
        arguments: [
            ("Menu Log out Bad request", "Menu Log out Sign in", "Bad request"),
            ("Offline? Menu Bad request Imprint", "Offline? Menu Welcome back Imprint", "Bad request"),
            ("Bad request Imprint", "Welcome Imprint", "Bad request"), ("Bad request", "", "Bad request"),
            ("", "Menu", ""), ("Menu Menu", "Menu", "Menu Menu"),
            // A page that says nothing new is quoted whole.
            ("Menu Log out", "Menu Log out", "Menu Log out"), ("Menu", "Menu Log out", "Menu"),
        ]
    )
    func own(text: String, before: String, message: String) {
        #expect(SeenPage.own(text, after: before) == message)
    }
}
