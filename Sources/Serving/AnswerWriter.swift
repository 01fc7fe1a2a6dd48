/// Serialises responses to bytes, as a pure function.
///
/// Writes the status line, the fields of the response in their order and spelling, then missing framing fields:
/// `Content-Length`, and `Connection` if the connection closes, or stays open for an HTTP/1.0 client. It adds no `Date`,
/// `Server` or `Content-Type`.
enum AnswerWriter {
    /// The properties of a request that affect the framing of its response.
    struct Exchange: Sendable, Hashable {
        /// A response to HEAD has the fields of the response to GET and no body (RFC 9110 section 9.3.2).
        var isHead = false
        /// An HTTP/1.0 client must be informed that its connection stays open (RFC 9112 section 9.3).
        var isHTTP10 = false
        /// Whether client and server keep the connection open.
        var keepsConnection = true
    }

    /// The bytes, and whether the connection closes after them.
    ///
    /// The connection also closes after a response with unreliable framing: with `Transfer-Encoding`, with a
    /// `Content-Length` that differs from the body, or with a status below 200, which ends no exchange.
    ///
    /// An invalid response becomes 500 with an explanation: the status has not three digits, a field name is neither a token nor
    /// several with spaces, or a value contains CR, LF or NUL.
    static func bytes(of answer: ServedAnswer, _ exchange: Exchange) -> (bytes: [UInt8], closes: Bool) {
        if let fault = fault(of: answer) {
            return bytes(of: .problem(status: 500, "The answer cannot be sent: \(fault)."), exchange)
        }
        // RFC 9110 sections 8.6 and 15.4.5, RFC 9112 section 6.3: these have no body and state no length.
        let isBodiless =
            answer.status < 200 || answer.status == 204 || answer.status == 304 || answer.tunnel != nil
        var closes = !exchange.keepsConnection || answer.status < 200
        var framesItself = isBodiless
        var statesConnection = false
        for field in answer.fields {
            switch field.name.lowercased() {
            case "content-length":
                framesItself = true
                let isRight = isBodiless || exchange.isHead || field.value == String(answer.body.count)
                if !isRight { closes = true }
            case "transfer-encoding":
                framesItself = true
                closes = true
            case "connection":
                statesConnection = true
                if field.value.listMembers.contains("close") { closes = true }
            default: break
            }
        }
        var head = "HTTP/1.1 \(answer.status) \(reason(answer.status))\r\n"
        for field in answer.fields { head += "\(field.name): \(field.value)\r\n" }
        if !framesItself { head += "Content-Length: \(answer.body.count)\r\n" }
        if !statesConnection {
            if closes {
                head += "Connection: close\r\n"
            } else if exchange.isHTTP10 {
                head += "Connection: keep-alive\r\n"
            }
        }
        head += "\r\n"
        let hasBody = !isBodiless && !exchange.isHead
        return (hasBody ? Array(head.utf8) + answer.body : Array(head.utf8), closes)
    }

    /// Why a response is invalid: it would be parsed as a different one, or not at all.
    private static func fault(of answer: ServedAnswer) -> String? {
        guard (100...999).contains(answer.status) else { return "its status \(answer.status) has not three digits" }
        for (index, field) in answer.fields.enumerated() {
            // A space within a name splits nothing: clients have to reject it.
            let isName = field.name.utf8.allSatisfy { HTTPBytes.isToken($0) || $0 == UInt8(ascii: " ") }
            guard isName, let first = field.name.first, first != " ", field.name.last != " " else {
                return "the name of its header field \(index + 1) is no token (RFC 9110 section 5.6.2)"
            }
            // A line that continues on the next one splits nothing (RFC 9112 section 5.2).
            let value = field.value.replacing("\r\n ", with: " ")
            if value.utf8.contains(where: { $0 == 0 || $0 == HTTPBytes.cr || $0 == HTTPBytes.lf }) {
                return "its header field \(field.name) contains a line break or NUL (RFC 9110 section 5.5)"
            }
        }
        return nil
    }

    /// The phrases of the IANA registry of status codes; empty for others, as RFC 9112 section 4 allows.
    private static func reason(_ status: Int) -> String { reasons[status] ?? "" }

    private static let reasons: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints", 200: "OK",
        201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
        401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict",
        410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency",
        425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates",
        507: "Insufficient Storage", 508: "Loop Detected", 511: "Network Authentication Required",
    ]
}
