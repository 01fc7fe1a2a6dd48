extension HTTPRequest {
    /// Why a request is not sent, whichever way it would go.
    struct Refused: Error {
        let cause: TransportFailure.Cause
    }

    /// Servers accept 8 to 32 KiB; libcurl sends a longer head in part, and then waits for a response.
    private static let mostBytesOfHead = 65_536

    /// The target of a request that may be sent.
    func usableURL() throws(Refused) -> WebURL {
        if let scheme = WebURL.scheme(of: url), scheme != "http", scheme != "https" {
            throw Refused(cause: .schemeRefused(scheme: scheme))
        }
        guard let place = WebURL(url) else {
            throw Refused(cause: .invalidURL(reason: "it is not an absolute http or https URL"))
        }
        guard place.userInfo == nil else {
            throw Refused(cause: .invalidURL(reason: "it carries a user name or password"))
        }
        guard HTTPField.isToken(method), headers.allSatisfy({ HTTPField.isToken($0.name) }) else {
            throw Refused(cause: .invalidRequest(reason: "the method or a header name has invalid characters"))
        }
        guard headers.allSatisfy(\.isOneLine) else {
            throw Refused(cause: .invalidRequest(reason: "a header value has a line break or a zero byte"))
        }
        let fields = headers.reduce(0) { $0 + $1.bytes }
        let head = method.utf8.count + url.utf8.count + fields
        guard head <= Self.mostBytesOfHead else {
            let reason =
                "address and headers are \(head) bytes long, and the maximum is \(Self.mostBytesOfHead)"
            throw Refused(cause: .invalidRequest(reason: reason))
        }
        return place
    }
}

extension TransportConfiguration {
    /// Why a request may not be sent to its host, whichever way it would go; `nil` if it may.
    func refusal(of request: HTTPRequest) -> TransportFailure.Cause? {
        request.isPublic ? nil : WebURL(request.url).flatMap(refusal)?.cause
    }

    /// Why nothing but requests for public documents may be sent to a URL; `nil` if anything may.
    package func refusal(of url: WebURL) -> TransportFailure? {
        guard let allowedIssuers, !allowedIssuers.allows(url) else { return nil }
        return TransportFailure(step: .preparing, host: url.hostAndPort, cause: .hostNotAllowed)
    }
}

extension HTTPField {
    /// Whether a text can be a method or a field's name.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
    }

    /// Whether the value would not end its line.
    var isOneLine: Bool { !value.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 } }

    /// How long the line is, with colon, blank and line end.
    var bytes: Int { name.utf8.count + value.utf8.count + 4 }
}
