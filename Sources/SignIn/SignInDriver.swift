package import Browsing
import Transport

/// Who goes through a provider's pages.
package enum SignInDriver: String, Sendable, Hashable, CaseIterable {
    /// HTML over HTTP, without JavaScript.
    case form
    /// A browser without a window, or with one.
    case browser
}

/// Who goes through the pages in a whole run: decided once, for all its conversations.
package actor SignInDriving {
    private var driver: SignInDriver
    /// The browsers that may be used; `nil` where none is installed.
    package nonisolated let browsers: Browsers?
    private let note: @Sendable (String) -> Void

    /// - Parameters:
    ///   - driver: Forms give way to a browser where a page needs JavaScript and there is a browser.
    ///   - note: Takes a sentence that the user is to read.
    package init(
        _ driver: SignInDriver,
        browsers: Browsers?,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.driver = driver
        self.browsers = browsers
        self.note = note
    }

    /// The public keys of servers whose certificates were verified by the authorities that the configuration names.
    private(set) var pins: Set<String> = []

    /// Takes note of a server that a browser has to trust as this program does.
    func meet(_ exchange: HTTPExchange, _ configuration: TransportConfiguration) {
        guard configuration.certificateAuthorityFile != nil, browsers != nil, let tls = exchange.tls,
            tls.verification == .verified, tls.hostMatched != false, let pin = tls.chain.first.flatMap(PublicKeyPin.of)
        else { return }
        pins.insert(pin)
    }

    /// Whether pages are shown in a browser.
    var usesBrowser: Bool { driver == .browser }

    /// Decides for the browser at a page that works with JavaScript only; false where there is none.
    func givesWay(at page: String) -> Bool {
        guard driver == .form, browsers != nil else { return driver == .browser }
        driver = .browser
        note("The page \(page) works with JavaScript only: the sign-ins of this run go through a browser.")
        return true
    }
}
