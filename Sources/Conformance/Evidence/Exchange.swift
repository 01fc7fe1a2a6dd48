/// One request and its result, as recorded: redacted at the moment of capture.
package struct Exchange: Sendable, Hashable, Codable, Identifiable {
    /// The identifier in findings, from its capture on: its lane and its place there.
    package var id: Int
    /// Its purpose: `discovery document`, `code: token request`.
    package var step: String
    package var request: Request
    /// The response, also when the exchange failed later on.
    package var response: Response?
    /// Why the exchange failed; `nil` when a whole answer arrived.
    package var failure: Failure?
    package var timings: Timings
    /// The address that answered.
    package var peer: String?
    /// Protocol version of the connection, `TLSv1.3`; `nil` over http.
    package var tlsVersion: String?
    /// When it began, seconds since 1970.
    package var startedAt: Double
    /// Whether its scenario was repeated serially because of a server error in a parallel run; absent for no.
    package var isSuperseded: Bool?
    /// True when a user's password was sent; `nil` otherwise.
    package var isSignIn: Bool?

    package init(
        id: Int,
        step: String,
        request: Request,
        response: Response? = nil,
        failure: Failure? = nil,
        timings: Timings = Timings(),
        peer: String? = nil,
        tlsVersion: String? = nil,
        startedAt: Double
    ) {
        self.id = id
        self.step = step
        self.request = request
        self.response = response
        self.failure = failure
        self.timings = timings
        self.peer = peer
        self.tlsVersion = tlsVersion
        self.startedAt = startedAt
    }

    private static let mostInALane = 100_000

    /// The identifier of an exchange.
    ///
    /// - Parameters:
    ///   - lane: The part of the run that it belongs to.
    ///   - ordinal: Its place among that part's exchanges, from 0.
    package static func id(lane: Int, ordinal: Int) -> Int { lane * mostInALane + ordinal }

    package static func lane(of id: Int) -> Int { id / mostInALane }

    package struct Request: Sendable, Hashable, Codable {
        package var method: String
        package var url: String
        package var headers: [Field]
        package var body: String?

        package init(method: String, url: String, headers: [Field] = [], body: String? = nil) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
        }
    }

    package struct Response: Sendable, Hashable, Codable {
        package var status: Int
        package var headers: [Field]
        package var body: Body
        /// How a line of the header is malformed, such as `LF alone`; `nil` if none is.
        package var headFault: String?

        package init(status: Int, headers: [Field], body: Body, headFault: String? = nil) {
            self.status = status
            self.headers = headers
            self.body = body
            self.headFault = headFault
        }

        /// Whether the status is of the class Successful (RFC 9110 section 15.3).
        package var isSuccess: Bool { (200...299).contains(status) }

        /// The first field of that name, letter case ignored (RFC 9110 section 5.1).
        package func header(_ name: String) -> String? {
            headers.first { $0.isNamed(name) }?.value
        }

        /// All fields of that name joined by commas (RFC 9110 section 5.3); `nil` when there is none.
        package func joinedHeader(_ name: String) -> String? {
            let values = headers.filter { $0.isNamed(name) }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }

        /// The media type without parameters, in lower case (RFC 9110 section 8.3.1).
        package var mediaType: String? {
            header("Content-Type")
                .map { value in
                    let type = value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)[0]
                    return String(type).trimmingASCIISpace.lowercased()
                }
        }
    }

    package struct Failure: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Codable, CaseIterable {
            case nameNotResolved
            case refused
            case timedOut
            case tlsHandshake
            case certificateRefused
            case addressRefused
            case tooLarge
            case truncated
            case protocolViolation
            case cancelled
            /// Not sent: a limit of the run was reached.
            case notSent
            case other
        }

        package var kind: Kind
        /// Names step, host and cause.
        package var message: String

        package init(kind: Kind, message: String) {
            self.kind = kind
            self.message = message
        }

        /// Why there is no response.
        package var reason: Reason { Reason(message, kind == .notSent ? .limit : .other) }
    }

    /// Seconds from the start of the exchange; a phase that did not happen is zero.
    package struct Timings: Sendable, Hashable, Codable {
        package var nameLookup = 0.0
        package var connect = 0.0
        package var tls = 0.0
        package var firstByte = 0.0
        package var total = 0.0

        package init() {}
    }
}

/// A header field or a parameter: a name and a value, order and repetition kept by its list.
package struct Field: Sendable, Hashable, Codable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the field has this name, the case of ASCII letters ignored (RFC 9110 section 5.1).
    package func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8)
                .allSatisfy { $0 == $1 || ($0 | 0x20 == $1 | 0x20 && (0x61...0x7A).contains($0 | 0x20)) }
    }
}

/// The bytes of a response.
package enum Body: Sendable, Hashable, Codable {
    case text(String)
    /// Bytes that are not UTF-8, each as a number.
    case bytes([UInt8])
    /// Not kept, and why: a page of the sign-in, an answer over the bound.
    case omitted(String)

    package init(_ bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = .text(text)
        } else {
            self = .bytes(bytes)
        }
    }

    /// The bytes; `nil` when they were not kept.
    package var bytes: [UInt8]? {
        switch self {
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .omitted: nil
        }
    }
}

extension String {
    /// Without ASCII white space at both ends.
    package var trimmingASCIISpace: String {
        let isSpace = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
        let tail = utf8.drop(while: isSpace)
        guard let last = tail.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(tail[...last]))
    }
}

extension Exchange.Response {
    /// Whether the server failed (5xx) or felt crowded (429), or says so in a redirect.
    ///
    /// `server_error` and `temporarily_unavailable` correspond to 500 and 503, which a redirect cannot have (RFC 6749, section
    /// 4.1.2.1).
    package var isServerError: Bool {
        status >= 500 || status == 429 || redirectsWith("server_error") || redirectsWith("temporarily_unavailable")
    }

    /// Whether the failure says of itself that another time will do.
    package var isTemporary: Bool { whyNotNow != nil || redirectsWith("temporarily_unavailable") }

    /// Why a response says nothing about the request: it is a temporary error (RFC 9110 sections 15.5.9 and 15.6.4, RFC 6585
    /// section 4).
    ///
    /// `nil` for every other response.
    package var whyNotNow: String? { Self.whyNotNow(status) }

    /// The same for a status, if only that was kept.
    static func whyNotNow(_ status: Int) -> String? {
        switch status {
        case 408: "the provider returned “request timeout” (status 408)"
        case 429: "the provider returned “too many requests” (status 429)"
        case 503: "the provider is temporarily unavailable (status 503)"
        default: nil
        }
    }

    /// The seconds after which it wants to be asked again, where it names a number (RFC 9110 section 10.2.3).
    package var retryAfter: Double? { header("Retry-After").flatMap { Double($0.trimmingASCIISpace) } }

    private func redirectsWith(_ error: String) -> Bool {
        guard (300...399).contains(status) else { return false }
        return headers.lazy.filter { $0.isNamed("Location") }
            .flatMap { $0.value.utf8.split { "?#&".utf8.contains($0) }.dropFirst() }
            .contains { $0.elementsEqual("error=\(error)".utf8) }
    }
}
