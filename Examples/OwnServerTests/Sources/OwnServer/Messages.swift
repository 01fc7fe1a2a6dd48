import Foundation

/// A request, as this server's framework passes it on.
package struct ServerRequest: Sendable {
    package var method: String
    package var path: String
    package var query: [(name: String, value: String)]
    package var form: [(name: String, value: String)]
    package var headers: [(name: String, value: String)]

    package init(
        method: String,
        path: String,
        query: [(name: String, value: String)] = [],
        form: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.form = form
        self.headers = headers
    }

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    func cookie(_ name: String) -> String? {
        for pair in (header("Cookie") ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2, parts[0] == name { return parts[1] }
        }
        return nil
    }

    /// The parameters of an authorization request, sent by GET or POST (OpenID Connect Core section 3.1.2.1).
    var parameters: Parameters { Parameters(method == "POST" ? form : query) }
}

/// Parameters, none of which may be repeated (RFC 6749 section 3.1).
struct Parameters: Sendable {
    let all: [(name: String, value: String)]

    init(_ all: [(name: String, value: String)]) {
        self.all = all
    }

    /// `nil` for an empty value.
    subscript(name: String) -> String? {
        all.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    var hasRepetition: Bool { Set(all.map(\.name)).count < all.count }

    /// As the body of a form or a query.
    var text: String {
        all.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    static func encoded(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    static func decoded(_ text: String) -> String {
        text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? ""
    }

    init(parsing text: String) {
        all = text.split(separator: "&")
            .map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
            }
    }
}

/// A response, as this server's framework expects it.
package struct ServerResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    init(_ status: Int, _ headers: [(name: String, value: String)] = [], _ body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    static func json(_ value: [String: Any], status: Int = 200, isPublic: Bool = false) -> ServerResponse {
        let body = (try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])).map(Array.init) ?? []
        let shared = [("Cache-Control", "public, max-age=300"), ("Access-Control-Allow-Origin", "*")]
        let own = [("Cache-Control", "no-store"), ("Pragma", "no-cache")]
        return ServerResponse(status, [("Content-Type", "application/json")] + (isPublic ? shared : own), body)
    }

    static func page(_ title: String, _ content: String, status: Int = 200) -> ServerResponse {
        let html = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head>
            <body><h1>\(title)</h1>\(content)</body></html>
            """
        return ServerResponse(
            status,
            [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"), ("X-Frame-Options", "DENY"),
                ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            ],
            Array(html.utf8)
        )
    }

    static func redirect(_ address: String) -> ServerResponse {
        ServerResponse(303, [("Location", address), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")])
    }

    static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\"", with: "&quot;")
    }
}
