import Conformance
import FoundationEssentials
import JSONTree

/// The run as an HTTP Archive 1.2 for the developer tools of browsers: every exchange, as in the evidence.
///
/// A page of the archive is a scenario of the run. Unknown values are `-1` or empty, as the format requires: the HTTP version and
/// the size of headers are not recorded. Bodies are complete up to a limit for all of them; a comment marks omitted ones.
enum HARReport {
    /// Bytes of all bodies.
    private static let mostBytes = 16 << 20

    static func render(_ joint: JointReport) -> String {
        var space = mostBytes
        var entries: [JSON] = []
        var pages: [JSON] = []
        for (number, exchanges) in runs(joint).enumerated() {
            let prefix = number == 0 ? "" : "run-\(number + 1)-"
            for (lane, members) in exchanges.grouped(by: { Exchange.lane(of: $0.id) }) {
                let reference = "\(prefix)scenario-\(lane)"
                pages.append(page(reference, members))
                entries += members.map { entry($0, of: reference, &space) }
            }
        }
        let first = joint.reports[0]
        let tool = first.tool.split(separator: " ", maxSplits: 1).map(String.init)
        let log: JSON = [
            "version": "1.2",
            "creator": [
                "name": .string(tool.first.flatMap { $0.isEmpty ? nil : $0 } ?? Tool.name),
                "version": .string(tool.count > 1 ? tool[1] : ""),
            ],
            "pages": .array(pages),
            "entries": .array(entries),
            "comment": .string(
                "Recorded by \(first.tool.shown(limit: 100)) at \(first.target.issuer.shown(limit: 300)). Secrets, codes, "
                    + "tokens and cookies were replaced by their names and lengths when they were recorded. "
                    + "Pages of the sign-in were not kept."
            ),
        ]
        let archive: JSONObject = ["log": log]
        return archive.serialized(pretty: true) + "\n"
    }

    /// The exchanges of each run, once, because platforms share a run.
    private static func runs(_ joint: JointReport) -> [[Exchange]] {
        var runs: [(timings: Report.Timings, exchanges: [Exchange])] = []
        for report in joint.reports where !runs.contains(where: { $0.timings == report.timings }) {
            runs.append((report.timings, report.recorded))
        }
        return runs.map(\.exchanges)
    }

    // MARK: Parts

    private static func page(_ reference: String, _ members: [Exchange]) -> JSON {
        let step = members.first?.step ?? ""
        // The name of a step is the scenario, a colon, and the step in it.
        let title = step.firstRange(of: ": ").map { String(step[..<$0.lowerBound]) } ?? step
        return [
            "startedDateTime": moment(members.map(\.startedAt).min() ?? 0),
            "id": .string(reference),
            "title": .string(title.shown(limit: 300)),
            "pageTimings": ["onContentLoad": -1, "onLoad": -1],
        ]
    }

    private static func entry(_ exchange: Exchange, of page: String, _ space: inout Int) -> JSON {
        var comments = [exchange.step.shown(limit: 300)]
        if exchange.isSuperseded == true {
            comments.append("repeated later, and the later exchange counts")
        }
        if let failure = exchange.failure { comments.append("failed: \(failure.message.shown(limit: 1_000))") }
        if let version = exchange.tlsVersion { comments.append(version) }
        let timings = Phases(exchange.timings)
        var members: [JSONObject.Member] = [
            .init(name: "pageref", value: .string(page)),
            .init(name: "startedDateTime", value: moment(exchange.startedAt)),
            .init(name: "time", value: .real(timings.total)),
            .init(name: "request", value: request(exchange.request, &space)),
            .init(name: "response", value: response(exchange, &space)),
            .init(name: "cache", value: .object(JSONObject([]))),
            .init(name: "timings", value: timings.json),
        ]
        if let peer = exchange.peer {
            let address = peer.lastIndex(of: ":").map { peer[..<$0] } ?? peer[...]
            let bare = address.hasPrefix("[") && address.hasSuffix("]") ? address.dropFirst().dropLast() : address
            members.append(.init(name: "serverIPAddress", value: .string(bare.description.shown(limit: 100))))
        }
        members.append(.init(name: "comment", value: .string(comments.joined(separator: "; "))))
        return .object(JSONObject(members))
    }

