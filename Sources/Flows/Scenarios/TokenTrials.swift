import Conformance
import JOSE
import JSONTree

/// The published keys, created once, and the results of verifying ID Tokens with them.
struct TokenTrials: Sendable {
    private struct Candidate: Sendable {
        var key: SignatureTrial.Key
        var type: KeyType
        var curve: Curve?
        var jwk: JWK
        var material: Result<PublicKey, JOSEError>?
    }

    private let candidates: [Candidate]
    /// Applied to the content of the tokens before it is kept.
    private let redactor: Redactor

    /// - Parameters:
    ///   - keySet: The bytes of the published set; `nil` when there is none.
    ///   - later: The set as it was later in the run. A client requests it again for a `kid` that it does not know (Core section
    ///     10.1.1), and for no other reason: only such keys count.
    ///   - redactor: Knows the secrets of the run.
    init(keySet: [UInt8]?, later: [UInt8]? = nil, redactor: Redactor) {
        self.redactor = redactor
        let elements = { (bytes: [UInt8]?) in
            bytes.flatMap { try? JSONDocument.parse($0).root["keys"]?.arrayValue } ?? []
        }
        let first = elements(keySet)
        let known = Set(first.compactMap { $0["kid"]?.stringValue })
        let all =
            first.enumerated().map { (SignatureTrial.Key.published($0), $1) }
            + elements(later).enumerated()
            .filter { $0.element["kid"]?.stringValue.map { !known.contains($0) } ?? false }
            .map { (SignatureTrial.Key.publishedLater($0), $1) }
        candidates =
            all.compactMap { place, element in
                guard let jwk = JWK(element), let type = jwk.keyType else { return nil }
                // Encoding errors are checked with the key set; here they must not hide which key signed.
                let key: Result<PublicKey, JOSEError>? =
                    type == .oct
                    ? nil : Result { () throws(JOSEError) in try jwk.publicKey(leniently: true) }
                return Candidate(key: place, type: type, curve: jwk.curve, jwk: jwk, material: key)
            }
    }

    func facts(about token: CollectedRun.PendingToken) -> TokenFacts {
        let compact = token.compact.reveal()
        let parts = compact.compactParts
        if parts.count == 5, !token.decryptionKeys.isEmpty { return decrypted(token, parts) }
        // Text that is not JSON is not a token but perhaps a secret with dots: nothing of it is kept.
        let headerBytes = parts.count > 1 ? Self.bytes(parts[0]) : nil
        let isJSON = headerBytes.map { (try? JSONDocument.parse($0)) != nil } ?? false
        let header = headerBytes.flatMap(Self.object)
        let claims = isJSON && parts.count == 3 ? Self.bytes(parts[1]) : nil
        let algorithm = header?["alg"]?.stringValue.flatMap(JWSAlgorithm.init(rawValue:))
        let kid = header?["kid"]?.stringValue
        let trials = algorithm.map { self.trials(of: parts, $0, kid, clientSecret: token.clientSecret) } ?? []
        let curve = trials.first(where: \.isVerified).flatMap(curve)
        let hash = { (secret: Secret?) -> String? in
            guard let secret, let algorithm else { return nil }
            return Hashes.leftmostHalfHash(of: secret.reveal(), algorithm: algorithm, curve: curve)
        }
        var facts = TokenFacts(
            partCount: compact.compactPartCount,
            partFaults: parts.map(Self.fault),
            header: isJSON ? headerBytes.map(body) : nil,
            claims: claims.map(kept),
            trials: trials,
            expectedAccessTokenHash: hash(token.accessToken),
            expectedCodeHash: hash(token.code),
            receivedAt: token.receivedAt
        )
        if let algorithm, let length = algorithm.curve?.length, !trials.contains(where: \.isVerified), parts.count == 3,
            let signature = Self.bytes(parts[2]).flatMap({ Self.numbers(inDER: $0, length: length) })
        {
            let fixed = [parts[0], parts[1], Base64URL.encode(signature)[...]]
            let isInDER = self.trials(of: fixed, algorithm, kid, clientSecret: nil).contains(where: \.isVerified)
            facts.isSignedInDER = isInDER ? true : nil
        }
        return facts
    }

