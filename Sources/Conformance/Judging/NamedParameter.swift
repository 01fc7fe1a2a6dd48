import JSONTree

/// A parameter of the authorization request that the provider's message names when it rejects the ordinary request.
///
/// RFC 6749 section 4.1.2.1 has one error, `invalid_request`, for a missing parameter and a broken request alike, and many providers
/// return a page instead. Only the message distinguishes what the user has to configure, so it decides the advice.
package struct NamedParameter: Sendable, Hashable {
    package let name: String
    /// The configuration key that sends it.
    package let key: String
    /// Whether the rejected request contains it.
    let isSent: Bool

    /// - Parameters:
    ///   - words: The provider's message: an error description, or the text of its page.
    ///   - isPage: Whether it is the text of a page, in which `JavaScript is required to display this page` names no parameter.
    ///   - isSent: Whether the rejected request contains a parameter.
    /// - Returns: `nil` if the message names no parameter that the configuration can change. A missing one comes first.
    package init?(in words: String?, isPage: Bool, isSent: (String) -> Bool) {
        let tokens = Self.tokens(of: words)
        let patterns = isPage ? Self.unmistakable : Self.unmistakable + Self.acronyms
        let acronym = patterns.first { Self.contains($0.words, words ?? "") }?.parameter
        let named = Self.keys.filter { $0.parameter == acronym || Self.names($0.parameter, tokens, isPage) }
        let missing = named.first { !isSent($0.parameter) && $0.key != "redirect_uri" && $0.key != "client.id" }
        if let found = missing ?? named.first(where: { isSent($0.parameter) }) {
            name = found.parameter
            key = found.key
            self.isSent = missing == nil
        } else {
            guard let other = Self.reportedAsMissing(in: words ?? "", isPage), !isSent(other) else { return nil }
            name = other
            key = "custom_parameters"
            self.isSent = false
        }
    }

    /// Words that name a kind of request without its parameter, in messages for developers; on a page, “par” is a word of French.
    private static let acronyms: [(words: String, parameter: String)] = [
        ("\\bPAR\\b", "pushed"), ("\\bJAR\\b", "request_object"),
        ("(?i:missing|required)[^.;,:]{0,20}\\bparameters?:? [\"'`]?request\\b", "request_object"),
        ("(?:^|\\b(?i:the) )[\"'`]?(?i:request)[\"'`]? parameter (?i:is|was) (?i:missing|required)", "request_object"),
    ]

    /// Words that mean the same on a page.
    private static let unmistakable: [(words: String, parameter: String)] = [
        ("\\brequest_uri\\b.*\\b(?i:missing|required|not included)", "pushed"), ("\\bPAR (?i:request)", "pushed"),
    ]

    private static func contains(_ pattern: String, _ words: String) -> Bool {
        (try? Regex(pattern)).map { words.contains($0) } ?? false
    }

    /// A parameter without an entry in the table, if the message reports it as missing: `Missing required parameter: tenant`.
    static func reportedAsMissing(in words: String, _ isPage: Bool) -> String? {
        let quotes = "[\"'`“”‘’«»]"
        let name = "\(quotes)?([A-Za-z][A-Za-z0-9_.-]{1,63})\(quotes)?"
        let absent = "(?:is |was )?(?:required|missing|mandatory|not (?:present|provided|specified|set))"
        let patterns = [
            "(?:missing|required|mandatory|requires|must contain|must include)[^.;,:]{0,40}\\bparam(?:eter)?s? ?[:=(] ?\(name)",
            "\\b(?:missing|requires|needs) \(name) (?:query |request )?parameter\\b",
            "\\bno \(quotes)?([A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]{1,60})\(quotes)? (?:given|provided|specified|supplied)\\b",
            "(?:missing|required|mandatory|requires)[^.;,:]{0,40}\\bparameters? \(quotes)([A-Za-z][A-Za-z0-9_.-]{1,63})\(quotes)",
            "\\bparameter \(name) \(absent)", "\(name) (?:query |request )?parameter \(absent)",
            "\\b(?:missing|required) (?:required )?parameters? \(name)(?:$|[.,;])",
            // On a page, “cookies is required” names no parameter.
            isPage ? "([A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]{1,60}) \(absent)" : "^\(name) \(absent)",
        ]
        for pattern in patterns {
            let found = (try? Regex(pattern).ignoresCase()).flatMap { words.firstMatch(of: $0) }
            guard let text = found?.output[1].substring.map({ String($0) }), !Self.ordinary.contains(text.lowercased())
            else { continue }
            return text
        }
        return nil
    }

    /// Words beside “parameter” that are no name, and parameters that the program sets itself.
    private static let ordinary: Set = [
        "a", "an", "the", "this", "that", "another", "one", "some", "each", "every", "is", "are", "was", "value",
        "values", "invalid", "required", "mandatory", "missing", "necessary", "following", "request", "query",
        "includes", "more", "additional", "valid", "other", "oauth", "oidc", "openid", "url", "get", "post", "http",
        "body", "form", "input", "authorization", "authentication", "session", "user", "client", "token", "state",
        "nonce", "response_type", "request_uri",
    ]

    static func tokens(of words: String?) -> [String] {
        (words ?? "").lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    }

    /// Parameters that a provider can require: registered ones (OAuth Parameters registry) and those of single providers.
    private static let keys: [(parameter: String, key: String)] =
        [
            "acr_values", "vtr", "response_mode", "prompt", "max_age", "display", "ui_locales", "claims_locales",
            "login_hint",
            "claims", "audience", "authorization_details", "access_type", "organization", "idp_values", "kc_idp_hint",
            "domain_hint", "identity_provider",
        ]
        .map { ($0, "custom_parameters") } + [
            ("resource", "resource"), ("scope", "scopes"), ("redirect_uri", "redirect_uri"), ("client_id", "client.id"),
            ("request_object", "client.request_object_signing_alg"),
            ("pushed", "client.require_pushed_authorization_requests"), ("code_challenge", "client.pkce"),
        ]

    /// Words beside which an everyday word is the name of a parameter.
    private static let besides: Set = [
        "required", "requires", "require", "missing", "mandatory", "must", "needs", "parameter", "invalid",
        "unsupported",
    ]

    /// The names that some messages write as words; “identity provider” and “access type” are words of any page.
    private static let spaced: Set = [
        "acr_values", "response_mode", "redirect_uri", "client_id", "request_object", "code_challenge",
    ]

    /// Everyday words, which on a page are the name of a parameter only beside the word `parameter`.
    private static let everyday: Set = ["prompt", "display", "claims", "audience", "organization", "resource"]

    /// Whether a message names a parameter: `acr_values`, `Acr values`, or `the parameter prompt is required`.
    private static func names(_ parameter: String, _ tokens: [String], _ isPage: Bool) -> Bool {
        let besides = isPage && everyday.contains(parameter) ? ["parameter", "parameters"] : besides
        let parts = parameter.split(separator: "_").map(String.init)
        // No page for users has these words.
        if parameter == "pushed" { return tokens.contains(parameter) }
        // Keycloak reports the method as missing when there is no challenge.
        if parameter == "code_challenge", tokens.contains("pkce") || tokens.contains("code_challenge_method") {
            return true
        }
        return tokens.indices.contains { place in
            if tokens[place] == parameter {
                let nearby = tokens[max(0, place - 3)..<min(tokens.count, place + 4)]
                return parts.count > 1 || parameter == "vtr" || !besides.isDisjoint(with: nearby)
            }
            return spaced.contains(parameter) && tokens[place...].starts(with: parts)
        }
    }
}

