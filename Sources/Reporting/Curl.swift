package import Conformance

/// A request as a command that a person can repeat.
package enum Curl {
    /// The command for a recorded request, in one line that a POSIX shell reads back as it was meant.
    ///
    /// Every secret of the record, `(client_secret:24-characters)`, becomes a variable, `"$OIDC_CLIENT_SECRET"`; the
    /// prefix keeps a name that the provider chose from meaning `PATH`. What cannot be seen in a terminal is
    /// percent-encoded, as it is in a URL and in a form.
    ///
    /// - Parameters:
    ///   - exchange: The request.
    ///   - reach: How the run came to its host.
    ///   - authorities: The file of the authorities that vouch for the host, where no system's do; the variable
    ///     `OIDC_CA_FILE` where none is named.
    package static func command(
        for exchange: Exchange,
        reach: Reach = Reach(),
        authorities: String? = nil
    ) -> String {
        let request = exchange.request
        var words = ["curl", "--include", "--silent", "--show-error"]
        if request.url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
        words += connection(to: request.url, reach, authorities)
        switch (request.method, request.body) {
        case ("GET", nil), ("POST", .some): break
        case ("HEAD", nil): words.append("--head")
        default: words += ["--request", quoted(request.method)]
        }
        for header in request.headers where isRepeated(header) {
            words += ["--header", header.isCookie ? "\"Cookie: $\(cookieVariable)\"" : quoted(line(header))]
        }
        if let body = request.body { words += ["--data-raw", quoted(body)] }
        return (words + ["--url", quoted(request.url)]).joined(separator: " ")
    }

    /// The command, unless it is longer than a reader takes in: 1500 octets.
    static func boundedCommand(for exchange: Exchange, reach: Reach) -> String? {
        let most = 1_500
        let parts = exchange.request.headers.flatMap { [$0.name, $0.value] }
        let size = (parts + [exchange.request.url, exchange.request.body ?? ""]).reduce(0) { $0 + $1.utf8.count }
        guard size <= most else { return nil }
        let command = command(for: exchange, reach: reach)
        return command.utf8.count <= most ? command : nil
    }

    // MARK: Reaching the host

    /// The variable for the file of authorities.
    static let authoritiesVariable = "OIDC_CA_FILE"

    private static func connection(to url: String, _ reach: Reach, _ authorities: String?) -> [String] {
        guard let place = Place(url) else { return [] }
        var words: [String] = []
        for (option, entries) in [("--resolve", reach.route.resolve), ("--connect-to", reach.route.connectTo)] {
            for entry in entries where entry.lowercased().hasPrefix("\(place.host):\(place.port):") {
                words += [option, quoted(entry)]
            }
        }
        if place.isSecure, reach.needsAuthorities(place.host, port: place.port) {
            words += ["--cacert", authorities.map(quoted) ?? "\"$\(authoritiesVariable)\""]
        }
        return words
    }

    /// Where a URL leads.
    struct Place {
        var isSecure: Bool
        /// In lower case, an IPv6 address in brackets.
        var host: String
        var port: Int

        /// `nil` for anything but http and https.
        init?(_ url: String) {
            guard let scheme = url.firstRange(of: "://") else { return nil }
            switch url[..<scheme.lowerBound].lowercased() {
            case "https": isSecure = true
            case "http": isSecure = false
            default: return nil
            }
            let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
            let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
            let end = place.lastIndex(of: "]").map { place.index(after: $0) } ?? place.startIndex
            let colon = place[end...].firstIndex(of: ":")
            host = place[..<(colon ?? place.endIndex)].lowercased()
            port = colon.flatMap { Int(place[place.index(after: $0)...]) } ?? (isSecure ? 443 : 80)
        }
    }

    // MARK: Words of the shell

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

    /// The variable for a whole `Cookie` field: a browser shows it as one line, and its values are all one session.
    static let cookieVariable = "OIDC_COOKIE"

    /// One word of the shell: literal parts in apostrophes, secrets as variables in quotation marks.
    static func quoted(_ text: String) -> String {
        let result = parts(of: text)
            .map { part in
                switch part {
                case .literal(let text): apostrophes(text)
                case .secret(let secret): "\"$\(secret.variable)\""
                }
            }
            .joined()
        return result.isEmpty ? "''" : result
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

extension Field {
    /// Whether it is a `Cookie` field with a session in it.
    var isCookie: Bool { name.lowercased() == "cookie" && Curl.parts(of: value).contains(where: \.isSecret) }
}
