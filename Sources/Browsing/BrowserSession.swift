import JOSE
import JSONTree
package import Transport

/// A page as a browser shows it.
package struct BrowserView: Sendable, Hashable {
    /// What is visible, as HTML; each control has its place among the page's elements in `data-preflight-element`.
    package var html: String
    package var url: String
    /// Whether document and scripts have been loaded.
    package var isComplete: Bool
}

/// A cookie of a browser.
package struct BrowserCookie: Sendable, Hashable {
    package var name: String
    package var value: String
    package var domain: String
    /// Whether it is for this host alone.
    package var isHostOnly: Bool
    package var path: String
    package var isSecure: Bool
    /// Seconds since 1970; `nil` for the end of the session.
    package var expiry: Double?

    package init(
        name: String,
        value: String,
        domain: String,
        isHostOnly: Bool,
        path: String,
        isSecure: Bool,
        expiry: Double?
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.isSecure = isSecure
        self.expiry = expiry
    }
}

/// One window of a browser of its own, lent to one conversation at a time.
package actor BrowserSession {
    private let process: DriverProcess
    let driver: WebDriver
    let path: String
    private let window: String
    private var elements: [JSON] = []
    /// The virtual authenticator that the browser was given last.
    var authenticator: String?
    package private(set) var network = NetworkLog()
    nonisolated let bounds: BrowserBounds
    /// What the browser calls itself.
    package nonisolated let agent: String

    /// W3C WebDriver section 12.1: the name of a reference to an element.
    private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"
    /// Characters of a page; a longer one is cut off.
    private static let longestPage = 1 << 20

    /// Starts a browser and waits for its window.
    static func start(
        _ programs: BrowserPrograms,
        _ options: BrowserOptions,
        _ bounds: BrowserBounds
    ) async throws(BrowserFailure) -> BrowserSession {
        let process = try await DriverProcess.start(programs)
        let driver = WebDriver(port: process.port, timeout: options.pageTimeout + 30)
        do throws(BrowserFailure) {
            guard await driver.isReady() else { throw BrowserFailure("\(programs.driver) is not ready for a session") }
            let session = try await driver.command("POST", "/session", capabilities(programs, options, bounds))
            guard let identifier = session["sessionId"]?.stringValue else {
                throw BrowserFailure("\(programs.driver) began no session")
            }
            let path = "/session/\(identifier)"
            let window = try await firstWindow(driver, path)
            let version = try await driver.command(
                "POST",
                path + "/goog/cdp/execute",
                ["cmd": "Browser.getVersion", "params": [:]]
            )
            return BrowserSession(process, driver, path, window, bounds, version["userAgent"]?.stringValue ?? "")
        } catch {
            driver.close()
            await process.stop()
            throw error
        }
    }

    private init(
        _ process: DriverProcess,
        _ driver: WebDriver,
        _ path: String,
        _ window: String,
        _ bounds: BrowserBounds,
        _ agent: String
    ) {
        self.process = process
        self.driver = driver
        self.path = path
        self.window = window
        self.bounds = bounds
        self.agent = agent
    }

    private static func capabilities(
        _ programs: BrowserPrograms,
        _ options: BrowserOptions,
        _ bounds: BrowserBounds
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
                        "args": .array(options.arguments(bounds).map { .string($0) }),
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
        throw BrowserFailure("the browser opened no window")
    }

    /// Ends the browser.
    func stop() async {
        driver.close()
        await process.stop()
    }

    /// Forgets whoever was there before, and takes over cookies.
    package func begin(with cookies: [BrowserCookie]) async throws(BrowserFailure) {
        try await dropAuthenticator()
        try await run("Page.navigate", ["url": "about:blank"])
        try await run("Network.clearBrowserCookies")
        try await run("Storage.clearDataForOrigin", ["origin": "*", "storageTypes": "all"])
        try await run("Network.setCacheDisabled", ["cacheDisabled": true])
        if !cookies.isEmpty {
            try await run("Network.setCookies", ["cookies": .array(cookies.map(Self.parameters))])
        }
        _ = try await driver.command("POST", path + "/se/log", ["type": "performance"])
        network = NetworkLog()
        elements = []
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

    /// The cookies that the browser has now.
    package func cookies() async throws(BrowserFailure) -> [BrowserCookie] {
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

    /// Sends the window to an address; does not wait for the page.
    package func open(_ url: String) async throws(BrowserFailure) {
        try await driver.command("POST", path + "/url", ["url": .string(url)])
    }

    /// Takes in what the browser has asked for since the last time.
    package func readLog() async throws(BrowserFailure) {
        let entries = try await driver.command("POST", path + "/se/log", ["type": "performance"]).arrayValue ?? []
        for entry in entries {
            guard let text = entry["message"]?.stringValue,
                let event = (try? JSONDocument.parse(text, depthLimit: 256))?.root["message"]
            else { continue }
            network.take(event)
        }
    }

    /// Whether a request is for the window's own page, and not for a frame in it.
    package func isPage(_ request: BrowserRequest) -> Bool { request.kind == "Document" && request.frame == window }

    /// The page as it is; `nil` while there is none, between two.
    ///
    /// - Parameter marking: Whether elements are those of this look from now on.
    package func look(marking: Bool = true) async -> BrowserView? {
        let arguments: JSON = [[], .integer(Int64(Self.longestPage))]
        let body: JSON = ["script": .string(PageScript.look), "args": arguments]
        guard let seen = (try? await driver.command("POST", path + "/execute/sync", body))?.arrayValue,
            seen.count == 4, let html = seen[0].stringValue, let url = seen[1].stringValue
        else { return nil }
        if marking { elements = seen[3].arrayValue ?? [] }
        return BrowserView(html: html, url: url, isComplete: seen[2].stringValue == "complete")
    }

    /// Types a text into a field of the page that was looked at last, in the place of what it holds; into one that takes no keys, as a
    /// field that is about to move or that lies beneath another, it is written by a script.
    package func type(_ text: String, into element: Int) async throws(BrowserFailure) {
        let field = try reference(element)
        do throws(BrowserFailure) {
            try await driver.command("POST", "\(path)/element/\(field)/clear")
            try await driver.command("POST", "\(path)/element/\(field)/value", ["text": .string(text)])
        } catch {
            try await execute(PageScript.write, [elements[element], .string(text)])
        }
    }

    /// Presses a button or a box; one that something lies over is pressed by a script.
    package func press(_ element: Int) async throws(BrowserFailure) {
        let button = try reference(element)
        do throws(BrowserFailure) {
            try await driver.command("POST", "\(path)/element/\(button)/click")
        } catch {
            try await execute("arguments[0].click()", [elements[element]])
        }
    }

    /// Presses the key that sends a form, in a field (W3C WebDriver section 17.4.2: U+E007 is Enter).
    package func pressEnter(in element: Int) async throws(BrowserFailure) {
        let field = try reference(element)
        try await driver.command("POST", "\(path)/element/\(field)/value", ["text": "\u{E007}"])
    }

    /// Chooses an option by its value.
    package func choose(_ value: String, in element: Int) async throws(BrowserFailure) {
        _ = try reference(element)
        try await execute(PageScript.choose, [elements[element], .string(value)])
    }

    /// Sends the form of a control without a button.
    package func sendForm(of element: Int) async throws(BrowserFailure) {
        _ = try reference(element)
        try await execute(PageScript.send, [elements[element]])
    }

    /// The document of a page as it was received; `nil` where the browser has it no more.
    package func body(of request: BrowserRequest) async -> [UInt8]? {
        let parameters: JSON = ["requestId": .string(request.identifier)]
        guard let answer = try? await run("Network.getResponseBody", parameters),
            answer["base64Encoded"]?.boolValue == false
        else { return nil }
        return answer["body"]?.stringValue.map { Array($0.utf8) }
    }

    /// A picture of what the window shows, PNG, with nothing in it of what is typed in fields; `nil` where none could be taken.
    ///
    /// The page is left as it was. What a page draws itself, or has in its text, is in the picture.
    package func picture() async -> [UInt8]? {
        let blank: JSON = ["script": .string(PageScript.blank), "args": []]
        let isBlank = (try? await driver.command("POST", path + "/execute/sync", blank))?.boolValue == true
        let taken = isBlank ? (try? await driver.command("GET", path + "/screenshot"))?.stringValue : nil
        // What was begun is undone, whatever came of it.
        try? await execute(PageScript.restore, [])
        return taken.flatMap { try? Base64.decode($0) }
    }

    private func reference(_ element: Int) throws(BrowserFailure) -> String {
        guard elements.indices.contains(element), let reference = elements[element][Self.elementKey]?.stringValue else {
            throw BrowserFailure("the page has changed while it was filled in")
        }
        return reference
    }

    private func execute(_ script: String, _ arguments: [JSON]) async throws(BrowserFailure) {
        let body: JSON = ["script": .string(script), "args": .array(arguments)]
        try await driver.command("POST", path + "/execute/sync", body)
    }

    /// A command of Chromium's DevTools protocol, which chromedriver passes on.
    @discardableResult
    func run(_ command: String, _ parameters: JSON = [:]) async throws(BrowserFailure) -> JSON {
        let body: JSON = ["cmd": .string(command), "params": parameters]
        return try await driver.command("POST", path + "/goog/cdp/execute", body)
    }
}
