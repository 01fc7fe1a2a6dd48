package import Conformance

/// A request as a command that a person can repeat.
package enum Curl {
    /// The command for a recorded request, in one line that a POSIX shell reads back as it was meant.
    ///
    /// Every secret of the record, `(client_secret:24-characters)`, becomes a variable, `"$OIDC_CLIENT_SECRET"`; the
    /// prefix keeps a name that the provider chose from meaning `PATH`. What cannot be seen in a terminal is
    /// percent-encoded, as it is in a URL and in a form.
    package static func command(for exchange: Exchange) -> String {
        let request = exchange.request
        var words = ["curl", "--include", "--silent", "--show-error"]
        if request.url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
        switch (request.method, request.body) {
        case ("GET", nil), ("POST", .some): break
        case ("HEAD", nil): words.append("--head")
        default: words += ["--request", quoted(request.method)]
        }
        for header in request.headers where isRepeated(header) {
            words += ["--header", quoted(line(header))]
        }
        if let body = request.body { words += ["--data-raw", quoted(body)] }
        return (words + ["--url", quoted(request.url)]).joined(separator: " ")
    }

    /// The command, unless it is longer than a reader takes in: 1500 octets.
    static func boundedCommand(for exchange: Exchange) -> String? {
        let most = 1_500
        let parts = exchange.request.headers.flatMap { [$0.name, $0.value] }
        let size = (parts + [exchange.request.url, exchange.request.body ?? ""]).reduce(0) { $0 + $1.utf8.count }
        guard size <= most else { return nil }
        let command = command(for: exchange)
        return command.utf8.count <= most ? command : nil
    }

    /// The field as curl is told it: without a value it is sent only when its name ends with a semicolon.
    ///
    /// An empty `User-Agent` is the record of a request without one, which curl leaves out for a colon alone.
    private static func line(_ header: Field) -> String {
        guard header.value.isEmpty else { return "\(header.name): \(header.value)" }
        return header.name.lowercased() == "user-agent" ? header.name + ":" : header.name + ";"
    }

    /// Left out: what curl computes itself, and a name that curl would take for a file.
    private static func isRepeated(_ header: Field) -> Bool {
        let computed = ["host", "content-length", "accept-encoding", "connection", "transfer-encoding"]
        return !computed.contains(header.name.lowercased()) && !header.name.hasPrefix("@") && !header.name.isEmpty
    }

    /// One word of the shell: literal parts in apostrophes, secrets as variables in quotation marks.
    static func quoted(_ text: String) -> String {
        var result = ""
        var literal = ""
        var rest = text[...]
        let flush = { (result: inout String, literal: inout String) in
            if !literal.isEmpty { result += apostrophes(literal) }
            literal = ""
        }
        // The second pair stands in evidence of versions up to 0.3.
        while let opening = rest.firstIndex(where: { $0 == "(" || $0 == "‹" }) {
            literal += rest[..<opening]
            rest = rest[opening...]
            let last: Character = rest[opening] == "(" ? ")" : "›"
            if let closing = rest.prefix(102).firstIndex(of: last),
                let name = variable(rest[rest.index(after: opening)..<closing])
            {
                flush(&result, &literal)
                result += "\"$\(name)\""
                rest = rest[rest.index(after: closing)...]
            } else {
                literal.append(rest.removeFirst())
            }
        }
        literal += rest
        flush(&result, &literal)
        return result.isEmpty ? "''" : result
    }

    /// `client_secret:24-characters` is `OIDC_CLIENT_SECRET`; `nil` for a text that is no placeholder.
    private static func variable(_ placeholder: Substring) -> String? {
        let isOld = placeholder.hasSuffix(" characters")
        guard isOld || placeholder.hasSuffix("-characters"), placeholder.utf8.count <= 100,
            let end = placeholder.lastIndex(where: { $0 == ":" || $0 == "," })
        else { return nil }
        let count = placeholder[placeholder.index(after: end)...].dropFirst(isOld ? 1 : 0).dropLast("-characters".count)
        let name = placeholder[..<end]
        guard !name.isEmpty, !count.isEmpty, count.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let letters = name.uppercased().unicodeScalars
            .map { scalar -> Character in
                switch scalar {
                case "A"..."Z", "0"..."9": Character(scalar)
                default: "_"
                }
            }
        let word = String(letters)
        return word.hasPrefix("OIDC_") ? word : "OIDC_" + word
    }

    private static func apostrophes(_ literal: String) -> String {
        var result = "'"
        for scalar in literal.unicodeScalars {
            if scalar == "'" {
                result += #"'\''"#
            } else if String(scalar).shown() == String(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                for byte in String(scalar).utf8 {
                    result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                }
            }
        }
        return result + "'"
    }
}
