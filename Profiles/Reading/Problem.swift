/// One mistake in a configuration file, and its place.
package struct Problem: Sendable, Hashable, CustomStringConvertible {
    package var file: String
    /// Counted from 1; `nil` for a problem of the whole file.
    package var line: Int?
    package var column: Int?
    /// The problem, and the text to write instead.
    package var message: String

    package init(file: String, line: Int? = nil, column: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    package var description: String {
        let place = [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
        return "\(file)\(place): \(message)"
    }
}

/// All problems of the configuration, found before the first request is sent.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package var problems: [Problem]

    package init(_ problems: [Problem]) {
        self.problems = problems
    }

    package init(file: String, _ message: String) {
        self.problems = [Problem(file: file, message: message)]
    }

    /// Problems of one file, in its order.
    init(ofOneFile problems: [Problem]) {
        self.problems = problems.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
    }

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// The word of a list that is nearest to a mistyped word.
package enum NearestWord {
    /// The candidate with the fewest edits, if there are few enough.
    package static func of(_ word: String, among candidates: [String]) -> String? {
        // A prefix of at least three letters matches, however much is missing; of several names, the shortest wins.
        let isShorter = { (left: String, right: String) in left.count < right.count }
        let longer = candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) }.min(by: isShorter)
        if word.count >= 3, let longer { return longer }
        // So does a word of the whole name: cognito matches aws-cognito.
        let whole = candidates.filter { isPart(word.lowercased(), of: $0.lowercased()) }.min(by: isShorter)
        if word.count >= 3, let whole { return whole }
        let ranked = candidates.map { (candidate: $0, distance: distance(word.lowercased(), $0.lowercased())) }
        guard let best = ranked.min(by: { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }),
            best.distance <= max(1, max(word.count, best.candidate.count) / 3)
        else { return nil }
        return best.candidate
    }

    private static func isPart(_ word: String, of name: String) -> Bool {
        name.split { !$0.isLetter && !$0.isNumber }.contains(Substring(word))
    }

    /// The most names that a message lists.
    static let mostListed = 24

    /// `; did you mean “flows”?`, or the list if it is short, or an empty text.
    package static func hint(for word: String, among candidates: [String]) -> String {
        if let key = otherNames[word.lowercased()], candidates.contains(key.prefix { $0 != "." }.description) {
            return "; did you mean “\(key)”?"
        }
        if let nearest = of(word, among: candidates) { return "; did you mean “\(nearest)”?" }
        return (1...mostListed).contains(candidates.count) ? "; known here: \(candidates.joined(separator: ", "))" : ""
    }

    /// The names that other tools and the specifications use for keys and values of a configuration.
    private static let otherNames = [
        "client_id": "client.id", "client_secret": "client.secret", "secret": "client.secret",
        "token_endpoint_auth_method": "client.authentication",
        "username": "sign_in.username", "password": "sign_in.password", "login": "sign_in", "user": "sign_in",
        "issuer_url": "issuer", "provider": "issuer", "platform": "profile", "ca_file": "network.ca_file",
        "proxy": "network.proxy", "response_types": "flows", "grant_types": "flows", "ignore": "waivers",
        "authorization_code": "code", "implicit": "id_token", "hybrid": "code id_token",
    ]

    /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    private static func distance(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left), Array(right))
        var previous: [Int] = []
        var current = Array(0...b.count)
        for i in 0..<a.count {
            let beforePrevious = previous
            previous = current
            current = [i + 1] + Array(repeating: 0, count: b.count)
            for j in 0..<b.count {
                var best = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforePrevious[j - 1] + 1) }
                current[j + 1] = best
            }
        }
        return current[b.count]
    }
}