extension Cause {
    /// The cause of a rejected ordinary request, with the parameter that the provider's message names, if it names one.
    func namingParameter(_ run: ScenarioRun, _ client: Client?, _ target: Target, _ metadata: JSONObject?) -> Cause {
        var cause = self
        if isAboutProof { return needingDPoP(message.withoutFullStop, client) }
        var isPage = run.authorization.value?.page?.pushError == nil
        if case .error = identity { isPage = false }
        let isSent = { (name: String) in
            switch name {
            case "request_object": client?.requestObjectSigningAlg != nil
            case "pushed":
                client?.requiresPushedRequests == true || metadata?["require_pushed_authorization_requests"] == true
                    || metadata?["pushed_authorization_request_endpoint"] == nil
            default: run.sentParameter(name) != nil
            }
        }
        // A pushed request is authenticated, so the message may be about the client's secret or assertion.
        let ofAuthentication =
            run.authorization.value?.page?.pushError == nil
            ? [] : Self.ofAssertions.union(Self.ofTokenRequests).subtracting(["redirect_uri", "client_id"])
        guard let parameter = NamedParameter(in: words, isPage: isPage, isSent: isSent),
            !ofAuthentication.contains(parameter.name)
        else {
            if identity == .error("invalid_request_object"), isSent("request_object") { return ofRequestObject() }
            // A document may state what the provider does not demand, so only a rejection counts, and not a page without a form.
            guard signInStep == .authorizationRequest, metadata?["require_signed_request_object"] == true,
                !isSent("request_object")
            else { return self }
            cause.message = message.withoutFullStop + ", and the discovery document has require_signed_request_object."
            cause.advice = Self.adviceForRequestObjects(metadata)
            cause.keys = ["client.request_object_signing_alg"]
            cause.mayBeConfiguration = true
            return cause
        }
        if parameter.name == "request_object", parameter.isSent { return ofRequestObject() }
        // The message says more than the title of its page.
        let start =
            if isPage, case .page(let status, _) = identity {
                "The provider rejects the ordinary authorization request with status \(status)"
            } else {
                message.withoutFullStop
            }
        let named = start + ", and the provider's message names \(parameter.name)"
        guard parameter.isSent else {
            cause.message =
                switch parameter.name {
                case "request_object":
                    start + ", and the provider's message names request objects, which this client does not send."
                case "pushed":
                    start + ", and the provider's message names pushed requests, which this client does not send."
                default: named + ", which the request does not contain."
                }
            cause.keys = [parameter.key]
            cause.advice =
                target.hasCustomParameter(parameter.name)
                ? Self.notSent(parameter.name) : Self.advice(for: parameter, metadata)
            cause.mayBeConfiguration = true
            return cause
        }
        // The configuration sends its own challenge, and can only leave it out.
        if parameter.name == "code_challenge" {
            guard rejectsParameter else { return self }
            cause.message = named + "."
            cause.keys = ["client.pkce"]
            cause.advice = Self.adviceWithoutPKCE
            cause.mayBeConfiguration = true
            return cause
        }
        // Any other error has advice of its own.
        if case .error(let error) = identity, error != "invalid_request" { return self }
        // A client that pushes its requests already can configure nothing more.
        if parameter.name == "pushed" { return self }
        cause.message = named + "."
        cause.keys = [parameter.key] + keys.filter { $0 != parameter.key }
        cause.mayBeConfiguration = true
        let isOfRegistration = ["redirect_uri", "client.id"].contains(parameter.key)
        if isOfRegistration, keys.contains(parameter.key) { return cause }
        cause.advice =
            "Compare \(parameter.key) with \(isOfRegistration ? "the client's registration" : "the values that the provider requires"): "
            + "the request has \(parameter.name)=\((run.sentParameter(parameter.name) ?? "").shown(limit: 200))."
        return cause
    }

