package import Conformance

/// A recorded request as a curl command.
package enum Curl {
    /// The command for a recorded request, on one line, quoted for a POSIX shell.
    ///
    /// Every secret of the record, `(client_secret:24-characters)`, becomes a variable, `"$OIDC_CLIENT_SECRET"`; the
    /// prefix keeps a name chosen by the provider from overriding `PATH`. Invisible characters are percent-encoded, as in a
    /// URL and in a form.
    ///
    /// - Parameters:
    ///   - exchange: The request.
    ///   - reach: How the run connected to the host.
    ///   - authorities: The CA file for a host that the system does not trust; `nil` for the variable `OIDC_CA_FILE`.
    package static func command(
        for exchange: Exchange,
        reach: ConnectionSettings = ConnectionSettings(),
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

    /// The command, unless it is longer than 1,500 bytes.
    static func boundedCommand(for exchange: Exchange, reach: ConnectionSettings) -> String? {
        let most = 1_500
        let parts = exchange.request.headers.flatMap { [$0.name, $0.value] }
        let size = (parts + [exchange.request.url, exchange.request.body ?? ""]).reduce(0) { $0 + $1.utf8.count }
        guard size <= most else { return nil }
        let command = command(for: exchange, reach: reach)
        return command.utf8.count <= most ? command : nil
    }

    // MARK: Connection

    /// The variable for the CA file.
    static let authoritiesVariable = "OIDC_CA_FILE"

    private static func connection(to url: String, _ reach: ConnectionSettings, _ authorities: String?) -> [String] {
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

    /// The host and port of a URL.
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

    // MARK: Shell words

    /// The header field as a curl argument: curl sends a field without a value only if its name ends with a semicolon.
    ///
    /// An empty `User-Agent` means a request without one; curl omits the field if the name ends with a colon.
    private static func line(_ header: Field) -> String {
        guard header.value.isEmpty else { return "\(header.name): \(header.value)" }
        return header.name.lowercased() == "user-agent" ? header.name + ":" : header.name + ";"
    }

    /// Excludes fields that curl computes itself, and names that curl would read as a file.
    private static func isRepeated(_ header: Field) -> Bool {
        let computed = ["host", "content-length", "accept-encoding", "connection", "transfer-encoding"]
        return !computed.contains(header.name.lowercased()) && !header.name.hasPrefix("@") && !header.name.isEmpty
    }

    /// The variable for a whole `Cookie` field, which a browser shows on one line.
    static let cookieVariable = "OIDC_COOKIE"

    /// One shell word: literal parts in apostrophes, secrets as variables in quotation marks.
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

    static func apostrophes(_ literal: String) -> String {
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
    /// Whether it is a `Cookie` field with a secret in it.
    var isCookie: Bool { name.lowercased() == "cookie" && Curl.parts(of: value).contains(where: \.isSecret) }
}
