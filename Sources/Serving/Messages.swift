/// One header field, with name and value as transmitted.
package struct HeaderField: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A complete request of HTTP/1.0 or HTTP/1.1 (RFC 9112).
package struct ServedRequest: Sendable, Hashable {
    /// Any token, with its letter case; ``HTTPServer`` accepts all methods.
    package var method: String
    /// Path and query as sent, with percent-encoding.
    ///
    /// The origin form (RFC 9112 section 3.2.1), `*`, or the authority of CONNECT. The absolute form is converted, and its
    /// authority becomes the `Host` field.
    package var target: String
    /// In order; bytes that are not UTF-8 are replaced by U+FFFD.
    package var fields: [HeaderField]
    /// Without transfer coding.
    package var body: [UInt8] = []
    /// The local numeric address of the connection: `127.0.0.1`, `::1`.
    package var localAddress = ""
    /// The scheme of a target in absolute form, in lower case, which a client sends to a proxy; `nil` for another form.
    package var scheme: String?

    package init(method: String, target: String, fields: [HeaderField], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    /// The first value of the field with that name, ignoring case.
    package func value(of name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }
}

/// The response of a handler to a ``ServedRequest``, which is sent unchanged except for framing by ``AnswerWriter``.
package struct ServedAnswer: Sendable, Hashable {
    /// Three digits; otherwise the response is not sent.
    package var status: Int
    /// In order of transmission; a name that is not a token, or a value with CR, LF or NUL, prevents sending.
    package var fields: [HeaderField]
    package var body: [UInt8]
    /// A connected socket, for the successful response to CONNECT: bytes are copied from and to it, and the server closes it.
    var tunnel: Int32?

    package init(status: Int, fields: [HeaderField] = [], body: [UInt8] = [], tunnel: Int32? = nil) {
        self.status = status
        self.fields = fields
        self.body = body
        self.tunnel = tunnel
    }

    /// A response with an explanation.
    package static func problem(status: Int, _ text: String) -> ServedAnswer {
        ServedAnswer(
            status: status,
            fields: [HeaderField("Content-Type", "text/plain; charset=utf-8")],
            body: Array((text + "\n").utf8)
        )
    }
}

/// The limits of a server.
package struct ServerLimits: Sendable {
    /// The maximum size of request line and header fields in bytes; beyond it, 414 or 431.
    ///
    /// It also limits trailers and the line with a chunk size.
    package var header = 64 << 10
    /// The maximum size of a body in bytes; beyond it, 413.
    package var body = 1 << 20
    /// The time limit for an idle connection and for a request.
    ///
    /// An incomplete request gets a 408 response; an idle
    /// connection is closed without a response.
    package var idleness = Duration.seconds(60)
    /// The maximum number of open connections; others are closed at once.
    package var connections = Int.max
    /// How long to wait for a client that is still sending after the last response, so that closing does not reset an
    /// unread response (RFC 9112 section 9.6).
    var lingering = Duration.seconds(1)

    package init() {}
}

/// Why a server cannot start.
package enum ServingError: Error, Sendable, CustomStringConvertible {
    /// The server cannot listen on an address.
    case address(place: String, reason: String)
    /// A certificate, a key, or the TLS settings are invalid.
    case identity(reason: String)
    /// There is no memory or no thread for the loop.
    case loop(reason: String)

    /// Only the cause, for a caller that names the place itself.
    package var reason: String {
        switch self {
        case .address(_, let reason), .identity(let reason), .loop(let reason): reason
        }
    }

    package var description: String {
        switch self {
        case .address(let place, let reason): "cannot listen on \(place): \(reason)"
        case .identity(let reason): "cannot serve TLS: \(reason)"
        case .loop(let reason): "cannot start the server: \(reason)"
        }
    }
}