    /// The cause of a rejected request object: the provider knows another key or another algorithm of the client.
    private func ofRequestObject() -> Cause {
        var cause = self
        cause.keys = ["client.request_object_signing_alg", "client.private_key", "client.secret"]
        cause.advice =
            "Compare client.request_object_signing_alg, and the key or the secret that signs, with the client's registration: every "
            + "request is a request object signed with them (RFC 9101)."
        cause.mayBeConfiguration = true
        return cause
    }

    private static func adviceForRequestObjects(_ metadata: JSONObject?) -> String {
        let listed = metadata?["request_object_signing_alg_values_supported"]?.strings ?? []
        let value = listed.first { $0 != "none" }?.shown() ?? "ALGORITHM"
        return
            "Configure client.request_object_signing_alg: \(value) with client.private_key, so that every request is a signed "
            + "request object (RFC 9101), and use a platform that sends one."
    }

    private static func advice(for parameter: NamedParameter, _ metadata: JSONObject?) -> String {
        if parameter.name == "request_object" { return adviceForRequestObjects(metadata) }
        if parameter.name == "code_challenge" { return pkceAdvice }
        if parameter.name == "pushed" {
            return "Configure \(parameter.key): true, and use a platform that pushes its requests (RFC 9126)."
        }
        let members = [
            "\(parameter.name)_supported", "\(parameter.name)s_supported", "\(parameter.name)_values_supported",
        ]
        let listed = members.lazy.compactMap { member in metadata?[member]?.strings.map { (member, $0) } }
            .first { !$1.isEmpty }
        // These are the defaults, or end in an error without a session.
        // The parameter claims is an object (Core section 5.5); claims_supported lists names.
        let usable = parameter.name == "claims" ? nil : listed?.1.first { !["none", "query", "fragment"].contains($0) }
        let value = usable?.shown(limit: 120) ?? "VALUE"
        let setting = parameter.key == "custom_parameters" ? "{ \(parameter.name): \(value) }" : value
        return "Configure \(parameter.key): \(setting), and make the client send it. "
            + (listed.map { "The discovery document lists the values in \($0.0)." }
                ?? "The provider's documentation lists the values.")
    }

