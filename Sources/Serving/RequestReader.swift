/// Parses the requests of one connection incrementally and strictly by RFC 9112.
///
/// It does no I/O: ``take(_:)`` adds bytes and ``next()`` returns requests. It rejects input that enables request smuggling
/// because recipients differ: lines must end with CRLF, without control characters, spaces before colons, folded fields
/// or several lengths.
struct RequestReader: Sendable {
    /// Why a request is rejected; the connection then has no more requests.
    struct Refusal: Error, Sendable, Hashable {
        var status: Int
        var text: String

        init(_ status: Int, _ text: String) {
            self.status = status
            self.text = text
        }
    }

    struct Received: Sendable, Hashable {
        var request: ServedRequest
        /// The framing of its response, and whether the client keeps the connection open.
        var exchange: AnswerWriter.Exchange
    }

    enum Event: Sendable, Hashable {
        /// More bytes are needed.
        case incomplete
        /// The client waits for `100 (Continue)` before it sends the body (RFC 9110 section 10.1.1).
        case expectation
        case request(Received)
    }

    /// The expected part of the request.
    private enum Phase {
        case requestLine
        case fields
        case body(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailers
    }

    private let limits: ServerLimits
    private var phase = Phase.requestLine
    /// Received bytes; those from `start` are unread, and there is no line end before `scanned`.
    private var buffer: [UInt8] = []
    private var start = 0
    private var scanned = 0
    /// The remaining budget of bytes for lines.
    private var budget: Int
    private var received = Received(request: ServedRequest(method: "", target: "", fields: []), exchange: .init())

    init(limits: ServerLimits) {
        self.limits = limits
        budget = limits.header
    }

    /// Whether an incomplete request has arrived.
    var hasBegun: Bool {
        if case .requestLine = phase { return start < buffer.count }
        return true
    }

    /// Whether the current request is a HEAD.
    var isHead: Bool { received.exchange.isHead }

    mutating func take(_ bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
    }

    /// Takes out the bytes behind the last request, which are of another protocol.
    mutating func takeRest() -> [UInt8] {
        defer { buffer = [] }
        let rest = Array(buffer[start...])
        (start, scanned) = (0, 0)
        return rest
    }

    /// The next result from the received bytes; call it until it is `incomplete`.
    mutating func next() throws(Refusal) -> Event {
        while true {
            switch phase {
            case .requestLine:
                guard let line = try line(tooLong: 414) else { return .incomplete }
                // RFC 9112 section 2.2: empty lines before a request are ignored.
                if line.isEmpty { continue }
                try readRequestLine(line)
                phase = .fields
            case .fields:
                guard let line = try line(tooLong: 431) else { return .incomplete }
                guard line.isEmpty else {
                    received.request.fields.append(try Self.field(line))
                    continue
                }
                if try beginBody() { return .expectation }
            case .body(let remaining):
                let count = takeBody(upTo: remaining)
                guard count == remaining else {
                    phase = .body(remaining: remaining - count)
                    return .incomplete
                }
                return finish()
            case .chunkSize:
                guard let line = try line(tooLong: 431) else { return .incomplete }
                let size = try Self.chunkSize(line)
                guard size <= limits.body - received.request.body.count else { throw tooLarge }
                phase = size == 0 ? .trailers : .chunk(remaining: size)
                budget = limits.header
            case .chunk(let remaining):
                let count = takeBody(upTo: remaining)
                phase = count == remaining ? .chunkEnd : .chunk(remaining: remaining - count)
                if count < remaining { return .incomplete }
            case .chunkEnd:
                guard let line = try line(tooLong: 400) else { return .incomplete }
                guard line.isEmpty else { throw Refusal(400, "A chunk is longer than its stated size.") }
                phase = .chunkSize
                budget = limits.header
            case .trailers:
                guard let line = try line(tooLong: 431) else { return .incomplete }
                if line.isEmpty { return finish() }
                // Trailers are not used; they are read and dropped (RFC 9110 section 6.5.1).
                _ = try Self.field(line)
            }
        }
    }

    private var tooLarge: Refusal { Refusal(413, "The body is longer than \(limits.body) bytes.") }

    /// The next line without its CRLF; `nil` if it is incomplete.
    private mutating func line(tooLong status: Int) throws(Refusal) -> ArraySlice<UInt8>? {
        while scanned < buffer.count {
            let byte = buffer[scanned]
            let followsReturn = scanned > start && buffer[scanned - 1] == HTTPBytes.cr
            guard followsReturn == (byte == HTTPBytes.lf) else {
                throw Refusal(400, "A line does not end with CR and LF (RFC 9112 section 2.2).")
            }
            guard HTTPBytes.isText(byte) || byte == HTTPBytes.cr || byte == HTTPBytes.lf else {
                throw Refusal(400, "The header contains a control character (RFC 9110 section 5.5).")
            }
            guard budget > 0 else { throw Refusal(status, "The header is longer than \(limits.header) bytes.") }
            budget -= 1
            scanned += 1
            if byte == HTTPBytes.lf {
                defer { start = scanned }
                return buffer[start..<scanned - 2]
            }
        }
        return nil
    }

    /// Moves bytes of the body from the buffer, and returns their number.
    private mutating func takeBody(upTo most: Int) -> Int {
        let count = min(most, buffer.count - start)
        received.request.body.append(contentsOf: buffer[start..<start + count])
        start += count
        scanned = start
        if start == buffer.count { forgetRead() }
        return count
    }

    private mutating func forgetRead() {
        buffer.removeSubrange(..<start)
        start = 0
        scanned = 0
    }