    private static func request(_ request: Exchange.Request, _ space: inout Int) -> JSON {
        var members: [JSONObject.Member] = [
            .init(name: "method", value: .string(request.method)),
            .init(name: "url", value: .string(request.url)),
            .init(name: "httpVersion", value: "unknown"),
            .init(name: "cookies", value: .array(requestCookies(request.headers))),
            .init(name: "headers", value: fields(request.headers)),
            .init(name: "queryString", value: .array(query(of: request.url))),
        ]
        if let body = request.body {
            let type = request.headers.first { $0.isNamed("content-type") }?.value ?? ""
            var data: [JSONObject.Member] = [.init(name: "mimeType", value: .string(type))]
            space -= body.utf8.count
            if space >= 0 {
                data.append(.init(name: "text", value: .string(body)))
            } else {
                data.append(.init(name: "text", value: ""))
                data.append(.init(name: "comment", value: .string(leftOut(body.utf8.count))))
            }
            members.append(.init(name: "postData", value: .object(JSONObject(data))))
        }
        members.append(.init(name: "headersSize", value: -1))
        members.append(.init(name: "bodySize", value: .integer(Int64(request.body?.utf8.count ?? 0))))
        return .object(JSONObject(members))
    }

    /// Without a response, an empty one with status 0, as browsers write it.
    private static func response(_ exchange: Exchange, _ space: inout Int) -> JSON {
        guard let response = exchange.response else {
            return [
                "status": 0, "statusText": "", "httpVersion": "", "cookies": .array([]), "headers": .array([]),
                "content": ["size": 0, "mimeType": "x-unknown"], "redirectURL": "", "headersSize": -1, "bodySize": -1,
                "comment": .string(
                    exchange.failure.map { $0.message.shown(limit: 1_000) } ?? "no response was recorded"
                ),
            ]
        }
        return [
            "status": .integer(Int64(response.status)),
            "statusText": "",
            "httpVersion": "unknown",
            "cookies": .array(responseCookies(response.headers)),
            "headers": fields(response.headers),
            "content": content(response, &space),
            "redirectURL": .string(response.header("Location") ?? ""),
            "headersSize": -1,
            "bodySize": -1,
        ]
    }

    private static func content(_ response: Exchange.Response, _ space: inout Int) -> JSON {
        let type = JSON.string(response.header("Content-Type") ?? "x-unknown")
        let size: Int
        switch response.body {
        case .omitted(let why):
            return [
                "size": -1, "mimeType": type, "comment": .string("The body was not kept: \(why.shown(limit: 300))"),
            ]
        case .text(let text): size = text.utf8.count
        case .bytes(let bytes): size = bytes.count
        }
        space -= size
        let count = JSON.integer(Int64(size))
        guard space >= 0 else { return ["size": count, "mimeType": type, "comment": .string(leftOut(size))] }
        switch response.body {
        case .bytes(let bytes):
            return [
                "size": count, "mimeType": type, "text": .string(Data(bytes).base64EncodedString()),
                "encoding": "base64",
            ]
        case .text(let text): return ["size": count, "mimeType": type, "text": .string(text)]
        case .omitted: return ["size": -1, "mimeType": type]
        }
    }

    private static func leftOut(_ bytes: Int) -> String {
        "The body of \(bytes) bytes is omitted to limit the size of this archive. Use check --save-evidence to keep it."
    }

    // MARK: Values

    /// ISO 8601 with milliseconds, in UTC; clamped to the supported years.
    static func moment(_ secondsSince1970: Double) -> JSON {
        let bounded = min(max(secondsSince1970.isNaN ? 0 : secondsSince1970, 0), 253_402_300_799)
        let milliseconds = Int((bounded * 1_000).rounded(.down))
        let whole = Format.moment(Double(milliseconds / 1_000))
        let rest = String(milliseconds % 1_000)
        return .string(whole.dropLast() + "." + String(repeating: "0", count: 3 - rest.count) + rest + "Z")
    }

