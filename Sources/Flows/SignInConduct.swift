package import Browsing
package import SignIn

/// Who goes through the provider's pages in a run, and with which means.
package struct SignInConduct: Sendable {
    package var driver: SignInDriver
    /// The browser that may be used; `nil` for none.
    package var browser: BrowserPrograms?
    /// The kind of browser that is wanted; `nil` for whichever there is.
    package var wantedBrowser: BrowserKind?
    /// Whether a person can watch the browser.
    package var isShown: Bool
    /// Seconds that a page of the browser may take.
    package var pageTimeout: Double
    /// Who is asked where people sign in by hand.
    package var person = PersonAtHand.nobody
    /// Seconds that a sign-in by hand may take.
    package var manualTimeout = Self.standingManualTimeout

    /// Where nothing else is said.
    package static let standingManualTimeout = 300.0

    /// Watches a person who signs in by hand; `nil` where the run does it.
    package var recorder: SignInRecorder?
    /// Takes the pictures of a browser's pages; `nil` where nobody wants any.
    package var album: PictureAlbum?

    package init(
        driver: SignInDriver = .form,
        browser: BrowserPrograms? = nil,
        isShown: Bool = false,
        pageTimeout: Double = BrowserOptions.standingTimeout
    ) {
        self.driver = driver
        self.browser = browser
        self.isShown = isShown
        self.pageTimeout = pageTimeout
    }
}
