import JOSE

/// The profile of a fresh Firefox: the requests it may send, and the certificates it may trust.
enum FirefoxProfile {
    static func launch(
        _ programs: BrowserPrograms,
        _ options: BrowserOptions,
        _ bounds: BrowserBounds,
        proxy: Int
    ) -> DriverProcess.Launch {
        var arguments = ["--no-remote", "--remote-debugging-port=0", "--width", "1200", "--height", "1000"]
        if !options.isShown { arguments.append("--headless") }
        return DriverProcess.Launch(
            program: programs.browser,
            arguments: { [arguments] folder in arguments + ["--profile", folder + "/profile"] },
            // The second is what has it heed `services.settings.server`.
            variables: ["MOZ_CRASHREPORTER_DISABLE=1", "MOZ_REMOTE_SETTINGS_DEVTOOLS=1"],
            prepare: { folder throws(BrowserFailure) in
                try write(bounds, proxy: proxy, to: folder + "/profile")
            },
            port: port,
            file: "profile/WebDriverBiDiServer.json"
        )
    }

    /// Makes the folder of the profile, which only this user can read.
    static func write(_ bounds: BrowserBounds, proxy: Int, to folder: String) throws(BrowserFailure) {
        try DriverProcess.makeFolder(at: folder)
        try DriverProcess.write(settings(bounds, proxy), to: folder + "/user.js")
        try DriverProcess.write(overrides(bounds), to: folder + "/cert_override.txt")
        try DriverProcess.write(FirefoxHandlers.file(bounds.schemes), to: folder + "/handlers.json")
    }

    /// The port in what Firefox writes when it listens: `{"ws_host":"127.0.0.1","ws_port":45261}`.
    private static func port(_ text: String) -> Int? {
        guard text.hasSuffix("}"), let name = text.firstRange(of: "\"ws_port\":") else { return nil }
        return Int(text[name.upperBound...].drop { $0 == " " }.prefix { $0.isNumber })
    }

    /// The preferences.
    ///
    /// Firefox sends many requests by itself: none of them is needed here, and only the page's host may get requests.
    private static func settings(_ bounds: BrowserBounds, _ proxy: Int) -> String {
        var lines = off.map { ($0, "false") } + on.map { ($0, "true") } + numbers.map { ($0.0, String($0.1)) }
        lines += texts.map { ($0.0, "\"\($0.1)\"") }
        for kind in ["http", "ssl"] {
            lines.append(("network.proxy.\(kind)", "\"127.0.0.1\""))
            lines.append(("network.proxy.\(kind)_port", String(proxy)))
        }
        for scheme in bounds.schemes.sorted() {
            lines.append(("network.protocol-handler.external.\(scheme)", "true"))
            lines.append(("network.protocol-handler.warn-external.\(scheme)", "false"))
        }
        return lines.map { "user_pref(\"\($0.0)\", \($0.1));\n" }.joined()
    }

    private static let off = [
        "app.normandy.enabled", "app.update.auto", "app.shield.optoutstudies.enabled", "browser.ml.enable",
        "browser.cache.disk.enable", "browser.cache.memory.enable", "browser.newtabpage.enabled",
        "browser.newtabpage.activity-stream.feeds.topsites", "browser.region.update.enabled",
        "browser.safebrowsing.blockedURIs.enabled", "browser.safebrowsing.downloads.enabled",
        "browser.safebrowsing.malware.enabled", "browser.safebrowsing.phishing.enabled",
        "browser.search.suggest.enabled", "browser.search.update", "browser.shell.checkDefaultBrowser",
        "browser.topsites.contile.enabled", "browser.translations.enable", "browser.urlbar.suggest.searches",
        "datareporting.healthreport.uploadEnabled", "datareporting.policy.dataSubmissionEnabled",
        "dom.ipc.processPrelaunch.enabled", "dom.push.connection.enabled", "dom.push.enabled",
        "dom.security.https_first", "dom.security.https_only_mode",
        "extensions.formautofill.addresses.enabled", "extensions.formautofill.creditCards.enabled",
        "extensions.getAddons.cache.enabled", "extensions.systemAddon.update.enabled", "extensions.update.enabled",
        "geo.enabled", "media.gmp-manager.updateEnabled", "media.peerconnection.enabled",
        "network.captive-portal-service.enabled",
        "network.connectivity-service.enabled", "network.dns.native_https_query", "network.http.http3.enable",
        "network.predictor.enabled",
        "network.prefetch-next", "network.proxy.failover_direct", "network.webtransport.enabled",
        "nimbus.rollouts.enabled",
        "security.external_protocol_requires_permission",
        "signon.autofillForms", "signon.rememberSignons", "toolkit.telemetry.enabled", "toolkit.telemetry.unified",
    ]
    private static let on = [
        "app.update.disabledForTesting", "datareporting.policy.dataSubmissionPolicyBypassNotification",
        "network.dns.disablePrefetch", "network.dns.disablePrefetchFromHTTPS",
        "network.proxy.allow_hijacking_localhost", "remote.prefs.recommended",
    ]
    /// A blank page at the start, no connection in advance, no resolver but the system's, no question about revocation, and one
    /// proxy for everything.
    private static let numbers = [
        ("browser.startup.page", 0), ("network.http.speculative-parallel-limit", 0), ("network.proxy.type", 1),
        ("network.trr.mode", 5), ("security.OCSP.enabled", 0),
    ]
    private static let texts = [
        ("app.normandy.api_url", ""), ("browser.safebrowsing.provider.mozilla.updateURL", ""),
        ("browser.startup.homepage", "about:blank"), ("intl.accept_languages", "en"), ("media.gmp-manager.url", ""),
        ("network.proxy.no_proxies_on", ""),
        ("services.settings.server", "data:,#remote-settings-dummy/v1"), ("toolkit.telemetry.server", ""),
    ]

    /// The certificates that this program has verified by an authority of its own.
    ///
    /// Each is valid only for its host and port and by its hash: no other certificate is accepted there.
    private static func overrides(_ bounds: BrowserBounds) -> String {
        let lines = bounds.trusted.map { server in
            let hash = Hashes.sha256(server.certificate)
                .map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
            return "\(server.place):\tOID.2.16.840.1.101.3.4.2.1\t\(hash.joined(separator: ":"))\t\n"
        }
        return lines.sorted().joined()
    }
}
