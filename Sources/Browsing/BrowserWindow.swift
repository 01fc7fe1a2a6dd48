import JSONTree

/// What a session has a browser do, in whatever protocol that is driven by.
///
/// Elements go in and out of scripts as references: objects with the member ``ElementReference/key``.
protocol BrowserWindow: Sendable {
    /// What the browser calls itself.
    var agent: String { get }
    /// What the requests of the window's own page have as their frame.
    var frame: String { get async }

    /// Forgets whoever was there before, and takes over cookies.
    func begin(with cookies: [BrowserCookie]) async throws(BrowserFailure)
    func cookies() async throws(BrowserFailure) -> [BrowserCookie]
    /// Sends the window to an address; does not wait for the page.
    func open(_ url: String) async throws(BrowserFailure)
    /// Adds what the browser has asked for since the last time.
    func readLog(into network: inout NetworkLog) async throws(BrowserFailure)
    /// Runs the body of a function in the page, whose values are in `arguments`.
    func run(_ script: String, _ arguments: [JSON]) async throws(BrowserFailure) -> JSON
    /// Types a text into a field in the place of what it holds; fails at one that takes no keys.
    func type(_ text: String, into element: JSON) async throws(BrowserFailure)
    /// Presses a button or a box; fails at one that something lies over.
    func press(_ element: JSON) async throws(BrowserFailure)
    /// Presses the key that sends a form.
    func pressEnter(in element: JSON) async throws(BrowserFailure)
    /// The document that a request brought, as text; `nil` where the browser has it no more.
    func body(of request: String) async -> String?
    /// What the window shows, PNG in base64.
    func screenshot() async throws(BrowserFailure) -> String
    /// Runs a script in every document from now on.
    func addScript(_ script: String) async throws(BrowserFailure)
    /// What pages wrote to their console since the last time.
    func console() async throws(BrowserFailure) -> [String]
    /// Gives the browser a passkey, and takes away the one that it had.
    func take(_ passkey: BrowserPasskey, count: UInt32) async throws(BrowserFailure)
    /// The signature counter of the passkey as it is now; `nil` where the browser has none.
    func passkeyCount() async -> UInt32?
    /// Ends the browser.
    func stop() async
}

/// A reference to an element of a page.
enum ElementReference {
    /// W3C WebDriver section 12.1: the name of the member that has it.
    static let key = "element-6066-11e4-a52e-4f735466cecf"
}