    /// The errors of RFC 9449 sections 5 and 8.
    static let proofErrors: Set = ["invalid_dpop_proof", "use_dpop_nonce"]
    static let keysOfDPoP = ["client.dpop_bound_access_tokens"]

    /// Whether the provider's error or message is about a proof.
    private var isAboutProof: Bool {
        if case .noTokens(_, let error?) = identity, Self.proofErrors.contains(error) { return true }
        return NamedParameter.tokens(of: words).contains { $0.hasPrefix("dpop") || Self.proofErrors.contains($0) }
    }

    /// The cause of a request that a provider rejects for want of a DPoP proof, or because of one (RFC 9449 section 5).
    private func needingDPoP(_ start: String, _ client: Client?) -> Cause {
        var cause = self
        let isSent = client?.usesDPoP == true
        cause.message =
            start
            + (isSent
                ? ", and its message names the DPoP proof, which the request contains."
                : ", and requires a DPoP proof.")
        cause.keys = Self.keysOfDPoP
        cause.advice =
            isSent
            ? "Compare client.dpop_bound_access_tokens with the client's registration, and the clock of this machine with the provider's."
            : "Configure client.dpop_bound_access_tokens: true if the platform sends DPoP proofs (RFC 9449); otherwise register the "
                + "client without it (dpop_bound_access_tokens: false)."
        cause.mayBeConfiguration = true
        return cause
    }

