import JSONTree
import Transport

/// One tab of a Firefox of its own, by WebDriver BiDi: a fresh user context for each scenario.
actor FirefoxWindow: BrowserWindow {
    private let process: DriverProcess
    private let connection: MessageChannel
    private let requests: FirefoxRequests
    nonisolated let agent: String
    private(set) var frame = ""
    private var userContext: String?
    private var collector: String?
    private var lines: [String] = []
    /// Events that wait for the decision on a request.
    private var pending: [JSON] = []
    /// Blocks all requests while there is a guard.
    private var intercept: String?
    /// The scripts that run in every document of the scenario.
    private var scripts: [String] = []
    private let bounds: BrowserBounds

    /// The maximum size of a body that is kept, in bytes.
    private static let longestBody: Int64 = 8 << 20
    private static let events = [
        "network.beforeRequestSent", "network.responseStarted", "network.responseCompleted", "network.fetchError",
        "log.entryAdded",
    ]

    /// Starts a browser and a session.
    static func start(
        _ programs: BrowserPrograms,
        _ options: BrowserOptions,
        _ bounds: BrowserBounds,
        proxy: Int
    ) async throws(BrowserFailure) -> FirefoxWindow {
        let limit = CommandLimit(options)
        let launch = FirefoxProfile.launch(programs, options, bounds, proxy: proxy)
        let process = try await DriverProcess.start(launch, limit)
        let connection: MessageChannel
        let requests = FirefoxRequests(bounds)
        do throws(BrowserFailure) {
            connection = try await MessageChannel.connect(port: process.port, path: "/session", limit: limit) { event in
                requests.take(event)
                return false
            }
        } catch {
            await process.stop()
            throw error
        }
        do throws(BrowserFailure) {
            let capabilities: JSON = [
                "acceptInsecureCerts": false, "unhandledPromptBehavior": ["default": "accept"],
            ]
            let session = try await connection.command(
                "session.new",
                ["capabilities": ["alwaysMatch": capabilities]]
            )
            let agent = session["capabilities"]?["userAgent"]?.stringValue ?? ""
            try await connection.command("session.subscribe", ["events": .array(events.map { .string($0) })])
            return FirefoxWindow(process, connection, requests, agent, bounds)
        } catch {
            connection.close()
            await process.stop()
            throw error
        }
    }

    private init(
        _ process: DriverProcess,
        _ connection: MessageChannel,
        _ requests: FirefoxRequests,
        _ agent: String,
        _ bounds: BrowserBounds
    ) {
        self.process = process
        self.connection = connection
        self.requests = requests
        self.agent = agent
        self.bounds = bounds
        requests.use(connection)
    }

    func stop() async {
        requests.use(nil)
        connection.close()
        await process.stop()
    }

    func apply(_ formGuard: FormGuard?) async throws(BrowserFailure) {
        requests.apply(formGuard)
        if formGuard != nil, intercept == nil {
            let added = try await connection.command("network.addIntercept", ["phases": ["beforeRequestSent"]])
            intercept = added["intercept"]?.stringValue
        } else if formGuard == nil, let intercept {
            self.intercept = nil
            try await connection.command("network.removeIntercept", ["intercept": .string(intercept)])
        }
    }

    func withheld() async -> String? { requests.withheld }

    func begin(with cookies: [BrowserCookie]) async throws(BrowserFailure) {
        try await apply(nil)
        if let userContext {
            self.userContext = nil
            try await connection.command("browser.removeUserContext", ["userContext": .string(userContext)])
        }
        if let collector {
            // It goes with what it has collected.
            self.collector = nil
            try await connection.command("network.removeDataCollector", ["collector": .string(collector)])
        } else {
            try await withhold()
        }
        for script in scripts {
            try await connection.command("script.removePreloadScript", ["script": .string(script)])
        }
        scripts = []
        let made = try await connection.command(
            "network.addDataCollector",
            ["dataTypes": ["request", "response"], "maxEncodedDataSize": .integer(Self.longestBody)]
        )
        collector = made["collector"]?.stringValue
        let context = try await connection.command("browser.createUserContext")["userContext"]?.stringValue
        guard let context else { throw BrowserFailure("the browser did not create a context") }
        userContext = context
        for cookie in cookies { try await set(cookie, in: context) }
        let tab = try await connection.command(
            "browsingContext.create",
            ["type": "tab", "userContext": .string(context)]
        )
        guard let identifier = tab["context"]?.stringValue else {
            throw BrowserFailure("the browser did not open a tab")
        }
        frame = identifier
        // Requests of the previous tab are no longer relevant.
        _ = try connection.events()
        pending = []
        requests.forgetBodies()
        lines = []
    }

    /// Intercepts all requests for the redirect URIs: they fail when they appear, and are never sent.
    private func withhold() async throws(BrowserFailure) {
        let patterns = (bounds.unreachable.sorted() + [FirefoxHandlers.host + ":443"])
            .flatMap { place in
                [("http", 80), ("https", 443)].map { Self.pattern(place, scheme: $0.0, usualPort: $0.1) }
            }
        try await connection.command(
            "network.addIntercept",
            ["phases": ["beforeRequestSent"], "urlPatterns": .array(patterns)]
        )
    }

    /// Addresses at a place; no pattern can match a scheme's default port, so one without a port matches all of a host's.
    private static func pattern(_ place: String, scheme: String, usualPort: Int) -> JSON {
        let url = WebURL("\(scheme)://\(place)")
        let port = url?.effectivePort ?? usualPort
        var members: [JSONObject.Member] = [
            .init(name: "type", value: "pattern"), .init(name: "protocol", value: .string(scheme)),
            .init(name: "hostname", value: .string(url?.host ?? place)),
        ]
        if port != usualPort { members.append(.init(name: "port", value: .string(String(port)))) }
        return .object(JSONObject(members))
    }

    private func set(_ cookie: BrowserCookie, in context: String) async throws(BrowserFailure) {
        var members: [JSONObject.Member] = [
            .init(name: "name", value: .string(cookie.name)),
            .init(name: "value", value: ["type": "string", "value": .string(cookie.value)]),
            .init(name: "domain", value: .string(cookie.isHostOnly ? cookie.domain : "." + cookie.domain)),
            .init(name: "path", value: .string(cookie.path)),
            .init(name: "secure", value: .bool(cookie.isSecure)),
            .init(name: "sameSite", value: "default"),
        ]
        if let expiry = cookie.expiry {
            members.append(.init(name: "expiry", value: .integer(Int64(min(expiry, 9_007_199_254_740_991)))))
        }
        try await connection.command(
            "storage.setCookie",
            ["cookie": .object(JSONObject(members)), "partition": Self.partition(of: context)]
        )
    }

    private static func partition(of context: String) -> JSON {
        ["type": "storageKey", "userContext": .string(context)]
    }

    func cookies() async throws(BrowserFailure) -> [BrowserCookie] {
        guard let userContext else { return [] }
        let answer = try await connection.command(
            "storage.getCookies",
            ["partition": Self.partition(of: userContext)]
        )
        return (answer["cookies"]?.arrayValue ?? [])
            .compactMap { cookie in
                guard let name = cookie["name"]?.stringValue, let domain = cookie["domain"]?.stringValue else {
                    return nil
                }
                return BrowserCookie(
                    name: name,
                    value: Self.text(cookie["value"]) ?? "",
                    domain: domain.hasPrefix(".") ? String(domain.dropFirst()) : domain,
                    isHostOnly: !domain.hasPrefix("."),
                    path: cookie["path"]?.stringValue ?? "/",
                    isSecure: cookie["secure"]?.boolValue ?? false,
                    expiry: cookie["expiry"]?.numberValue
                )
            }
    }

    /// The response comes with the page, and not at all if the navigation ends at a redirect URI, so it is not awaited.
    func open(_ url: String) async throws(BrowserFailure) {
        try connection.order(
            "browsingContext.navigate",
            ["context": .string(frame), "url": .string(url), "wait": "none"]
        )
    }

    func readLog(into network: inout NetworkLog) async throws(BrowserFailure) {
        pending += try connection.events()
        while let event = pending.first {
            let isPaused = FirefoxRequests.isPaused(event)
            var body: String?
            if isPaused {
                // Later events stay in their order.
                guard let decided = requests.body(of: event) else { return }
                body = decided
            }
            pending.removeFirst()
            if !isPaused, event["method"]?.stringValue == "network.beforeRequestSent",
                let request = event["params"]?["request"], request["bodySize"]?.integerValue ?? 0 > 0,
                let identifier = request["request"]
            {
                body = await FirefoxRequests.data("request", of: identifier, connection)
            }
            if event["method"]?.stringValue == "log.entryAdded" {
                if let text = event["params"]?["text"]?.stringValue { lines.append(text) }
            } else {
                network.take(bidi: event, body: body)
            }
        }
    }

    func body(of request: String) async -> String? {
        await FirefoxRequests.data("response", of: .string(request), connection)
    }

    /// A value of bytes that are text (WebDriver BiDi, network.BytesValue).
    private static func text(_ value: JSON?) -> String? {
        value?["type"]?.stringValue == "string" ? value?["value"]?.stringValue : nil
    }

    func run(_ script: String, _ arguments: [JSON]) async throws(BrowserFailure) -> JSON {
        let answer = try await connection.command(
            "script.callFunction",
            [
                "functionDeclaration": .string("function () {\n\(script)\n}"), "awaitPromise": false,
                "arguments": .array(arguments.map(ScriptValue.sent)), "target": ["context": .string(frame)],
                "serializationOptions": ["maxDomDepth": 0],
            ]
        )
        guard answer["type"]?.stringValue == "success", let result = answer["result"] else {
            throw BrowserFailure(answer["exceptionDetails"]?["text"]?.stringValue ?? "a script failed in the page")
        }
        return ScriptValue.received(result)
    }

    func screenshot() async throws(BrowserFailure) -> String {
        try await connection.command("browsingContext.captureScreenshot", ["context": .string(frame)])["data"]?
            .stringValue ?? ""
    }

    func addScript(_ script: String) async throws(BrowserFailure) {
        let added = try await connection.command(
            "script.addPreloadScript",
            ["functionDeclaration": .string("() => {\n\(script)\n}"), "contexts": [.string(frame)]]
        )
        if let identifier = added["script"]?.stringValue { scripts.append(identifier) }
    }

    func console() async throws(BrowserFailure) -> [String] {
        defer { lines = [] }
        return lines
    }

    func take(_ passkey: BrowserPasskey, count: UInt32) async throws(BrowserFailure) {
        throw BrowserFailure("Firefox has no virtual authenticator for sign_in.passkey: use Chromium")
    }

    func passkeyCount() async -> UInt32? { nil }

    // MARK: Keys and pointer

    func type(_ text: String, into element: JSON) async throws(BrowserFailure) {
        guard try await run(PageScript.clear, [element]).boolValue == true else {
            throw BrowserFailure("the field accepts no input")
        }
        try await press(keys: text.unicodeScalars.map { String($0) })
    }

    /// Enter is U+E007 (W3C WebDriver section 17.4.2).
    func pressEnter(in element: JSON) async throws(BrowserFailure) {
        _ = try await run("arguments[0].focus()", [element])
        try await press(keys: ["\u{E007}"])
    }

    private func press(keys: [String]) async throws(BrowserFailure) {
        let actions = keys.flatMap { key -> [JSON] in
            [["type": "keyDown", "value": .string(key)], ["type": "keyUp", "value": .string(key)]]
        }
        try await perform(["type": "key", "id": "keys", "actions": .array(actions)])
    }

    func press(_ element: JSON) async throws(BrowserFailure) {
        guard try await run(PageScript.uncover, [element]).boolValue == true else {
            throw BrowserFailure("another element covers the button")
        }
        let origin: JSON = ["type": "element", "element": ScriptValue.sent(element)]
        let actions: JSON = [
            ["type": "pointerMove", "x": 0, "y": 0, "origin": origin], ["type": "pointerDown", "button": 0],
            ["type": "pointerUp", "button": 0],
        ]
        try await perform(["type": "pointer", "id": "pointer", "actions": actions])
    }

    private func perform(_ source: JSON) async throws(BrowserFailure) {
        do throws(BrowserFailure) {
            try await connection.command("input.performActions", ["context": .string(frame), "actions": [source]])
        } catch {
            var failure = error
            failure.mayHaveHappened = true
            throw failure
        }
    }
}
