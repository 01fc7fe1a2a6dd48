package import Browsing
package import SignIn

/// The driver for the provider's pages in a run, and its options.
package struct SignInSettings: Sendable {
    package var driver: SignInDriver
    /// The browser that may be used; `nil` for none.
    package var browser: BrowserPrograms?
    /// The kind of browser that is wanted; `nil` for whichever there is.
    package var wantedBrowser: BrowserKind?
    /// Whether the browser window is visible.
    package var isShown: Bool
    /// Seconds that a page of the browser may take.
    package var pageTimeout: Double
    /// The user who signs in by hand.
    package var user = TerminalUser.none
    /// Seconds that a sign-in by hand may take.
    package var manualTimeout = Self.standingManualTimeout

    /// The default.
    static let standingManualTimeout = 300.0

    /// Records a user who signs in manually; `nil` if the run signs in.
    package var recorder: SignInRecorder?
    /// Collects the screenshots of a browser's pages; `nil` if none are wanted.
    package var album: ScreenshotAlbum?

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