    /// The cause of a rejected token request, with the part of the client's authentication that the provider's message names, if it
    /// names one.
    func namingAuthentication(_ client: Client?, _ metadata: JSONObject?) -> Cause {
        let tokens = Set(NamedParameter.tokens(of: words))
        var error: String?
        if case .noTokens(_, let code) = identity { error = code }
        if isAboutProof { return needingDPoP(message.withoutFullStop, client) }
        if signInStep == .codeRedemption, let cause = namingVerifier(client) { return cause }
        let isOfAssertion = client?.authentication.usesAssertion == true ? Self.ofAssertions : []
        let missing = NamedParameter.reportedAsMissing(in: words ?? "", false)
        if signInStep == .codeRedemption, let missing, ["client_id", "client_secret"].contains(missing), let client,
            [.clientSecretBasic, .clientSecretPost].contains(client.authentication)
        {
            if let cause = namingMethodOfDocument(client, metadata) { return cause }
            let isInHeader = client.authentication == .clientSecretBasic
            let other: ClientAuthentication = isInHeader ? .clientSecretPost : .clientSecretBasic
            let place = isInHeader ? "Authorization header" : "body"
            return blamingMethod(
                ", and its message names \(missing), which the request contains only in the \(place).",
                advice: "Configure client.authentication: \(other.rawValue), if the client is registered for it."
            )
        }
        if error != nil || signInStep == .codeRedemption,
            let name = missing, !Self.ofTokenRequests.contains(name),
            !isOfAssertion.contains(name)
        {
            var cause = self
            let isResource = name == "resource"
            cause.message =
                message.withoutFullStop + ", and its message names \(name), which the request does not contain."
            cause.keys = [isResource ? "resource" : "token_parameters"]
            cause.advice =
                "Configure \(isResource ? "resource: URL" : "token_parameters: { \(name): VALUE }"), and make the client send it. "
                + "The provider's documentation lists the values."
            cause.mayBeConfiguration = true
            return cause
        }
        guard let client else { return self }
        let ofError = (error ?? "").split(separator: "_").map(String.init)
        if signInStep == .codeRedemption, !tokens.union(ofError).isDisjoint(with: ["secret", "client_secret"]) {
            if let cause = namingMethodOfDocument(client, metadata) { return cause }
            var cause = self
            cause.message = message.withoutFullStop + ", and its message names the client's secret."
            cause.keys = Self.credentialKeys(client)
            cause.advice = Self.credentialAdvice(client) + "."
            cause.mayBeConfiguration = true
            return cause
        }
        let methods = ClientAuthentication.allCases.filter { tokens.contains($0.rawValue) && $0 != .none }
        let other = methods.filter { $0 != client.authentication }
        // A message that names only the method in use does not say that the method is wrong, and not the secret.
        guard methods.isEmpty || other.isEmpty && signInStep == .clientAuthentication else {
            return blamingMethod(
                ", and its message names client authentication.",
                advice: other.count == 1
                    ? "Configure client.authentication: \(other[0].rawValue), if the client is registered for it."
                    : "Compare client.authentication: \(client.authentication.rawValue) with the client's registration."
            )
        }
        if signInStep == .clientAuthentication, let cause = namingMethodOfDocument(client, metadata) { return cause }
        return namingAssertionPart(client, tokens, metadata)
    }

    private func blamingMethod(_ end: String, advice: String) -> Cause {
        var cause = self
        cause.message = message.withoutFullStop + end
        cause.keys = Self.keysOfMethod
        cause.advice = advice
        cause.mayBeConfiguration = true
        return cause
    }

    /// The cause of a code that is rejected because of PKCE (RFC 7636), which the configuration leaves out or sends; `nil` for others.
    ///
    /// A provider that compares the verifier wrongly is no mistake of the configuration.
    private func namingVerifier(_ client: Client?) -> Cause? {
        let text = (words ?? "").lowercased()
        let isNamed = ["code_verifier", "pkce", "proof key for code exchange"].contains { text.contains($0) }
        var cause = self
        cause.keys = ["client.pkce"]
        cause.mayBeConfiguration = true
        if client?.sendsPKCE == false {
            guard isNamed else { return nil }
            cause.message =
                message.withoutFullStop + ", and its message names PKCE, which client.pkce: false leaves out."
            cause.advice = Self.pkceAdvice
            return cause
        }
        guard isNamed, rejectsParameter else { return nil }
        cause.message = message.withoutFullStop + ", and its message names code_verifier, which the request contains."
        cause.advice = Self.adviceWithoutPKCE
        return cause
    }

    private static let adviceWithoutPKCE = "Configure client.pkce: false, if the platform sends no code_challenge."

    /// Whether the provider's message says that it does not accept the parameter.
    private var rejectsParameter: Bool {
        let text = (words ?? "").lowercased()
        return ["unsupported", "not supported", "unknown", "unexpected", "unrecogni", "not allowed", "not permitted"]
            .contains(where: text.contains)
    }

