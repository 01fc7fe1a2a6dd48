package import Conformance

/// The placeholder of a secret in a record.
struct RecordedSecret: Hashable {
    /// The name of the secret: `client_secret`, `code`.
    var name: String
    /// Its length in characters; `nil` if unknown.
    var length: Int?
    /// The variable of a command for it: `OIDC_CLIENT_SECRET`.
    var variable: String
}

extension Curl {
    /// A piece of a recorded text.
    enum Part {
        case literal(String)
        case secret(RecordedSecret)

        var isSecret: Bool { if case .secret = self { true } else { false } }
    }

    /// Placeholders of the sign-in, which do not record the length.
    private static let withoutLength: Set<String> = [
        "cookie", "form_field", "credentials", "password", "code", "access_token", "id_token", "refresh_token",
        "client_secret", "code_verifier",
    ]

    /// The parts of the text in order, each placeholder separately.
    static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var literal = ""
        var rest = text[...]
        // Evidence of versions up to 0.3 uses the second pair.
        while let opening = rest.firstIndex(where: { $0 == "(" || $0 == "‹" }) {
            literal += rest[..<opening]
            rest = rest[opening...]
            let last: Character = rest[opening] == "(" ? ")" : "›"
            if let closing = rest.prefix(102).firstIndex(of: last),
                let secret = secret(rest[rest.index(after: opening)..<closing], after: literal)
            {
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = ""
                parts.append(.secret(secret))
                rest = rest[rest.index(after: closing)...]
            } else {
                literal.append(rest.removeFirst())
            }
        }
        literal += rest
        return literal.isEmpty ? parts : parts + [.literal(literal)]
    }

    /// `client_secret:24-characters` is `OIDC_CLIENT_SECRET`; `nil` for other texts.
    ///
    /// - Parameter literal: The preceding text, which names the field for form input.
    private static func secret(_ placeholder: Substring, after literal: String) -> RecordedSecret? {
        if withoutLength.contains(String(placeholder)) {
            return RecordedSecret(
                name: String(placeholder),
                length: nil,
                variable: variable(placeholder, after: literal)
            )
        }
        let isOld = placeholder.hasSuffix(" characters")
        guard isOld || placeholder.hasSuffix("-characters"), placeholder.utf8.count <= 100,
            let end = placeholder.lastIndex(where: { $0 == ":" || $0 == "," })
        else { return nil }
        let count = placeholder[placeholder.index(after: end)...].dropFirst(isOld ? 1 : 0).dropLast("-characters".count)
        let name = placeholder[..<end]
        guard !name.isEmpty, !count.isEmpty, count.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return RecordedSecret(
            name: String(name).replacing(" ", with: "_"),
            length: Int(count),
            variable: variable(name, after: literal)
        )
    }

    private static func variable(_ name: Substring, after literal: String) -> String {
        // A token is named as what it is; the credentials of Basic are a client's.
        let isToken = ["bearer ", "dpop "].contains { literal.lowercased().hasSuffix($0) }
        if name == "credentials", isToken { return "OIDC_ACCESS_TOKEN" }
        let isField = name == "form_field" || name == "form field"
        let field =
            isField ? literal.split(separator: "&").last.flatMap { $0.hasSuffix("=") ? $0.dropLast() : nil } : nil
        let letters = (field.map { "field_" + $0.prefix(60) } ?? String(name)).uppercased().unicodeScalars
            .map { scalar -> Character in
                switch scalar {
                case "A"..."Z", "0"..."9": Character(scalar)
                default: "_"
                }
            }
        let word = String(letters)
        return word.hasPrefix("OIDC_") ? word : "OIDC_" + word
    }
}

/// A variable that a command reads, and its required value.
package struct CurlVariable: Sendable, Hashable {
    package var name: String
    /// The required value and its source, in a sentence.
    package var advice: String
    /// Whether the value can be used only once or for some minutes, so that each repetition needs a new one.
    package var isOneTime: Bool
}

