import JSONTree

extension JWS {
    /// Throws unless the signature is that of the key, by the header's algorithm.
    ///
    /// The algorithm must be implemented, be the expected one if one is given, and agree with the key's type, curve,
    /// `alg`, `use` and `key_ops`; the key must be long enough. `none` never verifies.
    package func verify(with key: PublicKey, algorithm expected: JWSAlgorithm? = nil) throws(JOSEError) {
        let algorithm = try agreedAlgorithm(expected, key.attributes, key.curve)
        guard algorithm.accepts(key.type, key.curve) else { throw unsuitable(algorithm, key.type, key.curve) }
        // RFC 7518 sections 3.3 and 3.5: "A key of size 2048 bits or larger MUST be used".
        guard key.type != .rsa || key.bits >= 2_048 else {
            throw JOSEError(.weakKey, "the RSA key has \(key.bits) bits, fewer than 2048")
        }
        guard try key.isValid(signature, over: signingInput, algorithm: algorithm) else { throw mismatch }
    }

    /// Throws unless the message authentication code is that of the key; see the other `verify`.
    package func verify(with key: SymmetricKey, algorithm expected: JWSAlgorithm? = nil) throws(JOSEError) {
        let algorithm = try agreedAlgorithm(expected, key.attributes, nil)
        guard algorithm.isSymmetric else { throw unsuitable(algorithm, .oct, nil) }
        // RFC 7518 section 3.2: "A key of the same size as the hash output … or larger MUST be used".
        guard key.bytes.count >= algorithm.hash.length else {
            throw JOSEError(
                .weakKey,
                "the symmetric key has \(key.bytes.count) bytes, fewer than \(algorithm.hash.length)"
            )
        }
        guard try key.isValid(signature, over: signingInput, algorithm: algorithm) else { throw mismatch }
    }

    /// Throws unless the signature is that of the key; see the other `verify`.
    package func verify(with key: KeyMaterial, algorithm expected: JWSAlgorithm? = nil) throws(JOSEError) {
        switch key {
        case .public(let key): try verify(with: key, algorithm: expected)
        case .private(let key): try verify(with: key.publicKey, algorithm: expected)
        case .symmetric(let key): try verify(with: key, algorithm: expected)
        }
    }

    /// Throws unless exactly one key of the set matches the header and the signature is its; returns that key.
    ///
    /// A set that mixes symmetric with asymmetric keys is rejected: a symmetric key in a public set is not secret.
    @discardableResult
    package func verify(with keySet: JWKSet, algorithm expected: JWSAlgorithm? = nil) throws(JOSEError) -> JWK {
        let symmetric = keySet.keys.filter { $0.keyType == .oct }.count
        guard symmetric == 0 || symmetric == keySet.keys.count else {
            throw JOSEError(.unsuitableKey, "the key set mixes symmetric and asymmetric keys")
        }
        let candidates = keySet.candidates(kid: kid, algorithm: try knownAlgorithm())
        guard let key = candidates.first, candidates.count == 1 else {
            throw JOSEError(.noSingleKey, "\(candidates.count) keys of the set match the header, not 1")
        }
        try verify(with: try key.key(), algorithm: expected)
        return key
    }

    private var mismatch: JOSEError { JOSEError(.signatureMismatch, "the signature does not match") }

    private func knownAlgorithm() throws(JOSEError) -> JWSAlgorithm {
        if let algorithm { return algorithm }
        throw JOSEError(.unsupported, "the algorithm \"\(algorithmName ?? "")\" does not verify here")
    }

    private func agreedAlgorithm(
        _ expected: JWSAlgorithm?,
        _ attributes: KeyAttributes,
        _ curve: Curve?
    ) throws(JOSEError) -> JWSAlgorithm {
        let algorithm = try knownAlgorithm()
        if let expected, !algorithm.agrees(with: expected.rawValue, curve: curve) {
            throw JOSEError(.unsuitableKey, "the header says \(algorithm.rawValue), expected is \(expected.rawValue)")
        }
        if let declared = attributes.algorithm, !algorithm.agrees(with: declared, curve: curve) {
            throw JOSEError(.unsuitableKey, "the header says \(algorithm.rawValue), the key is for \"\(declared)\"")
        }
        try attributes.allow(.verify)
        try checkCriticalMembers()
        return algorithm
    }

    /// Throws unless every member that must be understood is (RFC 7515 section 4.1.11).
    ///
    /// Only `b64` is understood, and it must be listed to count (RFC 7797 section 6).
    private func checkCriticalMembers() throws(JOSEError) {
        let protected = protectedHeader.root
        guard let crit = protected["crit"] else {
            guard protected["b64"] == nil else { throw JOSEError(.malformed, "the header has b64 without crit") }
            return
        }
        guard let names = crit.strings, !names.isEmpty, Set(names).count == names.count else {
            throw JOSEError(.malformed, "the member crit is not an array of different names")
        }
        for name in names {
            guard protected[name] != nil else { throw JOSEError(.malformed, "crit names the absent member \(name)") }
            guard name == "b64" else { throw JOSEError(.unsupported, "the critical member \(name) is not supported") }
            guard protected[name]?.boolValue != nil else { throw JOSEError(.malformed, "b64 is not a boolean") }
        }
    }
}
