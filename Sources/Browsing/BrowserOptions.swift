package import Transport

/// How browsers are started, and for how long they wait.
package struct BrowserOptions: Sendable {
    /// Whether the window is visible to a user.
    var isShown: Bool
    /// The most that a page may take until it is at rest, seconds.
    package var pageTimeout: Double
    /// How many are open at the same time.
    var mostAtOnce: Int
    /// Whether a user's actions in it are recorded.
    package var isWatched = false
    /// Whether a screenshot is made of each page.
    package var takesScreenshots: Bool
    /// The rules for the connections of a browser: addresses, address policy and proxies.
    var transport: TransportConfiguration
    /// Seconds that the run may still take; `nil` if it has no limit.
    var secondsLeft: @Sendable () -> Double?

    package init(
        isShown: Bool = false,
        pageTimeout: Double = BrowserOptions.standingTimeout,
        mostAtOnce: Int = 2,
        takesScreenshots: Bool = false,
        transport: TransportConfiguration = TransportConfiguration(),
        secondsLeft: @escaping @Sendable () -> Double? = { nil }
    ) {
        self.isShown = isShown
        self.pageTimeout = pageTimeout
        self.mostAtOnce = mostAtOnce
        self.takesScreenshots = takesScreenshots
        self.transport = transport
        self.secondsLeft = secondsLeft
    }

    /// Seconds for a page, by default.
    package static let standingTimeout = 60.0

    /// The command line of Chromium.
    ///
    /// - Parameter proxy: The port of the browser's proxy. It applies to loopback and link-local addresses too, which Chromium
    ///   otherwise contacts directly.
    func arguments(_ bounds: BrowserBounds, proxy: Int) -> [String] {
        var arguments = ["--disable-dev-shm-usage", "--disable-crash-reporter", "--no-first-run", "--lang=en"]
        arguments.append("--window-size=1200,1000")
        if !isShown { arguments.append("--headless=new") }
        if BrowserKind.chromium.lacksSandbox { arguments.append("--no-sandbox") }
        arguments += ["--proxy-server=http://127.0.0.1:\(proxy)", "--proxy-bypass-list=<-loopback>", "--disable-quic"]
        let keys = Set(bounds.trusted.map(\.key)).sorted()
        if !keys.isEmpty {
            arguments.append("--ignore-certificate-errors-spki-list=" + keys.joined(separator: ","))
        }
        return arguments
    }
}

/// A server whose certificate this program has verified by an authority that the browser does not know.
package struct TrustedServer: Sendable, Hashable {
    /// Host and port, the port always said.
    package var place: String
    /// SHA-256 of its public key in base64 (RFC 7469 section 2.4).
    package var key: String
    /// The certificate, DER.
    package var certificate: [UInt8]

    package init(place: String, key: String, certificate: [UInt8]) {
        self.place = place
        self.key = key
        self.certificate = certificate
    }
}

/// The addresses that a browser must not reach, and the additional certificates that it may trust.
package struct BrowserBounds: Sendable, Hashable {
    /// Hosts with ports whose names lead nowhere: those of redirect URIs.
    var unreachable: Set<String>
    /// The schemes of redirect URIs that are an application's, in lower case.
    var schemes: Set<String>
    var trusted: Set<TrustedServer>

    package init(unreachable: Set<String>, schemes: Set<String>, trusted: Set<TrustedServer>) {
        self.unreachable = unreachable
        self.schemes = schemes
        self.trusted = trusted
    }

    func covers(_ other: BrowserBounds) -> Bool {
        other.unreachable.isSubset(of: unreachable) && other.schemes.isSubset(of: schemes)
            && other.trusted.isSubset(of: trusted)
    }

    func joined(with other: BrowserBounds) -> BrowserBounds {
        BrowserBounds(
            unreachable: unreachable.union(other.unreachable),
            schemes: schemes.union(other.schemes),
            trusted: trusted.union(other.trusted)
        )
    }
}