    private mutating func finish() -> Event {
        defer {
            received = Received(request: ServedRequest(method: "", target: "", fields: []), exchange: .init())
            phase = .requestLine
            budget = limits.header
            // Pipelined data after it stays.
            forgetRead()
        }
        return .request(received)
    }
}

// MARK: - The parts of a header

extension RequestReader {
    /// `method SP request-target SP HTTP-version` (RFC 9112 section 3).
    private mutating func readRequestLine(_ line: ArraySlice<UInt8>) throws(Refusal) {
        let parts = line.split(separator: HTTPBytes.space, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(HTTPBytes.isToken), !parts[1].isEmpty,
            !parts[1].contains(HTTPBytes.tab)
        else { throw Refusal(400, "The request line is not method, target and version (RFC 9112 section 3).") }
        let version = parts[2]
        guard version.count == 8, version.starts(with: "HTTP/".utf8), let minor = version.last,
            HTTPBytes.isDigit(version[version.startIndex + 5]), version[version.startIndex + 6] == UInt8(ascii: "."),
            HTTPBytes.isDigit(minor)
        else { throw Refusal(400, "The request line names no version of HTTP (RFC 9112 section 2.3).") }
        guard version[version.startIndex + 5] == UInt8(ascii: "1") else {
            throw Refusal(505, "Only HTTP/1.0 and HTTP/1.1 are supported.")
        }
        received.request.method = String(decoding: parts[0], as: UTF8.self)
        received.request.target = String(decoding: parts[1], as: UTF8.self)
        received.exchange.isHead = received.request.method == "HEAD"
        received.exchange.isHTTP10 = minor == UInt8(ascii: "0")
    }

    /// `name: value` (RFC 9112 section 5).
    private static func field(_ line: ArraySlice<UInt8>) throws(Refusal) -> HeaderField {
        guard let colon = line.firstIndex(of: HTTPBytes.colon), colon > line.startIndex,
            line[..<colon].allSatisfy(HTTPBytes.isToken)
        else { throw Refusal(400, "The name of a header field is not a token (RFC 9112 section 5).") }
        return HeaderField(
            String(decoding: line[..<colon], as: UTF8.self),
            String(decoding: line[(colon + 1)...].trimmedOWS, as: UTF8.self)
        )
    }

    /// A chunk's size; extensions are ignored (RFC 9112 section 7.1.1).
    private static func chunkSize(_ line: ArraySlice<UInt8>) throws(Refusal) -> Int {
        let size = line.prefix { HTTPBytes.isHexadecimalDigit($0) }
        let rest = line.dropFirst(size.count).trimmedOWS
        // Fifteen digits fit into 64 bits.
        guard rest.isEmpty || rest.first == UInt8(ascii: ";"), size.count <= 15,
            let number = Int(String(decoding: size, as: UTF8.self), radix: 16)
        else { throw Refusal(400, "A chunk size is not a hexadecimal number (RFC 9112 section 7.1).") }
        return number
    }

    private func list(_ name: String) -> [String] { values(name).flatMap(\.listMembers) }

    private func values(_ name: String) -> [String] {
        received.request.fields.lazy.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// Validates the complete header, and returns whether the client waits for 100 (Continue).
    private mutating func beginBody() throws(Refusal) -> Bool {
        let isHTTP10 = received.exchange.isHTTP10
        let hosts = values("host")
        guard hosts.count == 1 || hosts.isEmpty && isHTTP10 else {
            throw Refusal(400, "An HTTP/1.1 request must have one Host field (RFC 9112 section 3.2).")
        }
        try readTarget()
        let options = list("connection")
        received.exchange.keepsConnection =
            !options.contains("close") && (!isHTTP10 || options.contains("keep-alive"))
        phase = .body(remaining: 0)
        let codings = values("transfer-encoding")
        let lengths = values("content-length")
        if !codings.isEmpty {
            guard lengths.isEmpty, !isHTTP10 else {
                throw Refusal(400, "Transfer-Encoding is not allowed in this request (RFC 9112 section 6.1).")
            }
            guard codings.map({ $0.lowercased() }) == ["chunked"] else {
                throw Refusal(501, "The only supported transfer coding is chunked.")
            }
            phase = .chunkSize
            budget = limits.header
        } else if let length = lengths.first {
            guard lengths.count == 1, !length.isEmpty, length.utf8.allSatisfy(HTTPBytes.isDigit) else {
                throw Refusal(400, "Content-Length is not a single number (RFC 9112 section 6.3).")
            }
            guard let number = Int(length), number <= limits.body else { throw tooLarge }
            phase = .body(remaining: number)
            if number == 0 { return false }
        } else {
            return false
        }
        // If bytes of the body have arrived, 100 (Continue) is unnecessary.
        return !isHTTP10 && start == buffer.count && list("expect").contains("100-continue")
    }

    /// Converts the target to origin form, and rejects an invalid form (RFC 9112 section 3.2).
    private mutating func readTarget() throws(Refusal) {
        let target = received.request.target
        if target.hasPrefix("/") || received.request.method == "CONNECT" { return }
        if target == "*", received.request.method == "OPTIONS" { return }
        let scheme = ["http://", "https://"].first { target.lowercased().hasPrefix($0) }
        guard let scheme else { throw Refusal(400, "The target is not a path (RFC 9112 section 3.2).") }
        received.request.scheme = String(scheme.dropLast(3))
        let rest = target.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty else { throw Refusal(400, "The target has no host (RFC 9112 section 3.2.2).") }
        let path = rest.dropFirst(authority.count)
        received.request.target = path.hasPrefix("/") ? String(path) : "/" + path
        // RFC 9112 section 3.2.2: the host of the target replaces the field.
        received.request.fields.removeAll { $0.name.lowercased() == "host" }
        received.request.fields.insert(HeaderField("Host", String(authority)), at: 0)
    }
}