extension Curl {
    /// The variables that ``command(for:reach:authorities:)`` reads, each once, in order of appearance.
    package static func variables(
        for exchange: Exchange,
        reach: ConnectionSettings = ConnectionSettings(),
        authorities: String? = nil
    ) -> [CurlVariable] {
        let request = exchange.request
        var found: [CurlVariable] = []
        func add(_ variable: CurlVariable) {
            if !found.contains(where: { $0.name == variable.name }) { found.append(variable) }
        }
        if let place = Place(request.url), place.isSecure, authorities == nil,
            reach.needsAuthorities(place.host, port: place.port)
        {
            add(
                CurlVariable(
                    name: authoritiesVariable,
                    advice: "the PEM file with the certificate authorities of this host",
                    isOneTime: false
                )
            )
        }
        for header in request.headers {
            if header.isCookie {
                add(
                    CurlVariable(
                        name: cookieVariable,
                        advice: "the Cookie header of a browser at the same step at "
                            + "\(Place(request.url)?.host ?? "the host"), from its developer tools; without it the request starts "
                            + "a new session",
                        isOneTime: true
                    )
                )
                continue
            }
            let scheme = header.value.split(separator: " ").first?.lowercased() ?? ""
            for secret in secrets(in: header.value) { add(advised(secret, scheme: scheme, client: reach.clientID)) }
        }
        for text in [request.body, request.url].compactMap(\.self) {
            for secret in secrets(in: text) { add(advised(secret, scheme: "", client: reach.clientID)) }
        }
        return found
    }

    private static func secrets(in text: String) -> [RecordedSecret] {
        parts(of: text).compactMap { if case .secret(let secret) = $0 { secret } else { nil } }
    }

    /// - Parameters:
    ///   - scheme: Of the Authorization field, in lower case; empty elsewhere.
    ///   - client: The client ID; `nil` if several clients are configured.
    private static func advised(_ secret: RecordedSecret, scheme: String, client: String?) -> CurlVariable {
        let client = client ?? "CLIENT-ID"
        let encoded = "| base64 | tr -d '\\n')"
        let length = secret.length.map { " of \($0) characters" } ?? ""
        let (advice, isOneTime): (String, Bool) =
            switch secret.name {
            case "bogus_client_secret": ("any text except the client secret", false)
            case "client_secret": ("the client secret", false)
            case "password": ("the password of the test user", false)
            case "credentials" where scheme == "basic":
                (
                    "base64 of the client ID and its secret, separated by a colon (form-encode each if it has special "
                        + "characters): $(printf %s \(apostrophes(client + ":"))\"$OIDC_CLIENT_SECRET\" \(encoded)",
                    false
                )
            case "bogus_credentials":
                (
                    "the client ID with a wrong secret: "
                        + "$(printf %s \(apostrophes(client + ":wrong-on-purpose")) \(encoded)",
                    false
                )
            case "credentials": ("an access token from a new sign-in", true)
            case "bogus_code": ("any text\(length): the request tests a code that was never issued", false)
            case "code":
                (
                    "an authorization code from a new sign-in, at most a minute old; the provider accepts it only once",
                    true
                )
            case "bogus_code_verifier":
                ("any text of 43 letters and digits that is not the code_verifier of the sign-in", false)
            case "code_verifier": ("the code_verifier for the code_challenge of the sign-in", true)
            case "client_assertion":
                ("a JWT newly signed with the client's key, with a new jti (RFC 7523)", true)
            case "bogus_client_assertion": ("a JWT with the mistake that the step names (RFC 7523)", true)
            case "bogus_id_token", "bogus_id_token_hint": ("the ID Token of a sign-in with another signature", true)
            case "access_token", "refresh_token", "id_token", "id_token_hint":
                ("the \(secret.name == "id_token_hint" ? "ID Token" : secret.name) of a sign-in", true)
            case "form_field", "form field":
                ("the value of this form field, from the page or entered by the user", true)
            default: ("a value\(length) that is not recorded", true)
            }
        return CurlVariable(name: secret.variable, advice: advice, isOneTime: isOneTime)
    }
}
