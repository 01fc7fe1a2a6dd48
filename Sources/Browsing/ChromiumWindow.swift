import JSONTree

/// One window of a Chromium of its own, by W3C WebDriver and the commands of DevTools that chromedriver passes on.
actor ChromiumWindow: BrowserWindow {
    private let process: DriverProcess
    private let requests: DocumentRequests
    let driver: WebDriver
    let path: String
    nonisolated let frame: String
    nonisolated let agent: String
    /// The virtual authenticator that the browser was given last.
    var authenticator: String?

    /// Starts a browser and waits for its window.
    static func start(
        _ programs: BrowserPrograms,
        by program: String,
        _ options: BrowserOptions,
        _ bounds: BrowserBounds,
        proxy: Int
    ) async throws(BrowserFailure) -> ChromiumWindow {
        let limit = CommandLimit(options)
        let process = try await DriverProcess.start(launch(program), limit)
        let driver = WebDriver(port: process.port, limit: limit)
        do throws(BrowserFailure) {
            guard await driver.isReady() else { throw BrowserFailure("\(program) is not ready for a session") }
            // The browser starts meanwhile.
            let wanted = capabilities(programs, options, bounds, proxy)
            let session = try await driver.command("POST", "/session", wanted, within: limit.own + 30)
            guard let identifier = session["sessionId"]?.stringValue else {
                throw BrowserFailure("\(program) did not start a session")
            }
            let path = "/session/\(identifier)"
            let window = try await firstWindow(driver, path)
            let options = session["capabilities"]?["goog:chromeOptions"]
            let requests = try await DocumentRequests.start(at: options?["debuggerAddress"]?.stringValue ?? "", limit)
            let version = try await driver.command(
                "POST",
                path + "/goog/cdp/execute",
                ["cmd": "Browser.getVersion", "params": [:]]
            )
            return ChromiumWindow(process, requests, driver, path, window, version["userAgent"]?.stringValue ?? "")
        } catch {
            driver.close()
            await process.stop()
            throw error
        }
    }

    private init(
        _ process: DriverProcess,
        _ requests: DocumentRequests,
        _ driver: WebDriver,
        _ path: String,
        _ frame: String,
        _ agent: String
    ) {
        self.process = process
        self.requests = requests
        self.driver = driver
        self.path = path
        self.frame = frame
        self.agent = agent
    }

    /// The driver writes “… started successfully on port 40239.”, with its full stop.
    private static func launch(_ program: String) -> DriverProcess.Launch {
        DriverProcess.Launch(
            program: program,
            arguments: { _ in ["--port=0"] },
            variables: [],
            prepare: { _ in },
            port: { text in
                for line in text.split(separator: "\n") where line.contains("successfully on port ") {
                    let digits = line.reversed().drop { !$0.isNumber }.prefix { $0.isNumber }
                    if let port = Int(String(digits.reversed())), text.contains(line + "\n") { return port }
                }
                return nil
            },
            file: nil
        )
    }

    private static func capabilities(
        _ programs: BrowserPrograms,
        _ options: BrowserOptions,
        _ bounds: BrowserBounds,
        _ proxy: Int
    ) -> JSON {
        [
            "capabilities": [
                "alwaysMatch": [
                    "pageLoadStrategy": "none",
                    "unhandledPromptBehavior": "accept",
                    "acceptInsecureCerts": false,
                    "goog:loggingPrefs": options.isWatched
                        ? ["performance": "ALL", "browser": "ALL"] : ["performance": "ALL"],
                    "goog:chromeOptions": [
                        "binary": .string(programs.browser),
                        "args": .array(options.arguments(bounds, proxy: proxy).map { .string($0) }),
                        // WebRTC sends nothing except through the proxy.
                        "prefs": ["webrtc.ip_handling_policy": "disable_non_proxied_udp"],
                    ],
                ]
            ]
        ]
    }

    /// A session may begin before its first window is there.
    private static func firstWindow(_ driver: WebDriver, _ path: String) async throws(BrowserFailure) -> String {
        for _ in 0..<200 {
            if let window = (try? await driver.command("GET", path + "/window"))?.stringValue { return window }
            try? await Task.sleep(nanoseconds: 20_000_000)
        }
        throw BrowserFailure("the browser did not open a window")
    }

    func stop() async {
        requests.close()
        driver.close()
        await process.stop()
    }

    func apply(_ formGuard: FormGuard?) async throws(BrowserFailure) { try requests.apply(formGuard) }

    func withheld() async -> String? { requests.withheld }

    func begin(with cookies: [BrowserCookie]) async throws(BrowserFailure) {
        try requests.apply(nil)
        try await dropAuthenticator()
        try await run("Page.navigate", ["url": "about:blank"])
        try await run("Network.clearBrowserCookies")
        try await run("Storage.clearDataForOrigin", ["origin": "*", "storageTypes": "all"])
        try await run("Network.setCacheDisabled", ["cacheDisabled": true])
        if !cookies.isEmpty {
            try await run("Network.setCookies", ["cookies": .array(cookies.map(Self.parameters))])
        }
        _ = try await driver.command("POST", path + "/se/log", ["type": "performance"])
    }

    private static func parameters(of cookie: BrowserCookie) -> JSON {
        var members: [JSONObject.Member] = [
            .init(name: "name", value: .string(cookie.name)),
            .init(name: "value", value: .string(cookie.value)),
            .init(name: "path", value: .string(cookie.path)),
            .init(name: "secure", value: .bool(cookie.isSecure)),
        ]
        if cookie.isHostOnly {
            let scheme = cookie.isSecure ? "https" : "http"
            members.append(.init(name: "url", value: .string("\(scheme)://\(cookie.domain)\(cookie.path)")))
        } else {
            members.append(.init(name: "domain", value: .string("." + cookie.domain)))
        }
        if let expiry = cookie.expiry { members.append(.init(name: "expires", value: .real(expiry))) }
        return .object(JSONObject(members))
    }

    func cookies() async throws(BrowserFailure) -> [BrowserCookie] {
        (try await run("Storage.getCookies")["cookies"]?.arrayValue ?? [])
            .compactMap { cookie in
                guard let name = cookie["name"]?.stringValue, let domain = cookie["domain"]?.stringValue else {
                    return nil
                }
                let isSession = cookie["session"]?.boolValue ?? true
                return BrowserCookie(
                    name: name,
                    value: cookie["value"]?.stringValue ?? "",
                    domain: domain.hasPrefix(".") ? String(domain.dropFirst()) : domain,
                    isHostOnly: !domain.hasPrefix("."),
                    path: cookie["path"]?.stringValue ?? "/",
                    isSecure: cookie["secure"]?.boolValue ?? false,
                    expiry: isSession ? nil : cookie["expires"]?.numberValue
                )
            }
    }

    func open(_ url: String) async throws(BrowserFailure) {
        try await driver.command("POST", path + "/url", ["url": .string(url)])
    }

    func readLog(into network: inout NetworkLog) async throws(BrowserFailure) {
        let entries = try await driver.command("POST", path + "/se/log", ["type": "performance"]).arrayValue ?? []
        for entry in entries {
            guard let text = entry["message"]?.stringValue,
                let event = (try? JSONDocument.parse(text, depthLimit: 256, valueLimit: JSONDocument.ownValueLimit))?
                    .root["message"]
            else { continue }
            network.take(chromium: event)
        }
    }

    func run(_ script: String, _ arguments: [JSON]) async throws(BrowserFailure) -> JSON {
        let body: JSON = ["script": .string(script), "args": .array(arguments)]
        return try await driver.command("POST", path + "/execute/sync", body)
    }

    func type(_ text: String, into element: JSON) async throws(BrowserFailure) {
        let field = try Self.reference(element)
        try await driver.command("POST", "\(path)/element/\(field)/clear")
        try await driver.command("POST", "\(path)/element/\(field)/value", ["text": .string(text)])
    }

    func press(_ element: JSON) async throws(BrowserFailure) {
        try await driver.command("POST", "\(path)/element/\(Self.reference(element))/click")
    }

    /// Enter is U+E007 (W3C WebDriver section 17.4.2).
    func pressEnter(in element: JSON) async throws(BrowserFailure) {
        let value: JSON = ["text": "\u{E007}"]
        try await driver.command("POST", "\(path)/element/\(Self.reference(element))/value", value)
    }

    func body(of request: String) async -> String? {
        guard let answer = try? await run("Network.getResponseBody", ["requestId": .string(request)]),
            answer["base64Encoded"]?.boolValue == false
        else { return nil }
        return answer["body"]?.stringValue
    }

    func screenshot() async throws(BrowserFailure) -> String {
        try await driver.command("GET", path + "/screenshot").stringValue ?? ""
    }

    func addScript(_ script: String) async throws(BrowserFailure) {
        try await run("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }

    func console() async throws(BrowserFailure) -> [String] {
        let entries = try await driver.command("POST", path + "/se/log", ["type": "browser"]).arrayValue ?? []
        return entries.compactMap { $0["message"]?.stringValue }
    }

    private static func reference(_ element: JSON) throws(BrowserFailure) -> String {
        guard let reference = element[ElementReference.key]?.stringValue else {
            throw BrowserFailure("no such element")
        }
        return reference
    }

    /// A command of Chromium's DevTools protocol, which chromedriver passes on.
    @discardableResult
    func run(_ command: String, _ parameters: JSON = [:]) async throws(BrowserFailure) -> JSON {
        let body: JSON = ["cmd": .string(command), "params": parameters]
        return try await driver.command("POST", path + "/goog/cdp/execute", body)
    }
}