    /// R and S of an ECDSA-Sig-Value in DER (RFC 3279 section 2.2.3), each of so many bytes; `nil` for anything else.
    private static func numbers(inDER bytes: [UInt8], length: Int) -> [UInt8]? {
        var rest = bytes[...]
        func take(_ tag: UInt8) -> ArraySlice<UInt8>? {
            guard rest.popFirst() == tag, var size = rest.popFirst().map(Int.init) else { return nil }
            if size == 0x81 { size = rest.popFirst().map(Int.init) ?? -1 }
            guard size >= 0, size <= rest.count else { return nil }
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size)
        }
        guard let sequence = take(0x30), rest.isEmpty else { return nil }
        rest = sequence
        var numbers: [UInt8] = []
        for _ in 0..<2 {
            guard let number = take(0x02).map({ $0.drop { $0 == 0 } }), number.count <= length else { return nil }
            numbers += Array(repeating: 0, count: length - number.count) + number
        }
        return rest.isEmpty ? numbers : nil
    }

    /// The token inside a JWE, opened with whichever of the client's keys fits.
    private func decrypted(_ token: CollectedRun.PendingToken, _ parts: [Substring]) -> TokenFacts {
        let compact = token.compact.reveal()
        var inner = token
        inner.decryptionKeys = []
        var failure = "the client has no key of the right kind"
        var isOpen = false
        for key in token.decryptionKeys where !isOpen {
            do throws(JOSEError) {
                let plaintext = try JWE.parse(compact: compact).decrypt(with: .private(key))
                inner.compact = Secret(String(decoding: plaintext, as: UTF8.self))
                isOpen = true
            } catch {
                // A key of another kind shows nothing about the JWE.
                if error.code != .unsuitableKey { failure = "\(error)" }
            }
        }
        var facts = facts(about: inner)
        if isOpen, let claims = Self.object(Array(inner.compact.reveal().utf8)) {
            // UserInfo may be encrypted without being signed (Core section 5.3.2).
            facts.partCount = 1
            facts.claims = body(Array(claims.serialized().utf8))
        }
        let header = parts.first.flatMap(Self.bytes)
        facts.encryption = EncryptionFacts(
            partCount: parts.count,
            header: header.flatMap(Self.object) == nil ? nil : header.map(body),
            failure: isOpen ? nil : failure
        )
        return facts
    }

    private func body(_ bytes: [UInt8]) -> Body { Body(redactor.redact(json: bytes)) }

    /// The limit in bytes above which only JSON is kept: all that matters about other content is that it is not JSON.
    private static let mostOfNoJSON = 4_096

    /// The claims as received; of content that is not JSON, the beginning and a mark that makes it invalid JSON.
    private func kept(_ claims: [UInt8]) -> Body {
        guard claims.count > Self.mostOfNoJSON, (try? JSONDocument.parse(claims)) == nil else { return body(claims) }
        return body(claims.prefix(Self.mostOfNoJSON) + Array("…".utf8))
    }

    /// The curve of the key that verified, which decides the hash of EdDSA.
    private func curve(_ trial: SignatureTrial) -> Curve? {
        candidates.first { $0.key == trial.key }?.curve
    }

    // MARK: Parts

    private static func fault(_ part: Substring) -> String? {
        do throws(Base64Error) {
            _ = try Base64URL.decode(part)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The strictly decoded bytes, or else a lenient decoding, so that the rest can still be checked.
    private static func bytes(_ part: Substring) -> [UInt8]? {
        (try? Base64URL.decode(part)) ?? Base64URL.decodeLeniently(part)
    }

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        try? JSONDocument.parse(bytes).root.objectValue
    }

    // MARK: Signatures

    private func trials(
        of parts: [Substring],
        _ algorithm: JWSAlgorithm,
        _ kid: String?,
        clientSecret: Secret?
    ) -> [SignatureTrial] {
        guard parts.count == 3 else { return [] }
        let signed = Array((parts[0] + "." + parts[1]).utf8)
        let signature = Self.bytes(parts[2]) ?? []
        var trials: [SignatureTrial] = []
        // `use`, `alg` and `kid` are not used here: the key that really signed is the fact, and its intended use is a check.
        for candidate in candidates where algorithm.accepts(candidate.type, candidate.curve) {
            // A key that came later is requested for the token that names it.
            if case .publishedLater = candidate.key, candidate.jwk.kid != kid { continue }
            trials.append(
                Self.trial(candidate.key) { () throws(JOSEError) in
                    switch candidate.material {
                    case .success(let key)?:
                        try key.isValid(signature, over: signed, algorithm: algorithm)
                    case .failure(let error)?: throw error
                    case nil:
                        try candidate.jwk.symmetricKey().isValid(signature, over: signed, algorithm: algorithm)
                    }
                }
            )
        }
        if algorithm.isSymmetric, let clientSecret {
            let key = SymmetricKey(Array(clientSecret.reveal().utf8))
            trials.append(
                Self.trial(.clientSecret) { () throws(JOSEError) in
                    try key.isValid(signature, over: signed, algorithm: algorithm)
                }
            )
        }
        return trials
    }

    private static func trial(
        _ key: SignatureTrial.Key,
        _ isValid: () throws(JOSEError) -> Bool
    ) -> SignatureTrial {
        do throws(JOSEError) {
            let isVerified = try isValid()
            return SignatureTrial(
                key: key,
                isVerified: isVerified,
                reason: isVerified ? nil : "the signature does not match"
            )
        } catch {
            return SignatureTrial(key: key, isVerified: false, reason: "\(error)")
        }
    }
}
