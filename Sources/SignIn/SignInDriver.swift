package import Browsing
import Transport

/// The means of completing a provider's pages.
package enum SignInDriver: String, Sendable, Hashable, CaseIterable {
    /// HTML over HTTP, without JavaScript.
    case form
    /// A browser without a window, or with one.
    case browser
    /// A user with their own browser, which this program does not see.
    case manual
}

/// The driver of a whole run: decided once for all its scenarios.
package actor SharedSignInDriver {
    private var driver: SignInDriver
    /// The browsers that may be used; `nil` where none is installed.
    package nonisolated let browsers: Browsers?
    private let note: @Sendable (String) -> Void
    /// Passes requests to a user with their own browser; `nil` if the driver is not manual.
    nonisolated let user: (@Sendable (ManualRequest) async -> ManualResponse)?

    /// - Parameters:
    ///   - driver: Forms give way to a browser if a page needs JavaScript and a browser is installed.
    ///   - user: Signs in by hand, if that is the driver.
    ///   - note: Receives a sentence for the user.
    package init(
        _ driver: SignInDriver,
        browsers: Browsers?,
        user: (@Sendable (ManualRequest) async -> ManualResponse)? = nil,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.driver = driver
        self.browsers = browsers
        self.user = driver == .manual ? user : nil
        self.note = note
    }

    /// The servers whose certificates were verified by the configured authorities.
    private(set) var trusted: Set<TrustedServer> = []

    /// Records a server that a browser has to trust as this program does.
    func meet(_ exchange: HTTPExchange, _ configuration: TransportConfiguration) {
        guard configuration.certificateAuthorityFile != nil, browsers != nil, let tls = exchange.tls,
            tls.verification == .verified, tls.hostMatched != false, let certificate = tls.chain.first,
            let url = WebURL(exchange.request.url)
        else { return }
        let place = "\(url.host):\(url.effectivePort)"
        let isMet = trusted.contains { $0.place == place && $0.certificate == certificate }
        guard !isMet, let key = PublicKeyPin.of(certificate: certificate) else { return }
        trusted.insert(TrustedServer(place: place, key: key, certificate: certificate))
    }

    private var noted: Set<String> = []
    /// Sentences about pages that a run notes; a page can cause any number.
    private static let mostNotes = 20

    /// Notes a sentence, unless it was noted before.
    func noteOnce(_ sentence: String) {
        if noted.count < Self.mostNotes, noted.insert(sentence).inserted { note(sentence) }
    }

    /// Whether pages are shown in a browser.
    var usesBrowser: Bool { driver == .browser }

    /// Switches to the browser at a page that needs JavaScript; false if there is no browser.
    ///
    /// - Parameter reason: What is wrong with the page, in words that follow its address.
    func switchesToBrowser(at page: String, because reason: String) -> Bool {
        guard driver == .form, browsers != nil else { return driver == .browser }
        driver = .browser
        note("The page \(page) \(reason): this run signs in with a browser.")
        return true
    }
}
