package import Browsing
internal import Conformance
internal import Flows
package import Profiles
package import SignIn

/// The sign-in driver, for the command line.
package typealias PageDriver = SignInDriver

/// The automated browser, for the command line.
package typealias PageBrowser = BrowserKind

/// The screenshots of the pages on which sign-ins stopped, for the command line.
package struct PageAlbum: Sendable {
    fileprivate let screenshots = ScreenshotAlbum()

    package init() {}

    /// The screenshot with a number, as PNG.
    package func screenshot(_ number: Int) -> [UInt8]? { screenshots.screenshot(number) }
}

/// The user who signs in manually, for the command line.
package struct User: Sendable {
    /// The result of waiting for a line of text.
    package enum Answer: Sendable {
        case text(String)
        case tooLong
        /// The input has ended.
        case ended
        /// The time limit was reached, or the task was cancelled.
        case late
    }

    let atTerminal: TerminalUser

    /// - Parameters:
    ///   - isAtTerminal: Whether the lines come from a terminal.
    ///   - open: Opens an address in a browser, and returns whether it could; `nil` if none is opened.
    ///   - takeLines: Called before a prompt; its result is called when no more lines are read.
    ///   - line: Waits for a line, for a number of seconds.
    package init(
        isAtTerminal: Bool,
        open: (@Sendable (String) -> Bool)?,
        takeLines: @escaping @Sendable () -> @Sendable () -> Void,
        line: @escaping @Sendable (Double) async -> Answer
    ) {
        atTerminal = TerminalUser(
            isAtTerminal: isAtTerminal,
            takeLines: takeLines,
            line: { seconds in
                switch await line(seconds) {
                case .text(let text): .text(text)
                case .tooLong: .tooLong
                case .ended: .ended
                case .late: .late
                }
            },
            open: open
        )
    }
}

/// The recorded steps of a manual sign-in, for the command line.
package struct StepRecorder: Sendable {
    fileprivate let recorder: SignInRecorder

    /// - Parameter timeLimit: The time limit in seconds.
    package init(timeLimit: Double) {
        recorder = SignInRecorder(timeLimit: timeLimit)
    }

    /// `sign_in.steps` in YAML; empty if nothing was recorded.
    package func text(for configuration: Configuration) -> String {
        recorder.steps(
            username: configuration.secrets.username ?? "",
            password: configuration.secrets.password?.reveal()
        )
    }
}

extension Configuration {
    /// Whether the user signs in manually.
    package var signsInByHand: Bool { signInSettings.driver == .manual }

    /// Sets the sign-in driver, and finds an installed browser.
    ///
    /// - Parameters:
    ///   - driver: From the command line; `nil` for the configuration's.
    ///   - browser: From the command line; `nil` for the configuration's.
    ///   - isShown: Whether the browser has a window.
    ///   - user: The user who signs in manually.
    /// - Throws: If a requested browser is not installed.
    package mutating func drive(
        by driver: SignInDriver?,
        in browser: BrowserKind? = nil,
        isShown: Bool,
        asking user: User? = nil
    ) throws(ConfigurationError) {
        signInSettings.user = user?.atTerminal ?? .none
        signInSettings.driver = driver ?? signInSettings.driver
        signInSettings.isShown = isShown
        signInSettings.wantedBrowser = browser ?? signInSettings.wantedBrowser
        if signInSettings.driver == .manual, isShown || browser != nil {
            let option = isShown ? "--show-browser" : "--browser"
            throw ConfigurationError(file: option, "a manual sign-in uses your own browser")
        }
        let takesPasskey = secrets.passkey != nil && signInSettings.driver != .manual
        if takesPasskey {
            if signInSettings.wantedBrowser == .firefox {
                let option = browser == nil ? "sign_in.browser" : "--browser"
                throw ConfigurationError(
                    file: option,
                    "sign_in.passkey requires chromium: Firefox has no virtual authenticator for passkeys"
                )
            }
            signInSettings.wantedBrowser = .chromium
        }
        signInSettings.browser = BrowserPrograms.installed(signInSettings.wantedBrowser)
        let needsBrowser = isShown || browser != nil || signInSettings.driver == .browser || takesPasskey
        guard signInSettings.browser == nil, needsBrowser, secrets.username != nil else { return }
        let source =
            isShown
            ? "--show-browser"
            : browser != nil
                ? "--browser"
                : signInSettings.driver != .browser
                    ? "sign_in.passkey" : driver == nil ? "sign_in.driver" : "--driver browser"
        throw ConfigurationError(file: source, Self.noBrowser(signInSettings.wantedBrowser))
    }

    private static func noBrowser(_ kind: BrowserKind?) -> String {
        (kind.map { "\($0.rawValue) cannot be automated on this machine: " }
            ?? "no browser can be automated on this machine: ")
            + BrowserPrograms.advice(kind)
    }

    /// Whether the user signs in manually.
    package var isByHand: Bool { signInSettings.driver == .manual }

    /// Records a manual sign-in in the browser.
    ///
    /// - Parameter isShown: False for tests, in which a page acts as the user.
    package mutating func record(with recorder: StepRecorder, isShown: Bool) throws(ConfigurationError) {
        try drive(by: .browser, isShown: isShown)
        signInSettings.recorder = recorder.recorder
        limits.seconds = recorder.recorder.timeLimit + 60
    }

    /// Saves a screenshot of each page on which a browser sign-in fails.
    package mutating func keepScreenshots(in album: PageAlbum?) {
        signInSettings.album = album?.screenshots
    }
}

/// The browsers of this machine, for `doctor`.
enum BrowserLines {
    static var all: [String] {
        let found = BrowserKind.allCases.compactMap { BrowserPrograms.installed($0) }
        guard !found.isEmpty else {
            return [CatalogueText.padded("browser", 10) + "none that can be automated: \(BrowserPrograms.advice())"]
        }
        return found.map { programs in
            let driver = programs.driver?.shown(limit: 200) ?? "its built-in WebDriver BiDi"
            return CatalogueText.padded("browser", 10)
                + "\(programs.browser.shown(limit: 200)) (\(programs.kind.rawValue)), driven by \(driver)"
                + (programs.kind.warning.map { ". \($0)" } ?? "")
        }
    }
}
