package import Conformance
internal import Flows
internal import Transport

/// Evidence from files, a token or an earlier run.
extension PreflightRun {
    /// The evidence as a file: JSON, with secrets replaced by placeholders.
    package static func encode(_ evidence: Evidence) throws -> [UInt8] {
        try evidence.encoded()
    }

    /// Evidence of an earlier run; throws the problem of an invalid file.
    package static func evidence(from bytes: [UInt8]) throws -> Evidence {
        try Evidence.decode(bytes)
    }

    /// Evidence from document files.
    ///
    /// - Parameters:
    ///   - documents: A discovery document, a key set or both.
    ///   - issuer: The issuer to be registered; `nil` for the issuer in the document.
    ///   - now: Seconds since 1970.
    package static func lintEvidence(_ documents: LintDocuments, issuer: String?, now: Double) -> Evidence {
        Flows.lintEvidence(
            discovery: documents.discovery.map { DocumentFile(name: $0.name, bytes: $0.bytes) },
            keys: documents.keys.map { DocumentFile(name: $0.name, bytes: $0.bytes) },
            issuer: issuer,
            tool: Tool.nameAndVersion,
            now: now
        )
    }

    /// Evidence from an ID Token and a key set file.
    package static func tokenEvidence(_ token: SuppliedToken, keys: (name: String, bytes: [UInt8])?) -> Evidence {
        Flows.tokenEvidence(
            token.content,
            keys: keys.map { DocumentFile(name: $0.name, bytes: $0.bytes) },
            tool: Tool.nameAndVersion,
            now: token.receivedAt
        )
    }

    /// Evidence from an ID Token and a fetched key set.
    ///
    /// If the key set cannot be fetched, the evidence contains the reason, and checks that need it are inconclusive.
    package static func tokenEvidence(
        _ token: SuppliedToken,
        keysAddress: String,
        configuration: Configuration
    ) async -> Evidence {
        var network = configuration.network
        // The user typed the address, so any host is allowed.
        if let host = WebURL(keysAddress)?.host { network.addressPolicy.allowedHosts.append(host) }
        let client = HTTPClient(configuration: network, over: configuration.way)
        defer { client.shutdown() }
        let exchange = await client.send(
            HTTPRequest(
                method: "GET",
                url: keysAddress,
                headers: [HTTPField(name: "Accept", value: "application/json")]
            )
        )
        var evidence: Evidence
        if let response = exchange.response, response.status == 200, exchange.failure == nil {
            evidence = tokenEvidence(token, keys: (keysAddress, response.body))
        } else {
            evidence = tokenEvidence(token, keys: nil)
            let why = exchange.failure.map { "\($0)" } ?? "HTTP status \(exchange.response?.status ?? 0)"
            evidence.keys = .absent("no key set from \(keysAddress.shown()): \(why)")
        }
        evidence.wasInterrupted = Task.isCancelled
        return evidence
    }
}

/// An ID Token to be checked alone, with the values of its sign-in.
package struct SuppliedToken: Sendable {
    let content: OfflineToken
    /// Seconds since 1970.
    package var receivedAt: Double

    package init(
        token: Secret,
        issuer: String,
        clientID: String,
        clientSecret: Secret? = nil,
        nonce: String? = nil,
        accessToken: Secret? = nil,
        code: Secret? = nil,
        receivedAt: Double
    ) {
        content = OfflineToken(
            idToken: token,
            issuer: issuer,
            clientID: clientID,
            clientSecret: clientSecret,
            nonce: nonce,
            accessToken: accessToken,
            code: code
        )
        self.receivedAt = receivedAt
    }

    package var token: Secret { content.idToken }

    package typealias NamedSecret = (name: String, secret: Secret?)

    /// The secrets to remove from reports, with their placeholder names.
    package var secrets: [NamedSecret] {
        [
            ("id_token", content.idToken), ("client secret", content.clientSecret),
            ("access_token", content.accessToken),
            ("code", content.code),
        ]
    }
}
