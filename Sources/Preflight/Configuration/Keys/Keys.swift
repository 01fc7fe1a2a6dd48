internal import Catalogue
internal import Conformance
internal import JOSE
internal import Profiles

/// Every key of `preflight.yaml`.
package enum Keys {
    static let issuer = ConfigurationKey(
        "issuer",
        .text(examples: ["https://idp.example.com"]),
        "The issuer, byte for byte as it is to be registered. An issuer on the command line wins over it.",
        isRequired: true
    )
    static let profile = ConfigurationKey(
        "profile",
        .oneOrList(.text(pattern: ProfileNames.pattern, examples: ProfileLibrary.builtIn.map(\.name))),
        "The relying platform's rules: a built-in name, a file, or several of them. --profile wins over it. Default: openid."
    )
    static let client = ConfigurationKey(
        "client",
        .mapping(Client.all),
        "The client registered at the provider. With a redirect_uri it makes the tier unauthenticated possible."
    )
    static let redirectURI = ConfigurationKey(
        "redirect_uri",
        .text(examples: ["https://my-project.firebaseapp.com/__/auth/handler"]),
        "Exactly as registered at the provider. It is never fetched: production addresses can be used."
    )
    static let otherRedirectURIs = ConfigurationKey(
        "other_redirect_uris",
        .list(.text()),
        "What else the client registered: these are rightly taken, and no check demands that they are refused."
    )
    static let endpoints = ConfigurationKey(
        "endpoints",
        .mapping(Endpoints.all),
        "Addresses that no discovery document states, by the name of their metadata member."
    )
    static let scopes = ConfigurationKey(
        "scopes",
        .list(.text(examples: ["openid", "email", "profile", "offline_access"])),
        "The scopes asked for; openid among them, unless the provider is none of OpenID Connect. Default: [openid]."
    )
    static let customParameters = ConfigurationKey(
        "custom_parameters",
        .pairs(.text()),
        "What the relying platform adds to the authorization request."
    )
    static let flows = ConfigurationKey(
        "flows",
        .list(ResponseTypes.kind),
        "The response types to sign in with, one sign-in each. With sign_in they make the tier full possible."
    )
    static let clients = ConfigurationKey(
        "clients",
        .pairs(keys: ResponseTypes.kind, .mapping(Client.all)),
        "Another client for a response type that the first is not registered for."
    )
    static let otherClient = ConfigurationKey(
        "other_client",
        .mapping(Client.all),
        "A second registration, with which codes and tokens of the first are tried, and must be refused."
    )
    static let registration = ConfigurationKey(
        "registration",
        .mapping(Registration.all),
        "What is entered at the relying platform."
    )
    static let dynamicRegistration = ConfigurationKey(
        "dynamic_registration",
        .mapping(DynamicRegistration.all),
        "Clients that the run registers at the provider's registration_endpoint, uses, and deletes again."
    )
    static let logout = ConfigurationKey("logout", .mapping(Logout.all), "How the client's users log out.")
    static let signIn = ConfigurationKey(
        "sign_in",
        .mapping(SignIn.all),
        "A test user of the provider, and what to do at pages that are not recognised."
    )
    static let waivers = ConfigurationKey(
        "waivers",
        .list(.mapping(Waiver.all)),
        "Findings that are known and accepted for a time."
    )
    static let limits = ConfigurationKey("limits", .mapping(Limits.all), "What a run may spend.")
    static let network = ConfigurationKey(
        "network",
        .mapping(Network.all),
        "How the provider is reached, and how long a request may take."
    )

    /// Not among ``all``: a target has no targets.
    static let targets = ConfigurationKey(
        "targets",
        .pairs(.mapping(all)),
        "Several targets by name, staging and production for instance: each has any of the keys of this file, which hold in the "
            + "place of what stands beside “targets”. ~ takes a common value away. --target chooses."
    )

    /// The keys of the file that a target may have as well.
    package static let all = [
        issuer, profile, client, redirectURI, otherRedirectURIs, endpoints, scopes, customParameters, flows, clients,
        otherClient, registration, dynamicRegistration, logout, signIn, waivers, limits, network,
    ]

    /// Whether the keys lead to a secret, which is replaced as a whole: half of it comes from nowhere.
    static func isSecret(_ path: ArraySlice<String>, in keys: [ConfigurationKey]) -> Bool {
        guard let key = keys.first(where: { $0.name == path.first }) else { return false }
        var rest = path.dropFirst()
        var kind = key.kind
        if case .pairs(_, let value) = kind, !rest.isEmpty {
            kind = value
            rest = rest.dropFirst()
        }
        switch kind {
        case .secret: return rest.isEmpty
        case .mapping(let inner): return isSecret(rest, in: inner)
        default: return false
        }
    }

    enum Secret {
        static let env = ConfigurationKey("env", .text(), "The variable of the environment that holds it.")
        static let file = ConfigurationKey("file", .text(), "The file that holds it, beside this one.")
    }

    enum Client {
        static let id = ConfigurationKey("id", .text(), "The client identifier at the provider.", isRequired: true)
        static let secret = ConfigurationKey(
            "secret",
            .secret,
            "Where the client's secret comes from: { env: NAME }, { file: PATH } or ${NAME}; never the text itself."
        )
        static let authentication = ConfigurationKey(
            "authentication",
            .word(ClientAuthentication.allCases.map(\.rawValue)),
            "How the client authenticates at the token endpoint. Default: client_secret_basic with a secret, "
                + "private_key_jwt with a key, else none."
        )
        static let privateKey = ConfigurationKey(
            "private_key",
            .secret,
            "A key in PEM form or a JWK, for private_key_jwt: { file: PATH } or { env: NAME }."
        )
        static let signingAlgorithm = ConfigurationKey(
            "token_endpoint_auth_signing_alg",
            .word(JWSAlgorithm.allCases.map(\.rawValue)),
            "What the client signs its assertions with. Default: HS256, or what the key is made for."
        )
        static let assertionAudience = ConfigurationKey(
            "assertion_audience",
            .word(AssertionAudience.allCases.map(\.rawValue)),
            "Whom client assertions name. Default: token_endpoint."
        )
        static let idTokenAlgorithm = ConfigurationKey(
            "id_token_signed_response_alg",
            .text(examples: ["RS256", "ES256", "PS256", "EdDSA"]),
            "The algorithm registered for ID Tokens. Default: RS256."
        )
        static let idTokenEncryption = ConfigurationKey(
            "id_token_encrypted_response_alg",
            .text(examples: ["RSA-OAEP-256", "ECDH-ES"]),
            "The algorithm registered for encrypting ID Tokens, which are not read then."
        )
        static let userInfoAlgorithm = ConfigurationKey(
            "userinfo_signed_response_alg",
            .text(examples: ["RS256", "ES256"]),
            "The algorithm registered for UserInfo, whose answer is a signed JWT then. Default: plain JSON."
        )
        static let pkce = ConfigurationKey(
            "pkce",
            .boolean,
            "false: no request of this client has a code challenge. Default: true, unless the platform avoids it."
        )
        static let all = [
            id, secret, authentication, privateKey, signingAlgorithm, assertionAudience, idTokenAlgorithm,
            idTokenEncryption, userInfoAlgorithm, pkce,
        ]
    }

    enum Endpoints {
        static let all = KnownAddress.members.map { member in
            ConfigurationKey(member, .text(), "The absolute URL of \(member).")
        }
    }

    enum Registration {
        static let providerID = ConfigurationKey(
            "provider_id",
            .text(examples: ["oidc.my-provider"]),
            "The platform's name for the provider."
        )
        static let responseTypes = ConfigurationKey(
            "response_types",
            .list(.text(examples: ["code", "id_token"])),
            "The response types switched on at the platform."
        )
        static let all = [providerID, responseTypes]
    }

    enum DynamicRegistration {
        static let enabled = ConfigurationKey(
            "enabled",
            .boolean,
            "true: the run registers clients and deletes them again. This changes the provider's state.",
            isRequired: true
        )
        static let initialAccessToken = ConfigurationKey(
            "initial_access_token",
            .secret,
            "What registering takes where it is not open: { env: NAME }, { file: PATH } or ${NAME}."
        )
        static let documentListener = ConfigurationKey(
            "document_listener",
            .text(examples: ["127.0.0.1:8766"]),
            "HOST:PORT at which this machine serves documents of registered clients, for the provider to fetch."
        )
        static let documentsAt = ConfigurationKey(
            "documents_at",
            .text(examples: ["https://tunnel.example.com"]),
            "The address under which the provider reaches document_listener; without it the very place, over http."
        )
        static let all = [enabled, initialAccessToken, documentListener, documentsAt]
    }

    enum Logout {
        static let postLogoutRedirectURI = ConfigurationKey(
            "post_logout_redirect_uri",
            .text(examples: ["https://app.example.com/signed-out"]),
            "Where the client's users come back to after logout, exactly as registered; never fetched. Two sign-ins more."
        )
        static let backChannelListener = ConfigurationKey(
            "back_channel_listener",
            .text(examples: ["127.0.0.1:8765"]),
            "HOST:PORT at which this machine takes what is sent to the client's backchannel_logout_uri."
        )
        static let all = [postLogoutRedirectURI, backChannelListener]
    }

    enum Waiver {
        static let check = ConfigurationKey(
            "check",
            .word(Catalogue.all.map(\.id.rawValue), others: CheckID.formerNames),
            "The check whose findings are accepted.",
            isRequired: true
        )
        static let because = ConfigurationKey(
            "because",
            .text(),
            "Why they are accepted; the reason stands in every report.",
            isRequired: true
        )
        static let until = ConfigurationKey(
            "until",
            .text(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", examples: ["2027-03-31"]),
            "The last day on which they are accepted (UTC)."
        )
        static let all = [check, because, until]
    }

    enum Limits {
        static let requests = ConfigurationKey(
            "requests",
            .wholeNumber(1...1_000_000_000_000),
            "How many requests a run may send (--max-requests). Default: 1500."
        )
        static let bytes = ConfigurationKey(
            "bytes",
            .wholeNumber(1...1_000_000_000_000),
            "How many bytes of answers a run may receive (--max-bytes). Default: 100000000."
        )
        static let seconds = ConfigurationKey(
            "seconds",
            .duration,
            "How long a run may take (--max-time): 300s, or a number of seconds. Default: 300s, and the pauses."
        )
        static let signInsPerMinute = ConfigurationKey(
            "sign_ins_per_minute",
            .wholeNumber(1...600),
            "How many times a minute the run may sign in one user. Default: 8 in the first minute, then 10; more at first if `plan` announces more."
        )
        static let all = [requests, bytes, seconds, signInsPerMinute]
    }

    enum Network {
        static let caFile = ConfigurationKey(
            "ca_file",
            .text(),
            "A PEM file of authorities trusted besides the system's (--ca-file), relative to this file."
        )
        static let connectTimeout = ConfigurationKey(
            "connect_timeout",
            .duration,
            "How long a connection may take to come about: 10s, 1500ms. Default: 10s."
        )
        static let totalTimeout = ConfigurationKey(
            "total_timeout",
            .duration,
            "How long a request may take with its answer. Default: 30s."
        )
        static let pause = ConfigurationKey(
            "pause",
            .duration,
            "Between the end of one request and the start of the next, at most 60s; one request at a time is sent then."
        )
        static let bodyLimit = ConfigurationKey(
            "body_limit",
            .number(from: 0),
            "The most bytes of an answer's body, after decompression. Default: 2 MiB."
        )
        static let headerLimit = ConfigurationKey(
            "header_limit",
            .number(from: 0),
            "The most bytes of an answer's headers. Default: 64 KiB."
        )
        static let resolve = ConfigurationKey(
            "resolve",
            .list(.text(examples: ["idp.example.com:443:192.0.2.7"])),
            "HOST:PORT:ADDRESS, as curl has it (--resolve)."
        )
        static let connectTo = ConfigurationKey(
            "connect_to",
            .list(.text(examples: ["idp.example.com:443:127.0.0.1:8443"])),
            "HOST:PORT:ADDRESS:PORT, as curl has it (--connect-to)."
        )
        static let allowedHosts = ConfigurationKey(
            "allowed_hosts",
            .list(.text()),
            "Hosts that may have a private or loopback address though the issuer is elsewhere."
        )
        static let concurrency = ConfigurationKey(
            "concurrency",
            .wholeNumber(1...64),
            "How many conversations are held at the same time. Default: 8."
        )
        static let all = [
            caFile, connectTimeout, totalTimeout, pause, bodyLimit, headerLimit, resolve, connectTo, allowedHosts,
            concurrency,
        ]
    }
}

/// The response types that can be signed in with.
private enum ResponseTypes {
    /// In the usual order of their words; any other order is taken as well.
    static let kind = ConfigurationKind.word(
        ConfigurationReader.knownFlows,
        others: ConfigurationReader.knownFlows.flatMap { orders(of: $0.split(separator: " ").map(String.init)) }
            .filter { !ConfigurationReader.knownFlows.contains($0) }
    )

    private static func orders(of words: [String]) -> [String] {
        guard words.count > 1 else { return words }
        return words.flatMap { first in orders(of: words.filter { $0 != first }).map { "\(first) \($0)" } }
    }
}

/// What names profiles: built-in names and files, several by commas.
private enum ProfileNames {
    static let pattern: String = {
        let names = ProfileLibrary.builtIn.map(\.name).joined(separator: "|")
        let one = "[ \\t]*(?:(?:\(names))|[^,]*/[^,]*|[^,]+\\.ya?ml)[ \\t]*"
        return "^\(one)(?:,\(one))*$"
    }()
}
