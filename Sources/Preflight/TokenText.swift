internal import Conformance
internal import FoundationEssentials
internal import JOSE
internal import JSONTree

extension SuppliedToken {
    /// The decoded token: header and claims as JSON, then its times as dates.
    ///
    /// The signature is omitted, so that the output cannot be used as a token. The length of the text is limited.
    ///
    /// - Parameter isNow: Whether the token is checked at the current time, to which its times are relative.
    package func decoded(isNow: Bool) -> String {
        let parts = token.reveal().compactParts
        let header = Self.json(parts.first)
        // Five parts are a JWE (RFC 7516 section 3.1).
        let claims = parts.count == 5 ? .failure(.encrypted) : Self.json(parts.dropFirst().first)
        return
            ([
                "header", Self.shown(header), "claims", Self.shown(claims),
            ] + times((try? claims.get())?.objectValue, isNow))
            .joined(separator: "\n")
    }

    private enum Unreadable: Error {
        case missing
        case encrypted
        case notJSON(String)

        var words: String {
            switch self {
            case .missing: "this part is missing: a token has three parts, separated by dots"
            case .encrypted: "encrypted: they can be read only with the private key"
            case .notJSON(let why): "not readable: \(why)"
            }
        }
    }

    private static func json(_ part: Substring?) -> Result<JSON, Unreadable> {
        guard let part else { return .failure(.missing) }
        do {
            return .success(try JSONDocument.parse(Base64URL.decode(part)).root)
        } catch {
            return .failure(.notJSON("\(error)"))
        }
    }

    private static func shown(_ part: Result<JSON, Unreadable>) -> String {
        switch part {
        case .failure(let why): return "  " + why.words.shown(limit: 200)
        case .success(let value):
            let lines = value.serialized(pretty: true).split(separator: "\n")
                .map { "  " + String($0).shown(limit: longestLine) }
            let more = lines.count - mostLines
            return (lines.prefix(mostLines) + (more > 0 ? ["  and \(counted(more, "line")) more"] : []))
                .joined(separator: "\n")
        }
    }

    private static let longestLine = 500
    private static let mostLines = 60

    /// The time claims (Core section 2, RFC 7519 section 4.1) that are numbers of seconds.
    private func times(_ claims: JSONObject?, _ isNow: Bool) -> [String] {
        let lines = ["auth_time", "nbf", "iat", "exp"]
            .compactMap { name -> String? in
                guard let seconds = claims?[name]?.numberValue, (0...253_402_300_799).contains(seconds) else {
                    return nil
                }
                let date = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
                return "  \(CatalogueText.padded(name, 11))\(date), \(Self.distance(seconds - receivedAt, isNow))"
            }
        return lines.isEmpty ? [] : ["times"] + lines
    }

    /// `3 min ago` or `3 min before it arrived`, in the largest unit with a count of at least two.
    private static func distance(_ seconds: Double, _ isNow: Bool) -> String {
        let units: [(name: String, length: Double)] = [("day", 86_400), ("h", 3_600), ("min", 60)]
        let size = abs(seconds)
        let unit = units.first { size >= 2 * $0.length } ?? ("s", 1)
        let count = Int(size / unit.length)
        let length = unit.name == "day" ? counted(count, "day") : "\(count) \(unit.name)"
        if isNow { return seconds < 0 ? "\(length) ago" : "in \(length)" }
        return "\(length) \(seconds < 0 ? "before" : "after") it arrived"
    }
}
