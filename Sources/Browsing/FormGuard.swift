package import Transport

/// Decides which requests for documents may be sent while a page has secrets.
///
/// The browser asks it before it sends a request. A page's script can change a form at any moment before that, but not the request.
package struct FormGuard: Sendable {
    private let containsSecret: @Sendable ([UInt8]) -> Bool
    private let mayReceive: @Sendable (WebURL) -> Bool

    /// - Parameters:
    ///   - containsSecret: Whether an address or a body contains a secret.
    ///   - mayReceive: Whether a secret may be sent to an address.
    package init(
        containsSecret: @escaping @Sendable ([UInt8]) -> Bool,
        mayReceive: @escaping @Sendable (WebURL) -> Bool
    ) {
        self.containsSecret = containsSecret
        self.mayReceive = mayReceive
    }

    /// Whether a request would carry a secret to an address that may not receive it.
    ///
    /// - Parameter body: `nil` if it is unknown.
    func refuses(_ url: String, method: String, body: [UInt8]?) -> Bool {
        guard let target = WebURL(url), !mayReceive(target) else { return false }
        if containsSecret(Array(url.utf8)) { return true }
        return !["GET", "HEAD"].contains(method) && (body.map(containsSecret) ?? true)
    }
}

/// The guard that applies now, and the request that it withheld.
struct GuardState: Sendable {
    var formGuard: FormGuard?
    /// The address of the first request that was withheld.
    private(set) var withheld: String?

    /// Whether a request is to be withheld; remembers it.
    mutating func refuses(_ url: String, method: String, body: [UInt8]?) -> Bool {
        guard let formGuard, formGuard.refuses(url, method: method, body: body) else { return false }
        withheld = withheld ?? url
        return true
    }
}
