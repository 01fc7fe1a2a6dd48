/// Builds the response from what arrives, and enforces the bounds; knows nothing of libcurl.
struct ResponseCollector {
    /// A bound that was passed.
    enum ExceededLimit {
        case headers
        case body
    }

    let headerLimit: Int
    let bodyLimit: Int
    private(set) var response: HTTPResponse?
    private(set) var excess: ExceededLimit?
    private var headerBytes = 0
    private var headersAreComplete = false

    init(headerLimit: Int, bodyLimit: Int) {
        self.headerLimit = headerLimit
        self.bodyLimit = bodyLimit
    }

    /// Whether the blank line after the headers of the final answer has come.
    var hasCompleteHeaders: Bool { headersAreComplete }

    /// Takes one header line with its line end, the status line included; false when the bound is passed.
    mutating func takeHeaderLine(_ bytes: [UInt8]) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= headerLimit else {
            excess = .headers
            return false
        }
        let line = String(decoding: bytes, as: UTF8.self)
        let fault = Self.fault(of: bytes)
        defer { if let fault, response?.headFault == nil { response?.headFault = fault } }
        let content = line[...].prefix { $0 != "\r\n" && $0 != "\n" && $0 != "\r" }
        if content.hasPrefix("HTTP/") {
            // A new status line begins a new answer: what came before was informational (1xx).
            response = Self.statusLine(content)
            headersAreComplete = false
        } else if content.isEmpty {
            headersAreComplete = true
        } else if !headersAreComplete {
            addField(content)
        }
        return true
    }

    /// Takes a piece of the decoded body; false when the bound is passed, the bytes up to it being kept.
    mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard var current = response else { return true }
        // Cleared first, so that the body is grown in place and not copied for every piece.
        response = nil
        defer { response = current }
        let space = bodyLimit - current.body.count
        current.body.append(contentsOf: bytes.prefix(space))
        guard bytes.count > space else { return true }
        current.bodyWasTruncated = true
        excess = .body
        return false
    }

    /// Notes that the connection ended too early.
    mutating func markTruncated() {
        response?.bodyWasTruncated = true
    }

    private static func fault(of line: [UInt8]) -> HTTPResponse.HeadFault? {
        if line.last == 0x0A, line.dropLast().last != 0x0D { return .bareLineFeed }
        return line.dropLast(2).contains(0x0D) ? .bareCarriageReturn : nil
    }

    private mutating func addField(_ content: Substring) {
        guard response != nil else { return }
        // A line that begins with a space goes on with the one before (obs-fold, RFC 9112, section 5.2).
        if content.first == " " || content.first == "\t" {
            guard let last = response?.headers.indices.last else { return }
            response?.headFault = .folded
            response?.headers[last].value += " " + content.trimmingSpaces
            return
        }
        guard let colon = content.firstIndex(of: ":") else { return }
        let value = content[content.index(after: colon)...].trimmingSpaces
        response?.headers.append(HTTPField(name: String(content[..<colon]), value: value))
    }

    private static func statusLine(_ content: Substring) -> HTTPResponse {
        let parts = content.dropFirst("HTTP/".count)
            .split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        return HTTPResponse(
            status: parts.count > 1 ? Int(parts[1]) ?? 0 : 0,
            reason: parts.count > 2 ? parts[2].trimmingSpaces : "",
            httpVersion: String(parts[0])
        )
    }
}
