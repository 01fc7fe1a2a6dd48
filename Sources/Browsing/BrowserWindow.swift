import JSONTree

/// The browser operations of a session, independent of the protocol.
///
/// Elements are passed to and from scripts as references: objects with the member ``ElementReference/key``.
protocol BrowserWindow: Sendable {
    /// The browser's User-Agent.
    var agent: String { get }
    /// The frame identifier in the requests of the window's own page.
    var frame: String { get async }

    /// Removes the previous user's state, and adds cookies.
    func begin(with cookies: [BrowserCookie]) async throws(BrowserFailure)
    func cookies() async throws(BrowserFailure) -> [BrowserCookie]
    /// Sends the window to an address; does not wait for the page.
    func open(_ url: String) async throws(BrowserFailure)
    /// Adds the browser's requests since the last call.
    func readLog(into network: inout NetworkLog) async throws(BrowserFailure)
    /// Runs the body of a function in the page, whose values are in `arguments`.
    func run(_ script: String, _ arguments: [JSON]) async throws(BrowserFailure) -> JSON
    /// Checks requests for documents from now on, before they are sent; forgets what was withheld before.
    func apply(_ formGuard: FormGuard?) async throws(BrowserFailure)
    /// The address of the request that was withheld.
    func withheld() async -> String?
    /// Types a text into a field in the place of its text; fails at one that takes no keys.
    func type(_ text: String, into element: JSON) async throws(BrowserFailure)
    /// Presses a button or a box; fails at one that something lies over.
    func press(_ element: JSON) async throws(BrowserFailure)
    /// Presses the key that sends a form.
    func pressEnter(in element: JSON) async throws(BrowserFailure)
    /// The document that a request returned, as text; `nil` if the browser no longer has it.
    func body(of request: String) async -> String?
    /// The screenshot of the window, PNG in base64.
    func screenshot() async throws(BrowserFailure) -> String
    /// Runs a script in every document from now on.
    func addScript(_ script: String) async throws(BrowserFailure)
    /// The console messages of pages since the last call.
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
