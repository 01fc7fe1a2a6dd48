#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The browsers that can be driven.
package enum BrowserKind: String, Sendable, Hashable, CaseIterable {
    /// Chromium and its relatives, by chromedriver.
    case chromium
    /// Firefox, which takes WebDriver BiDi by itself.
    case firefox

    /// Whether the browser has to run without its sandbox: Chromium's does not start as root, as in containers.
    var lacksSandbox: Bool { self == .chromium && geteuid() == 0 }

    /// A sentence for the user about how the browser runs; `nil` if there is nothing to say.
    package var warning: String? {
        lacksSandbox
            ? "Chromium runs without its sandbox, because this program runs as root: run it as another user." : nil
    }
}

/// A browser and what drives it, by their paths.
package struct BrowserPrograms: Sendable, Hashable {
    package let kind: BrowserKind
    package let browser: String
    /// The program that drives the browser; `nil` for one that needs none.
    package let driver: String?

    private init(_ kind: BrowserKind, browser: String, driver: String?) {
        self.kind = kind
        self.browser = browser
        self.driver = driver
    }

    /// The browser of this machine: Chromium if it can be automated, otherwise Firefox.
    ///
    /// - Parameter kind: The one that is wanted; `nil` for whichever there is.
    package static func installed(_ kind: BrowserKind? = nil) -> BrowserPrograms? {
        guard let kind else { return BrowserKind.allCases.lazy.compactMap { installed($0) }.first }
        guard let browser = names(of: kind).lazy.compactMap(path).first else { return nil }
        switch kind {
        case .chromium: return path(of: "chromedriver").map { BrowserPrograms(kind, browser: browser, driver: $0) }
        case .firefox: return BrowserPrograms(kind, browser: browser, driver: nil)
        }
    }

    /// The names that browsers are installed under.
    private static func names(of kind: BrowserKind) -> [String] {
        switch kind {
        case .chromium: ["chromium", "chromium-browser", "google-chrome", "chrome"]
        case .firefox: ["firefox-esr", "firefox"]
        }
    }

    /// The advice if a browser is not installed.
    ///
    /// - Parameter kind: The one that is wanted; `nil` for whichever.
    package static func advice(_ kind: BrowserKind? = nil) -> String {
        switch kind {
        case .chromium: "install chromium and chromedriver (Debian: apt-get install chromium chromium-driver)"
        case .firefox: "install Firefox (Debian: apt-get install firefox-esr)"
        case nil:
            "install chromium and chromedriver (Debian: apt-get install chromium chromium-driver), or Firefox (firefox-esr)"
        }
    }

    private static func path(of name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
