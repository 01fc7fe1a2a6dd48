internal import Browsing
internal import Conformance
internal import Flows
package import Profiles
package import SignIn

/// Who goes through a provider's pages, for the command line.
package typealias PageDriver = SignInDriver

/// The pictures of the pages at which sign-ins stopped, for the command line.
package struct PageAlbum: Sendable {
    fileprivate let pictures = PictureAlbum()

    package init() {}

    /// The picture of a number, PNG.
    package func picture(_ number: Int) -> [UInt8]? { pictures.picture(number) }
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
    /// Takes over who goes through the pages, and looks for the browser that it may take.
    ///
    /// - Parameters:
    ///   - driver: What the command line says; the configuration's when `nil`.
    ///   - isShown: Whether the browser has a window.
    /// - Throws: That there is no browser where one was asked for.
    package mutating func drive(by driver: SignInDriver?, isShown: Bool) throws(ConfigurationError) {
        conduct.driver = driver ?? conduct.driver
        conduct.isShown = isShown
        conduct.browser = BrowserPrograms.installed()
        let needsBrowser = isShown || conduct.driver == .browser || secrets.passkey != nil
        guard conduct.browser == nil, needsBrowser, secrets.username != nil else { return }
        let source =
            isShown
            ? "--show-browser"
            : conduct.driver != .browser ? "sign_in.passkey" : driver == nil ? "sign_in.driver" : "--driver browser"
        throw ConfigurationError(file: source, "no browser can be driven here: \(BrowserPrograms.advice)")
    }

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

/// The browser of this machine, for `doctor`.
enum BrowserLines {
    static var all: [String] {
        guard let programs = BrowserPrograms.installed() else {
            return [CatalogueText.padded("browser", 10) + "none that can be driven: \(BrowserPrograms.advice)"]
        }
        return [
            CatalogueText.padded("browser", 10)
                + "\(programs.browser.shown(limit: 200)), driven by \(programs.driver.shown(limit: 200))"
        ]
    }
}
