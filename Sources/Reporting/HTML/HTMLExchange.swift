import Conformance

/// One exchange: the request and the response as text, and the request as a command.
struct HTMLExchange {
    private static let mostFields = 60

    private let exchange: Exchange
    private let reach: ConnectionSettings

    init(_ exchange: Exchange, _ reach: ConnectionSettings) {
        self.exchange = exchange
        self.reach = reach
    }

    /// - Parameter bodyLimit: Bytes of each body; longer ones are cut.
    func html(bodyLimit: Int) -> HTML {
        let request = exchange.request
        let end = exchange.response.map { "HTTP status \($0.status)" } ?? "no response"
        let at = "\(request.method) \(request.url)".shown(limit: 160)
        return """
            <details class="exchange"><summary>Exchange: <code>\(at)</code>, \(end)</summary>
            <div>
            <p class="small quiet">\(circumstances)</p>
            <figure><figcaption>Request: \(exchange.step.shown(limit: 200))</figcaption><pre>\(request.method.shown(limit: 40)) \(request.url.shown(limit: 3_000))</pre></figure>
            \(fields(request.headers))\(request.body.map { body("Body of the request", $0, isJSON: false, bodyLimit) })\(response(bodyLimit))\(command)</div>
            </details>

            """
    }

    private var circumstances: String {
        var parts = [Format.moment(exchange.startedAt), "\(Format.seconds(exchange.timings.total)) s"]
        if let peer = exchange.peer { parts.append("answered by \(peer.shown(limit: 100))") }
        if let version = exchange.tlsVersion { parts.append(version.shown(limit: 20)) }
        if exchange.isSuperseded == true {
            parts.append("the scenario was repeated, and the later run counts")
        }
        return parts.joined(separator: ", ")
    }

    private func response(_ limit: Int) -> HTML {
        let failure: HTML =
            exchange.failure.map { "<p class=\"bad\">\($0.message.shown(limit: 1_000))</p>\n" } ?? .nothing
        guard let response = exchange.response else { return failure }
        let contents: HTML =
            switch response.body {
            case .text(""): "<p class=\"small quiet\">The body is empty.</p>\n"
            case .text(let text):
                body("Body of the response", text, isJSON: response.mediaType?.hasSuffix("json") == true, limit)
            case .bytes(let bytes):
                "<p class=\"small quiet\">The body is \(counted(bytes.count, "byte")) of binary data.</p>\n"
            case .omitted(let why): "<p class=\"small quiet\">The body was not kept: \(why.shown(limit: 300))</p>\n"
            }
        return """
            <figure><figcaption>Response</figcaption><pre>HTTP status \(response.status)</pre></figure>
            \(fields(response.headers))\(contents)\(failure)
            """
    }

    private func fields(_ fields: [Field]) -> HTML {
        guard !fields.isEmpty else { return .nothing }
        let lines = fields.prefix(Self.mostFields)
            .map { field -> HTML in "\(field.name.shown(limit: 200)): \(field.value.shown(limit: 2_000))\n" }
        let more = fields.count - lines.count
        return """
            <details class="fields"><summary>\(counted(fields.count, "header field"))</summary><pre>\(lines)\(more > 0 ? "… and \(more) more" : "")</pre></details>

            """
    }

    private func body(_ title: String, _ text: String, isJSON: Bool, _ limit: Int) -> HTML {
        let cut = text.prefix(bytes: limit)
        let isCut = cut.utf8.count < text.utf8.count
        let isLaidOut = isJSON && cut.utf8.count > 80 && !cut.utf8.contains(UInt8(ascii: "\n"))
        let warnings =
            (isLaidOut ? [", formatted"] : [])
            + (isCut ? [", the first \(cut.utf8.count) of \(text.utf8.count) bytes"] : [])
        return """
            <figure><figcaption>\(title)\(warnings.joined())</figcaption><pre>\(lines: isLaidOut ? Self.laidOut(cut) : cut)</pre></figure>

            """
    }

    /// JSON in lines, lists of plain values on one; only white space is added, so that errors in it stay visible.
    static func laidOut(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var depth = 0
        /// The end of the current list of plain values.
        var end = 0
        func newLine() {
            result += [UInt8(ascii: "\n")] + Array(repeating: UInt8(ascii: " "), count: 2 * min(max(depth, 0), 20))
        }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                let next = endOfString(bytes, index)
                result += bytes[index..<next]
                index = next
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                result.append(byte)
                end = max(end, byte == UInt8(ascii: "[") ? endOfPlainList(bytes, index) : 0)
                if index >= end {
                    depth += 1
                    newLine()
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if index >= end {
                    depth -= 1
                    newLine()
                }
                result.append(byte)
            case UInt8(ascii: ","):
                result.append(byte)
                if index >= end { newLine() } else { result.append(UInt8(ascii: " ")) }
            case UInt8(ascii: ":"): result += [byte, UInt8(ascii: " ")]
            case UInt8(ascii: " "): break
            default: result.append(byte)
            }
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func endOfString(_ bytes: [UInt8], _ start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    /// The index after the closing bracket of a list without lists and objects; 0 for any other.
    private static func endOfPlainList(_ bytes: [UInt8], _ start: Int) -> Int {
        var index = start + 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): index = endOfString(bytes, index) - 1
            case UInt8(ascii: "["), UInt8(ascii: "{"): return 0
            case UInt8(ascii: "]"): return index + 1
            default: break
            }
            index += 1
        }
        return 0
    }

    private var command: HTML? {
        guard let command = Curl.boundedCommand(for: exchange, reach: reach) else { return nil }
        let variables = Curl.variables(for: exchange, reach: reach)
            .map { variable -> HTML in
                "<dt><code>\(variable.name)</code></dt><dd>\(variable.advice.shown(limit: 300))\(variable.isOneTime ? " (a new value each time)" : "")</dd>\n"
            }
        return """
            <figure class="command"><figcaption>Repeat the request</figcaption><pre>\(command)</pre></figure>
            \(variables.isEmpty ? HTML.nothing : "<p class=\"small\">Variables to set first:</p>\n<dl class=\"small\">\n\(variables)</dl>\n")
            """
    }
}
