package import Browsing
internal import Conformance
internal import Flows
package import Profiles
package import SignIn

/// Who goes through a provider's pages, for the command line.
package typealias PageDriver = SignInDriver

/// Which browser goes through them, for the command line.
package typealias PageBrowser = BrowserKind

/// The pictures of the pages at which sign-ins stopped, for the command line.
package struct PageAlbum: Sendable {
    fileprivate let pictures = PictureAlbum()

    package init() {}

    /// The picture of a number, PNG.
    package func picture(_ number: Int) -> [UInt8]? { pictures.picture(number) }
}

/// Who is asked where people sign in by hand, for the command line.
package struct Person: Sendable {
    /// What came of waiting for a line of text.
    package enum Answer: Sendable {
        case text(String)
        case tooLong
        /// Nothing more will come.
        case ended
        /// The time was over, or the task was cancelled.
        case late
    }

    let atHand: PersonAtHand

    /// - Parameters:
    ///   - isAtTerminal: Whether the lines come from a terminal.
    ///   - open: Shows an address in a browser, and says whether it could; `nil` where nothing is opened.
    ///   - takeLines: Called before a question is shown; its result is called when no more lines are taken.
    ///   - line: Waits so many seconds for a line.
    package init(
        isAtTerminal: Bool,
        open: (@Sendable (String) -> Bool)?,
        takeLines: @escaping @Sendable () -> @Sendable () -> Void,
        line: @escaping @Sendable (Double) async -> Answer
    ) {
        atHand = PersonAtHand(
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

/// The steps that a person is seen to take, for the command line.
package struct PersonsSteps: Sendable {
    fileprivate let recorder: SignInRecorder

    /// - Parameter patience: Seconds that the person has.
    package init(patience: Double) {
        recorder = SignInRecorder(patience: patience)
    }

    /// `sign_in.steps` in YAML; empty where nothing was done.
    package func text(for configuration: Configuration) -> String {
        recorder.steps(
            username: configuration.secrets.username ?? "",
            password: configuration.secrets.password?.reveal()
        )
    }
}

extension Configuration {
    /// Whether people sign in by hand.
    package var signsInByHand: Bool { conduct.driver == .manual }

    /// Takes over who goes through the pages, and looks for the browser that it may take.
    ///
    /// - Parameters:
    ///   - driver: What the command line says; the configuration's when `nil`.
    ///   - browser: The browser that the command line names; the configuration's when `nil`.
    ///   - isShown: Whether the browser has a window.
    ///   - person: Who is asked where people sign in by hand.
    /// - Throws: That there is no browser where one was asked for.
    package mutating func drive(
        by driver: SignInDriver?,
        in browser: BrowserKind? = nil,
        isShown: Bool,
        asking person: Person? = nil
    ) throws(ConfigurationError) {
        conduct.person = person?.atHand ?? .nobody
        conduct.driver = driver ?? conduct.driver
        conduct.isShown = isShown
        conduct.wantedBrowser = browser ?? conduct.wantedBrowser
        if conduct.driver == .manual, isShown || browser != nil {
            let option = isShown ? "--show-browser" : "--browser"
            throw ConfigurationError(file: option, "people who sign in by hand see their own browser")
        }
        let takesPasskey = secrets.passkey != nil && conduct.driver != .manual
        if takesPasskey {
            if conduct.wantedBrowser == .firefox {
                let option = browser == nil ? "sign_in.browser" : "--browser"
                throw ConfigurationError(
                    file: option,
                    "sign_in.passkey takes chromium: Firefox has no virtual authenticator that holds a passkey"
                )
            }
            conduct.wantedBrowser = .chromium
        }
        conduct.browser = BrowserPrograms.installed(conduct.wantedBrowser)
        let needsBrowser = isShown || browser != nil || conduct.driver == .browser || takesPasskey
        guard conduct.browser == nil, needsBrowser, secrets.username != nil else { return }
        let source =
            isShown
            ? "--show-browser"
            : browser != nil
                ? "--browser"
                : conduct.driver != .browser ? "sign_in.passkey" : driver == nil ? "sign_in.driver" : "--driver browser"
        throw ConfigurationError(file: source, Self.noBrowser(conduct.wantedBrowser))
    }

    private static func noBrowser(_ kind: BrowserKind?) -> String {
        (kind.map { "\($0.rawValue) cannot be driven here: " } ?? "no browser can be driven here: ")
            + BrowserPrograms.advice(kind)
    }

    /// Whether a person signs in by hand.
    package var isByHand: Bool { conduct.driver == .manual }

    /// Has a person sign in by hand in the browser, who is watched.
    ///
    /// - Parameter isShown: False for tests, where a page plays the person.
    package mutating func record(with recorder: PersonsSteps, isShown: Bool) throws(ConfigurationError) {
        try drive(by: .browser, isShown: isShown)
        conduct.recorder = recorder.recorder
        limits.seconds = recorder.recorder.patience + 60
    }

    /// Has the browser take a picture of each page at which a sign-in does not get through.
    package mutating func keepPictures(in album: PageAlbum?) {
        conduct.album = album?.pictures
    }
}

/// The browsers of this machine, for `doctor`.
enum BrowserLines {
    static var all: [String] {
        let found = BrowserKind.allCases.compactMap { BrowserPrograms.installed($0) }
        guard !found.isEmpty else {
            return [CatalogueText.padded("browser", 10) + "none that can be driven: \(BrowserPrograms.advice())"]
        }
        return found.map { programs in
            let driver = programs.driver?.shown(limit: 200) ?? "WebDriver BiDi, which it takes by itself"
            return CatalogueText.padded("browser", 10)
                + "\(programs.browser.shown(limit: 200)) (\(programs.kind.rawValue)), driven by \(driver)"
        }
    }
}
