/// One header field, name and value as they are on the wire.
package struct HeaderField: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A whole request of HTTP/1.0 or HTTP/1.1 (RFC 9112).
package struct ServedRequest: Sendable, Hashable {
    /// Any token, letter case kept; ``HTTPServer`` knows no methods.
    package var method: String
    /// Path and query as they were sent, percent-encoding kept.
    ///
    /// The origin form (RFC 9112 section 3.2.1), or `*`, or the authority that CONNECT names. A target in absolute form has
    /// become this, and its authority the `Host` field.
    package var target: String
    /// In order; octets that are no UTF-8 have become U+FFFD.
    package var fields: [HeaderField]
    /// Without its transfer coding.
    package var body: [UInt8] = []
    /// The numeric address of this machine that was connected to: `127.0.0.1`, `::1`.
    package var localAddress = ""

    package init(method: String, target: String, fields: [HeaderField], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    /// The first value of the field of that name, letter case ignored.
    package func value(of name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }
}

/// What a handler answers to a ``ServedRequest``; it reaches the wire as it is here, and ``AnswerWriter`` says what is
/// added for framing.
package struct ServedAnswer: Sendable, Hashable {
    /// Three digits, else the answer is not sent.
    package var status: Int
    /// In the order of the wire; with a name that is no token, or a value with CR, LF or NUL, the answer is not sent.
    package var fields: [HeaderField]
    package var body: [UInt8]

    package init(status: Int, fields: [HeaderField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A sentence about why there is no other answer.
    static func problem(status: Int, _ text: String) -> ServedAnswer {
        ServedAnswer(
            status: status,
            fields: [HeaderField("Content-Type", "text/plain; charset=utf-8")],
            body: Array((text + "\n").utf8)
        )
    }
}

/// How much, and how long, a server takes.
package struct ServerLimits: Sendable {
    /// Octets of request line and header fields; beyond them 414 or 431.
    ///
    /// As many are taken of trailers, and of the line with a chunk's size.
    package var header = 64 << 10
    /// Octets of a body; beyond them 413.
    package var body = 1 << 20
    /// How long a connection may be silent, and a request take to arrive: a request that was begun and not finished is
    /// answered with 408, a connection with nothing begun is closed without a word.
    package var idleness = Duration.seconds(60)
    /// How long the end of a client that is still sending is awaited after the last answer, so that closing resets no
    /// answer that is not read yet (RFC 9112 section 9.6).
    package var lingering = Duration.seconds(1)

    package init() {}
}

/// Why nothing is served.
package enum ServingError: Error, Sendable, CustomStringConvertible {
    /// An address of this machine cannot be listened on.
    case address(place: String, reason: String)
    /// A certificate, a key, or the TLS that is wished of them.
    case identity(reason: String)
    /// The machine has no memory or no thread for the loop.
    case loop(reason: String)

    /// The cause alone, for a caller that names the place itself.
    package var reason: String {
        switch self {
        case .address(_, let reason), .identity(let reason), .loop(let reason): reason
        }
    }

    package var description: String {
        switch self {
        case .address(let place, let reason): "\(place) cannot be listened on: \(reason)"
        case .identity(let reason): "TLS cannot be served: \(reason)"
        case .loop(let reason): "nothing can be served: \(reason)"
        }
    }
}
