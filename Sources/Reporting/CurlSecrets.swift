package import Conformance

/// What stands in a record in the place of a secret.
struct RecordedSecret: Hashable {
    /// What it was: `client_secret`, `code`.
    var name: String
    /// How many characters it had; `nil` where that is not known.
    var length: Int?
    /// The variable of a command that has to hold it: `OIDC_CLIENT_SECRET`.
    var variable: String
}

extension Curl {
    /// A piece of a recorded text.
    enum Part {
        case literal(String)
        case secret(RecordedSecret)

        var isSecret: Bool { if case .secret = self { true } else { false } }
    }

    /// What the sign-in takes out of a record has lost its length.
    private static let withoutLength: Set<String> = [
        "cookie", "form_field", "credentials", "password", "code", "access_token", "id_token", "refresh_token",
        "client_secret", "code_verifier",
    ]

    /// The text in order, each placeholder by itself.
    static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var literal = ""
        var rest = text[...]
        // The second pair stands in evidence of versions up to 0.3.
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

    /// `client_secret:24-characters` is `OIDC_CLIENT_SECRET`; `nil` for a text that is no placeholder.
    ///
    /// - Parameter literal: What stands before it: what was typed into a form is known by the name of its field.
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

/// A variable that a command reads, and what it has to hold.
package struct CurlVariable: Sendable, Hashable {
    package var name: String
    /// What it has to hold and where that is to be had, in a sentence.
    package var advice: String
    /// Whether the value serves once, or for some minutes: another one is needed for each repetition.
    package var isOneTime: Bool
}

extension Curl {
    /// The variables that ``command(for:reach:authorities:)`` reads, in the order of their appearance, each once.
    package static func variables(
        for exchange: Exchange,
        reach: Reach = Reach(),
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
                    advice: "the PEM file of the certificate authorities that vouch for this host",
                    isOneTime: false
                )
            )
        }
        for header in request.headers {
            if header.isCookie {
                add(
                    CurlVariable(
                        name: cookieVariable,
                        advice: "the Cookie field of a browser that is as far at "
                            + "\(Place(request.url)?.host ?? "the host"), from its developer tools; without it the request is that "
                            + "of somebody new",
                        isOneTime: true
                    )
                )
                continue
            }
            let scheme = header.value.split(separator: " ").first?.lowercased() ?? ""
            for secret in secrets(in: header.value) { add(advised(secret, exchange, scheme: scheme)) }
        }
        for text in [request.body, request.url].compactMap(\.self) {
            for secret in secrets(in: text) { add(advised(secret, exchange, scheme: "")) }
        }
        return found
    }

    private static func secrets(in text: String) -> [RecordedSecret] {
        parts(of: text).compactMap { if case .secret(let secret) = $0 { secret } else { nil } }
    }

    private static func advised(_ secret: RecordedSecret, _ exchange: Exchange, scheme: String) -> CurlVariable {
        let isMadeUp = exchange.step.contains("made-up code")
        let isWrong = exchange.step.contains("wrong secret")
        let length = secret.length.map { " of \($0) characters" } ?? ""
        let (advice, isOneTime): (String, Bool) =
            switch secret.name {
            case "client_secret" where isWrong: ("any text but the client's secret", false)
            case "client_secret": ("the client's secret", false)
            case "password": ("the password of the test user", false)
            case "credentials" where scheme == "basic":
                (
                    "base64 of the client's identifier and \(isWrong ? "any text but its secret" : "its secret"), each form-encoded, with a colon between them: "
                        + #"$(printf %s "$OIDC_CLIENT_ID:$OIDC_CLIENT_SECRET" | base64 -w0)"#,
                    false
                )
            case "credentials": ("an access token, fresh from a sign-in", true)
            case "code" where isMadeUp: ("any text\(length): the request is about a code that was never issued", false)
            case "code": ("an authorization code, fresh from a sign-in: it is taken once, and for a minute or so", true)
            case "code_verifier" where isMadeUp: ("any text of 43 letters and digits", false)
            case "code_verifier": ("the verifier that belongs to the code_challenge of the sign-in", true)
            case "client_assertion":
                ("a JWT that the client's key has signed just now, with a jti of its own (RFC 7523)", true)
            case "access_token", "refresh_token", "id_token", "id_token_hint":
                ("the \(secret.name == "id_token_hint" ? "ID Token" : secret.name) of a sign-in", true)
            case "form_field", "form field":
                ("this field of the form, as the page has it or as a person fills it in", true)
            default: ("a value\(length) that the record does not keep", true)
            }
        return CurlVariable(name: secret.variable, advice: advice, isOneTime: isOneTime)
    }
}
