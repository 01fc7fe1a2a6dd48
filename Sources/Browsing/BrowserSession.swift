import JOSE
import JSONTree
package import Transport

/// A page as a browser shows it.
package struct BrowserView: Sendable, Hashable {
    /// The visible content, as HTML; each control has its place among the page's elements in `data-preflight-element`.
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
    /// Whether it is only for this host.
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

/// One window of a browser of its own, lent to one scenario at a time.
package actor BrowserSession {
    let window: any BrowserWindow
    /// The proxy; `nil` for a window that is no browser's.
    private let gate: BrowserGate?
    private var elements: [JSON] = []
    /// The frame identifier in the requests of the window's own page.
    private var frame = ""
    package private(set) var network = NetworkLog()
    nonisolated let bounds: BrowserBounds
    /// The browser's User-Agent.
    package nonisolated let agent: String

    /// Characters of a page; a longer one is cut off.
    private static let longestPage = 1 << 20

    /// Starts a browser and waits for its window.
    static func start(
        _ programs: BrowserPrograms,
        _ options: BrowserOptions,
        _ bounds: BrowserBounds
    ) async throws(BrowserFailure) -> BrowserSession {
        let gate = try await BrowserGate.open(
            options.transport,
            timeout: options.pageTimeout,
            unreachable: bounds.unreachable
        )
        do throws(BrowserFailure) {
            let window: any BrowserWindow
            if let driver = programs.driver {
                window = try await ChromiumWindow.start(programs, by: driver, options, bounds, proxy: gate.port)
            } else {
                window = try await FirefoxWindow.start(programs, options, bounds, proxy: gate.port)
            }
            return BrowserSession(window, bounds, gate)
        } catch {
            await gate.stop()
            throw error
        }
    }

    init(_ window: any BrowserWindow, _ bounds: BrowserBounds, _ gate: BrowserGate?) {
        self.window = window
        self.bounds = bounds
        self.gate = gate
        agent = window.agent
    }

    /// Ends the browser.
    func stop() async {
        await window.stop()
        await gate?.stop()
    }

    /// The connections of the scenario that failed, by host and port; the port is always said.
    package var failures: [String: TransportFailure] { gate?.failures ?? [:] }

    /// Why a request got no response of a server; `nil` if it got one, or the browser itself ended the request.
    package func failure(of request: BrowserRequest) -> TransportFailure? {
        let isOfGate = request.response?.header(BrowserGate.mark) != nil || request.failure?.kind == .other
        guard isOfGate, let url = WebURL(request.url) else { return nil }
        return failures["\(url.host):\(url.effectivePort)"]
    }

    /// Removes the previous user's state, and adds cookies.
    package func begin(with cookies: [BrowserCookie]) async throws(BrowserFailure) {
        try await window.begin(with: cookies)
        frame = await window.frame
        network = NetworkLog()
        elements = []
        gate?.forgetFailures()
    }

    /// The cookies that the browser has now.
    package func cookies() async throws(BrowserFailure) -> [BrowserCookie] { try await window.cookies() }

    /// Sends the window to an address; does not wait for the page.
    package func open(_ url: String) async throws(BrowserFailure) { try await window.open(url) }

    /// Reads the browser's requests since the last call.
    package func readLog() async throws(BrowserFailure) {
        // No other caller is active meanwhile: a session belongs to one scenario.
        var log = network
        defer { network = log }
        try await window.readLog(into: &log)
    }

    /// Whether a request is for the window's own page, and not for a frame in it.
    package func isPage(_ request: BrowserRequest) -> Bool { request.kind == .document && request.frame == frame }

    /// The page as it is; `nil` while there is none, between two.
    ///
    /// - Parameter marking: Whether elements are those of this look from now on.
    package func look(marking: Bool = true) async -> BrowserView? {
        let arguments: [JSON] = [[], .integer(Int64(Self.longestPage))]
        guard let seen = (try? await window.run(PageScript.look, arguments))?.arrayValue,
            seen.count == 4, let html = seen[0].stringValue, let url = seen[1].stringValue
        else { return nil }
        if marking { elements = seen[3].arrayValue ?? [] }
        return BrowserView(html: html, url: url, isComplete: seen[2].stringValue == "complete")
    }

    /// Checks requests for documents from now on, before they are sent; forgets what was withheld before.
    package func apply(_ formGuard: FormGuard) async throws(BrowserFailure) { try await window.apply(formGuard) }

    /// The address of the request that was withheld.
    package func withheld() async -> String? { await window.withheld() }

    /// Types a text into a field of the page that was looked at last, in the place of its text; into one that takes no keys, as a
    /// field that is about to move or that lies beneath another, it is written by a script.
    package func type(_ text: String, into element: Int) async throws(BrowserFailure) {
        let field = try reference(element)
        do throws(BrowserFailure) {
            try await window.type(text, into: field)
        } catch {
            _ = try await window.run(PageScript.write, [field, .string(text)])
        }
    }

    /// Writes the text again if the field does not contain what was typed; text that the page has only formatted stays.
    package func makeSure(of text: String, in element: Int) async {
        // A field that is gone has nothing to be made sure of: what follows shows it.
        guard let field = try? reference(element) else { return }
        _ = try? await window.run(PageScript.makeSure, [field, .string(text)])
    }

    /// Presses a button or a box; one that something lies over is pressed by a script.
    package func press(_ element: Int) async throws(BrowserFailure) {
        let button = try reference(element)
        do throws(BrowserFailure) {
            try await window.press(button)
        } catch {
            // The next events show whether it was; pressed twice, a password would be sent twice.
            if error.mayHaveHappened { return }
            _ = try await window.run("arguments[0].click()", [button])
        }
    }

    /// Presses the key that sends a form, in a field.
    package func pressEnter(in element: Int) async throws(BrowserFailure) {
        try await window.pressEnter(in: reference(element))
    }

    /// Chooses an option by its value.
    package func choose(_ value: String, in element: Int) async throws(BrowserFailure) {
        _ = try await window.run(PageScript.choose, [reference(element), .string(value)])
    }

    /// Submits the form of a control without a button.
    package func sendForm(of element: Int) async throws(BrowserFailure) {
        _ = try await window.run(PageScript.send, [reference(element)])
    }

    /// The document of a page as it was received; `nil` where the browser has it no more.
    package func body(of request: BrowserRequest) async -> [UInt8]? {
        await window.body(of: request.identifier).map { Array($0.utf8) }
    }

    /// A screenshot of the window, PNG, without any text typed into fields; `nil` if none could be made.
    ///
    /// The page is restored afterwards. Content that the page draws itself, or has in its text, is in the screenshot.
    package func screenshot() async -> [UInt8]? {
        let isBlank = (try? await window.run(PageScript.blank, []))?.boolValue == true
        let taken = isBlank ? try? await window.screenshot() : nil
        // The changes are undone, whatever the result.
        _ = try? await window.run(PageScript.restore, [])
        return taken.flatMap { try? Base64.decode($0) }
    }

    private func reference(_ element: Int) throws(BrowserFailure) -> JSON {
        guard elements.indices.contains(element) else {
            throw BrowserFailure("the page changed while it was being filled in")
        }
        return elements[element]
    }
}
