import Conformance
import JOSE
import JSONTree

/// The rules of the specifications for registration metadata (Registration section 2, RFC 7591 section 2).
struct RegistrationRules: Sendable {
    let metadata: JSONObject
    let offer: Offer
    /// The fetched documents, by URL.
    var documents: [String: [UInt8]] = [:]
    var looksIntoSectors = true

    /// Why the request is rejected; `nil` if it is valid.
    var error: OAuthError? { redirectError ?? valueError ?? sectorError ?? signingError ?? encryptionError }

    /// Whether the document at `sector_identifier_uri` lacks a redirect URI (Registration section 5).
    var isOutsideItsSector: Bool {
        guard let address = text("sector_identifier_uri") else { return false }
        let listed = documents[address].flatMap { try? JSONDocument.parse($0).root.strings } ?? []
        return !redirectURIs.allSatisfy(listed.contains)
    }

    /// The supported members, with defaults for omitted ones; others are ignored.
    var registered: JSONObject {
        var registered = JSONObject(metadata.members.filter { Self.known.contains($0.name) })
        registered["response_types"] = registered["response_types"] ?? ["code"]
        registered["grant_types"] = registered["grant_types"] ?? ["authorization_code"]
        registered["token_endpoint_auth_method"] = .string(method)
        registered["id_token_signed_response_alg"] =
            registered["id_token_signed_response_alg"] ?? .string(offer.idTokenAlgorithm.rawValue)
        registered["subject_type"] = registered["subject_type"] ?? "public"
        return registered
    }

    /// `client_secret_basic` is the default (Registration section 2).
    var method: String { text("token_endpoint_auth_method") ?? ClientAuthentication.clientSecretBasic.rawValue }

    var redirectURIs: [String] { metadata["redirect_uris"]?.strings ?? [] }

    private static let known: Set<String> = [
        "client_name", "redirect_uris", "response_types", "grant_types", "scope", "token_endpoint_auth_method", "jwks",
        "token_endpoint_auth_signing_alg", "subject_type", "id_token_signed_response_alg",
        "id_token_encrypted_response_alg", "id_token_encrypted_response_enc", "userinfo_signed_response_alg",
        "userinfo_encrypted_response_alg", "userinfo_encrypted_response_enc", "require_auth_time", "initiate_login_uri",
        "application_type", "post_logout_redirect_uris", "sector_identifier_uri", "jwks_uri", "request_uris",
    ]

    private var redirectError: OAuthError? {
        if redirectURIs.isEmpty { return OAuthError("invalid_redirect_uri", "redirect_uris is required") }
        // RFC 6749 section 3.1.2: absolute, and without a fragment.
        guard redirectURIs.allSatisfy({ $0.contains("://") && !$0.contains("#") }) else {
            return OAuthError("invalid_redirect_uri", "a redirect URI is relative or has a fragment")
        }
        guard redirectURIs.allSatisfy(fits) else {
            return OAuthError("invalid_redirect_uri", "a redirect URI does not fit the application type")
        }
        return nil
    }

    /// Registration section 2, `application_type`; RFC 8252 section 7.2 allows https for native applications too.
    private func fits(_ uri: String) -> Bool {
        let isPlain = uri.lowercased().hasPrefix("http://")
        let host = uri.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first.map(String.init) ?? ""
        let name = host.split(separator: ":").first.map(String.init) ?? host
        if text("application_type") == "native" {
            return !isPlain || ["localhost", "127.0.0.1"].contains(name) || host.hasPrefix("[::1]")
        }
        let types = metadata["response_types"]?.strings?.map { ResponseType($0) } ?? ["code"]
        return !types.contains(where: \.isFrontChannel) || (!isPlain && name != "localhost")
    }

    private var valueError: OAuthError? {
        if let uri = text("initiate_login_uri"), !uri.hasPrefix("https://") { return refused("initiate_login_uri") }
        let isKeyed =
            method == "private_key_jwt" && !offer.assertionAlgorithms.isEmpty
            && (metadata.has("jwks") || metadata.has("jwks_uri"))
        guard isKeyed || offer.authenticationMethods.contains(where: { $0.rawValue == method }) else {
            return refused("token_endpoint_auth_method")
        }
        let types = metadata["response_types"]?.strings?.map { ResponseType($0) } ?? ["code"]
        guard types.allSatisfy(offer.offers) else { return refused("response_types") }
        // Registration section 2, grant_types: those that the response types need "MUST be included".
        let grants = metadata["grant_types"]?.strings ?? ["authorization_code"]
        guard !types.contains(where: \.isFrontChannel) || grants.contains("implicit") else {
            return refused("grant_types")
        }
        guard offer.subjectTypes.contains(text("subject_type") ?? "public") else { return refused("subject_type") }
        return nil
    }

    private var sectorError: OAuthError? {
        guard looksIntoSectors, isOutsideItsSector else { return nil }
        return OAuthError("invalid_client_metadata", "a redirect URI is not listed at sector_identifier_uri")
    }

    private var signingError: OAuthError? {
        let offered = (offer.signingAlgorithms + offer.symmetricAlgorithms).map(\.rawValue)
        if let name = text("id_token_signed_response_alg"), !offered.contains(name) {
            return refused("id_token_signed_response_alg")
        }
        if let name = text("userinfo_signed_response_alg"),
            !offer.userInfoAlgorithms.contains(where: { $0.rawValue == name })
        {
            return refused("userinfo_signed_response_alg")
        }
        return nil
    }

    private var encryptionError: OAuthError? {
        let keys = metadata["jwks"]?["keys"]?.arrayValue?.compactMap { JWK($0) } ?? []
        for what in ["id_token", "userinfo"] {
            guard let name = text("\(what)_encrypted_response_alg") else { continue }
            guard offer.keyManagement.contains(where: { $0.rawValue == name }),
                ResponseEncryption(what, metadata, keys) != nil
            else { return refused("\(what)_encrypted_response_alg") }
        }
        return nil
    }

    private func refused(_ member: String) -> OAuthError {
        OAuthError("invalid_client_metadata", "\(member) is not supported as it is")
    }

    private func text(_ member: String) -> String? { metadata[member]?.stringValue }
}