    /// The cause with the methods that the discovery document lists; `nil` if it lists the client's, or none that is known here.
    private func namingMethodOfDocument(_ client: Client, _ metadata: JSONObject?) -> Cause? {
        let member = "token_endpoint_auth_methods_supported"
        guard client.authentication != .none,
            let listed = metadata?[member]?.arrayValue?.compactMap(\.stringValue),
            !listed.contains(client.authentication.rawValue)
        else { return nil }
        let known = ClientAuthentication.allCases.filter { $0 != .none && listed.contains($0.rawValue) }
        guard !known.isEmpty else { return nil }
        var cause = self
        cause.message = message.withoutFullStop + ", and \(member) does not list \(client.authentication.rawValue)."
        cause.keys = Self.keysOfMethod
        let methods = known.map(\.rawValue).joined(separator: " or ")
        cause.advice = "Configure client.authentication: \(methods), if the client is registered for it."
        cause.mayBeConfiguration = true
        return cause
    }

    /// The keys of a cause that says that the algorithm of the client's assertions is not the registered one.
    package static let keysOfAlgorithm = ["client.token_endpoint_auth_signing_alg"]

    private static func adviceForAlgorithm(_ listed: [String]) -> String {
        "Configure client.token_endpoint_auth_signing_alg with the registered algorithm, and a key for it"
            + (listed.isEmpty ? "." : ": the provider lists \(listed.prefix(8).joined(separator: ", ").shown()).")
    }

    /// The keys of a cause that says that the client's method is not the registered one.
    package static let keysOfMethod = ["client.authentication"]

    /// The parameters of a token request that the configuration does not add (RFC 6749 section 4.1.3, RFC 7521 section 4.2).
    private static let ofTokenRequests: Set = [
        "grant_type", "code", "redirect_uri", "client_id", "client_secret", "client_assertion", "client_assertion_type",
        "code_verifier",
    ]

    /// The parts of a client assertion that a message can name (RFC 7523 section 3, RFC 7515 section 4.1).
    private static let ofAssertions: Set = ["aud", "alg", "kid", "iss", "sub", "exp", "iat", "nbf", "jti"]

    private func namingAssertionPart(_ client: Client, _ tokens: Set<String>, _ metadata: JSONObject?) -> Cause {
        guard client.authentication.usesAssertion else { return self }
        var cause = self
        var tokens = tokens
        // Another error may be about the algorithm of a challenge, or about the audience of a token.
        if case .error(let error) = identity, error != "invalid_client" { tokens.subtract(["algorithm", "audience"]) }
        let part: String
        let listed = metadata?["token_endpoint_auth_signing_alg_values_supported"]?.strings ?? []
        if !tokens.isDisjoint(with: ["aud", "audience"]) {
            let other: AssertionAudience = client.assertionAudience == .issuer ? .tokenEndpoint : .issuer
            part = "aud"
            cause.keys = ["client.assertion_audience"]
            cause.advice =
                "Configure client.assertion_audience: \(other.rawValue), if the platform's assertions have that audience."
        } else if !tokens.isDisjoint(with: ["alg", "algorithm"]) {
            part = "alg"
            cause.keys = Self.keysOfAlgorithm
            cause.advice = Self.adviceForAlgorithm(listed)
        } else if tokens.contains("kid") {
            part = "kid"
            cause.keys = ["client.private_key"]
            cause.advice =
                "Configure client.private_key as a JWK with the kid of the registered key: the assertion's header contains it."
        } else if signInStep == .clientAuthentication, let own = client.assertionAlgorithm, !listed.isEmpty,
            !listed.contains(own)
        {
            cause.message =
                message.withoutFullStop
                + ", and token_endpoint_auth_signing_alg_values_supported does not list \(own), with which the client signs."
            cause.keys = Self.keysOfAlgorithm
            cause.advice = Self.adviceForAlgorithm(listed)
            return cause
        } else {
            return self
        }
        cause.message = message.withoutFullStop + ", and its message names \(part) of the client assertion."
        cause.mayBeConfiguration = true
        return cause
    }
}