    private static func fields(_ fields: [Field]) -> JSON {
        .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }

    /// The parameters of a URL, decoded if possible.
    private static func query(of url: String) -> [JSON] {
        let beforeFragment = url.prefix { $0 != "#" }
        guard let mark = beforeFragment.firstIndex(of: "?") else { return [] }
        return beforeFragment[beforeFragment.index(after: mark)...].split(separator: "&")
            .map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return [
                    "name": .string(decoded(parts[0])), "value": .string(parts.count > 1 ? decoded(parts[1]) : ""),
                ]
            }
    }

    private static func decoded(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "+"): result.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits =
                    index + 2 < bytes.count ? String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self) : ""
                guard let byte = UInt8(digits, radix: 16), !digits.hasPrefix("+") else { return String(text) }
                result.append(byte)
                index += 2
            default: result.append(bytes[index])
            }
            index += 1
        }
        return String(validating: result, as: UTF8.self) ?? String(text)
    }

    private static func requestCookies(_ headers: [Field]) -> [JSON] {
        headers.filter { $0.isNamed("cookie") }
            .flatMap { $0.value.split(separator: ";") }
            .map { pair in
                let (name, value) = cut(pair)
                return ["name": .string(name), "value": .string(value)]
            }
    }

    private static func responseCookies(_ headers: [Field]) -> [JSON] {
        headers.filter { $0.isNamed("set-cookie") }
            .map { header in
                let parts = header.value.split(separator: ";", omittingEmptySubsequences: false).map(cut)
                let attributes = parts.dropFirst().map { (name: $0.name.lowercased(), value: $0.value) }
                var members: [JSONObject.Member] = [
                    .init(name: "name", value: .string(parts.first?.name ?? "")),
                    .init(name: "value", value: .string(parts.first?.value ?? "")),
                ]
                for name in ["path", "domain"] {
                    guard let attribute = attributes.first(where: { $0.name == name }) else { continue }
                    members.append(.init(name: name, value: .string(attribute.value)))
                }
                for (attribute, name) in [("httponly", "httpOnly"), ("secure", "secure")] {
                    members.append(.init(name: name, value: .bool(attributes.contains { $0.name == attribute })))
                }
                return .object(JSONObject(members))
            }
    }

    private static func cut(_ pair: Substring) -> (name: String, value: String) {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]).trimmingASCIISpace, parts.count > 1 ? String(parts[1]).trimmingASCIISpace : "")
    }

    /// The phases of an exchange in milliseconds; `-1` for a phase that did not happen.
    private struct Phases {
        var dns = -1.0
        var connect = -1.0
        var ssl = -1.0
        var wait: Double
        var receive: Double

        /// The record has moments since the start; the format requires durations, with TLS as part of connecting.
        init(_ timings: Exchange.Timings) {
            func milliseconds(_ seconds: Double) -> Double {
                let bounded = min(max(seconds.isNaN ? 0 : seconds, 0), 1e9)
                return (bounded * 1_000_000).rounded() / 1_000
            }
            let connected = max(timings.connect, timings.tls)
            // A reused connection needs no name lookup.
            if connected > 0, timings.nameLookup > 0 { dns = milliseconds(timings.nameLookup) }
            if connected > 0 { connect = milliseconds(connected - max(0, timings.nameLookup)) }
            if timings.tls > 0 { ssl = milliseconds(timings.tls - timings.connect) }
            let asked = max(connected, timings.nameLookup)
            wait = milliseconds(max(timings.firstByte, asked) - asked)
            receive = milliseconds(timings.total - max(timings.firstByte, asked))
        }

        /// The sum of all phases; TLS is part of connecting.
        var total: Double {
            let sum = [dns, connect, wait, receive].filter { $0 > 0 }.reduce(0, +)
            return (sum * 1_000).rounded() / 1_000
        }

        var json: JSON {
            [
                "blocked": -1, "dns": .real(dns), "connect": .real(connect), "ssl": .real(ssl), "send": 0,
                "wait": .real(wait), "receive": .real(receive),
            ]
        }
    }
}
