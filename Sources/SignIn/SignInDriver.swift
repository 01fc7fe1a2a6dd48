package import Browsing
import Transport

/// Who goes through a provider's pages.
package enum SignInDriver: String, Sendable, Hashable, CaseIterable {
    /// HTML over HTTP, without JavaScript.
    case form
    /// A browser without a window, or with one.
    case browser
    /// A person with a browser of their own, which this program does not see.
    case manual
}

/// Who goes through the pages in a whole run: decided once, for all its conversations.
package actor SignInDriving {
    private var driver: SignInDriver
    /// The browsers that may be used; `nil` where none is installed.
    package nonisolated let browsers: Browsers?
    private let note: @Sendable (String) -> Void
    /// Who takes requests to a browser of their own; `nil` where nobody does.
    nonisolated let person: (@Sendable (HandedRequest) async -> HandedBack)?

    /// - Parameters:
    ///   - driver: Forms give way to a browser where a page needs JavaScript and there is a browser.
    ///   - person: Signs in by hand, where that is the driver.
    ///   - note: Takes a sentence that the user is to read.
    package init(
        _ driver: SignInDriver,
        browsers: Browsers?,
        person: (@Sendable (HandedRequest) async -> HandedBack)? = nil,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.driver = driver
        self.browsers = browsers
        self.person = driver == .manual ? person : nil
        self.note = note
    }

    /// The servers whose certificates were verified by the authorities that the configuration names.
    private(set) var trusted: Set<TrustedServer> = []

    /// Takes note of a server that a browser has to trust as this program does.
    func meet(_ exchange: HTTPExchange, _ configuration: TransportConfiguration) {
        guard configuration.certificateAuthorityFile != nil, browsers != nil, let tls = exchange.tls,
            tls.verification == .verified, tls.hostMatched != false, let certificate = tls.chain.first,
            let key = PublicKeyPin.of(certificate: certificate), let url = WebURL(exchange.request.url)
        else { return }
        let place = "\(url.host):\(url.effectivePort)"
        trusted.insert(TrustedServer(place: place, key: key, certificate: certificate))
    }

    /// Whether pages are shown in a browser.
    var usesBrowser: Bool { driver == .browser }

    /// Decides for the browser at a page that needs JavaScript; false where there is none.
    ///
    /// - Parameter reason: What is the matter with the page, in words that go behind its address.
    func givesWay(at page: String, because reason: String) -> Bool {
        guard driver == .form, browsers != nil else { return driver == .browser }
        driver = .browser
        note("The page \(page) \(reason): the sign-ins of this run go through a browser.")
        return true
    }
}
