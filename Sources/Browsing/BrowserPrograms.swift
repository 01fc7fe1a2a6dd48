#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A browser and the program that drives it, by their paths.
package struct BrowserPrograms: Sendable, Hashable {
    package var driver: String
    package var browser: String

    package init(driver: String, browser: String) {
        self.driver = driver
        self.browser = browser
    }

    /// The names that Chromium and its relatives are installed under.
    private static let browsers = ["chromium", "chromium-browser", "google-chrome", "chrome"]

    /// Those of this machine; `nil` unless both are in `PATH`.
    package static func installed() -> BrowserPrograms? {
        guard let driver = path(of: "chromedriver"), let browser = browsers.lazy.compactMap(path).first else {
            return nil
        }
        return BrowserPrograms(driver: driver, browser: browser)
    }

    /// What to do where none is installed.
    package static let advice = "install chromium and chromedriver (Debian: apt-get install chromium chromium-driver)"

    private static func path(of name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
