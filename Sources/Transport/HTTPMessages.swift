/// One header line of a message: a name and its value, in the order in which it was sent.
package struct HTTPField: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The request accepts no content coding, as many clients' requests (RFC 9110 section 12.5.3).
    package static let acceptsNoCoding = HTTPField(name: "Accept-Encoding", value: "identity")

    /// Whether the field has this name, the case of ASCII letters ignored (RFC 9110 section 5.1).
    package func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8)
                .allSatisfy { $0 == $1 || ($0 | 0x20 == $1 | 0x20 && (0x61...0x7A).contains($0 | 0x20)) }
    }
}

/// A request as the caller wants it sent; the engine adds only `Host`, `User-Agent`, `Accept` and `Accept-Encoding`.
package struct HTTPRequest: Sendable, Hashable {
    /// The `User-Agent` header.
    package enum Agent: Sendable, Hashable {
        /// The client's own.
        case own
        /// No such field.
        case none
        case other(String)
    }

    package var method: String
    package var url: String
    package var headers: [HTTPField]
    package var body: [UInt8]?
    package var agent = Agent.own
    /// The numeric address to connect to instead of those of the host, whose name stays in `Host` and in TLS.
    package var address: String?
    /// Whether it requests a public document, and carries nothing of the client or the user.
    package var isPublic = false
    /// Seconds that a client has left for it, where those are fewer than for an ordinary exchange.
    package var secondsLeft: Double?
    /// Receives the connection, over which no request is then sent; `nil` for an exchange.
    var socket: SocketHolder?

    /// - Parameter url: Providers redirect to addresses with spaces. They are encoded, as browsers do (URL Standard, path state and
    ///   query state).
    package init(method: String = "GET", url: String, headers: [HTTPField] = [], body: [UInt8]? = nil) {
        self.method = method
        self.url = url.replacing(" ", with: "%20")
        self.headers = headers
        self.body = body
    }

    /// A POST of form parameters (`application/x-www-form-urlencoded`).
    package static func form(
        url: String,
        _ parameters: FormParameters,
        headers: [HTTPField] = [],
        charset: String? = nil
    ) -> HTTPRequest {
        let mediaType = "application/x-www-form-urlencoded" + (charset.map { ";charset=\($0)" } ?? "")
        let type = HTTPField(name: "Content-Type", value: mediaType)
        return HTTPRequest(
            method: "POST",
            url: url,
            headers: headers + [type],
            body: Array(parameters.serialized.utf8)
        )
    }
}

/// An answer as it arrived, redirects included; after a failure it has what came before.
package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    package var reason: String
    /// The version word of the status line: `1.0`, `1.1` or `2`.
    package var httpVersion: String
    /// Every header line in its order, repetitions kept.
    package var headers: [HTTPField]
    /// The body after its content coding was undone, up to the limit.
    package var body: [UInt8]
    /// Whether bytes are missing at the end: the limit was reached, or the connection broke off.
    package var bodyWasTruncated: Bool
    /// How a line of the header is malformed; `nil` if none is.
    package var headFault: HeadFault?

    /// A malformed header line (RFC 9112 sections 2.2 and 5.2).
    package enum HeadFault: String, Sendable {
        case bareLineFeed = "LF alone at its end"
        case bareCarriageReturn = "CR alone"
        case folded = "a continuation on the next line"
    }

    package init(
        status: Int,
        reason: String = "",
        httpVersion: String = "1.1",
        headers: [HTTPField] = [],
        body: [UInt8] = [],
        bodyWasTruncated: Bool = false
    ) {
        self.status = status
        self.reason = reason
        self.httpVersion = httpVersion
        self.headers = headers
        self.body = body
        self.bodyWasTruncated = bodyWasTruncated
    }

    /// The value of the first header of that name, in any letter case.
    package func header(_ name: String) -> String? { headers(named: name).first }

    /// The values of all headers of that name, in order.
    package func headers(named name: String) -> [String] {
        headers.filter { $0.isNamed(name) }.map(\.value)
    }

    /// The content coding that was undone before `body` was kept, as the header names it.
    var contentEncoding: String? { header("Content-Encoding") }

    /// The media type without its parameters, in lower case.
    package var mediaType: String? {
        guard let value = header("Content-Type") else { return nil }
        let type = value.prefix { $0 != ";" && $0 != "," }
        return type.trimmingSpaces.lowercased()
    }

    /// The body as text; bytes that are not UTF-8 become replacement characters.
    package var text: String { String(decoding: body, as: UTF8.self) }
}

extension Substring {
    /// The text without spaces and tabs at its ends (the optional whitespace of RFC 9110, section 5.6.3).
    var trimmingSpaces: String {
        var rest = self
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
