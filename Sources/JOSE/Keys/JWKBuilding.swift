import COpenSSL
import JSONTree

/// A key that was built from a JWK.
package enum KeyMaterial: Sendable {
    case `public`(PublicKey)
    case `private`(PrivateKey)
    case symmetric(SymmetricKey)

    /// The public half; nil for a symmetric key.
    package var publicKey: PublicKey? {
        switch self {
        case .public(let key): key
        case .private(let key): key.publicKey
        case .symmetric: nil
        }
    }
}

extension JWK {
    /// The key, whichever kind it is; with private values a pair, else public.
    package func key() throws(JOSEError) -> KeyMaterial {
        if try requireType() == .oct { return .symmetric(try symmetricKey()) }
        return object.has("d") ? .private(try privateKey()) : .public(try publicKey())
    }

    /// The public key, its private values not looked at.
    ///
    /// Strictly, integers have no leading zero bytes (RFC 7518 section 2) and coordinates their full length (section 6.2.1.2).
    /// `leniently` allows these and padded base64, so that the rest can still be checked.
    package func publicKey(leniently: Bool = false) throws(JOSEError) -> PublicKey {
        let reader = Reader(jwk: self, lenient: leniently)
        let type = try requireType()
        let attributes = object.has("d") ? KeyAttributes(self).ofPublicHalf : KeyAttributes(self)
        switch type {
        case .rsa:
            let handle = try KeyHandle.build("RSA", isPrivate: false, try reader.rsaPublic())
            return PublicKey(handle: handle, type: .rsa, curve: nil, attributes: attributes)
        case .ec:
            let curve = try requireCurve(of: .ec)
            let point = try reader.point(curve)
            let handle = try reader.onCurve(curve) { () throws(JOSEError) in
                try KeyHandle.build(
                    "EC",
                    isPrivate: false,
                    [
                        .text(OSSL_PKEY_PARAM_GROUP_NAME, curve.openSSLName),
                        .bytes(OSSL_PKEY_PARAM_PUB_KEY, point),
                    ]
                )
            }
            return PublicKey(handle: handle, type: .ec, curve: curve, attributes: attributes)
        case .okp:
            let curve = try requireCurve(of: .okp)
            let bytes = try reader.fixed("x", curve.length)
            let pointer = EVP_PKEY_new_raw_public_key_ex(nil, curve.openSSLName, nil, bytes, bytes.count)
            let handle = try KeyHandle(pointer, "the bytes are not an \(curve.rawValue) key", code: .invalidKey)
            return PublicKey(handle: handle, type: .okp, curve: curve, attributes: attributes)
        case .oct: throw JOSEError(.invalidKey, "an oct key has no public half")
        }
    }

    /// The private key; its public values must belong to it.
    package func privateKey() throws(JOSEError) -> PrivateKey {
        let reader = Reader(jwk: self, lenient: false)
        let type = try requireType()
        let attributes = KeyAttributes(self)
        switch type {
        case .rsa:
            let handle = try KeyHandle.build("RSA", isPrivate: true, try reader.rsaPublic() + reader.rsaPrivate())
            return PrivateKey(handle: handle, type: .rsa, curve: nil, attributes: attributes)
        case .ec:
            let curve = try requireCurve(of: .ec)
            let point = try reader.point(curve)
            let secret = try reader.fixed("d", curve.length)
            let handle = try reader.onCurve(curve) { () throws(JOSEError) in
                try KeyHandle.build(
                    "EC",
                    isPrivate: true,
                    [
                        .text(OSSL_PKEY_PARAM_GROUP_NAME, curve.openSSLName),
                        .bytes(OSSL_PKEY_PARAM_PUB_KEY, point),
                        .integer(OSSL_PKEY_PARAM_PRIV_KEY, secret),
                    ]
                )
            }
            try handle.checkPair()
            return PrivateKey(handle: handle, type: .ec, curve: curve, attributes: attributes)
        case .okp:
            let curve = try requireCurve(of: .okp)
            let secret = try reader.fixed("d", curve.length)
            let pointer = EVP_PKEY_new_raw_private_key_ex(nil, curve.openSSLName, nil, secret, secret.count)
            let handle = try KeyHandle(pointer, "the bytes are not an \(curve.rawValue) key", code: .invalidKey)
            guard handle.rawPublicKey(length: curve.length) == (try reader.fixed("x", curve.length)) else {
                throw JOSEError(.invalidKey, "the private value does not belong to the public one")
            }
            return PrivateKey(handle: handle, type: .okp, curve: curve, attributes: attributes)
        case .oct: throw JOSEError(.invalidKey, "an oct key is symmetric, not private")
        }
    }

    /// The symmetric key, which must not be empty.
    package func symmetricKey() throws(JOSEError) -> SymmetricKey {
        guard try requireType() == .oct else { throw JOSEError(.invalidKey, "the key is not symmetric") }
        let bytes = try bytes(of: "k")
        guard !bytes.isEmpty else { throw JOSEError(.invalidKey, "the symmetric key is empty") }
        return SymmetricKey(bytes, attributes: KeyAttributes(self))
    }

    private func requireType() throws(JOSEError) -> KeyType {
        guard let kty else { throw JOSEError(.invalidKey, "the key has no kty that is a string") }
        guard let keyType else { throw JOSEError(.unsupported, "the key type \"\(kty)\" is not supported") }
        return keyType
    }

    private func requireCurve(of type: KeyType) throws(JOSEError) -> Curve {
        guard let crv else { throw JOSEError(.invalidKey, "the key has no crv that is a string") }
        guard let curve else { throw JOSEError(.unsupported, "the curve \"\(crv)\" is not supported") }
        guard curve.keyType == type else {
            throw JOSEError(.invalidKey, "the curve \(crv) does not belong to the key type \(type.rawValue)")
        }
        return curve
    }
}

/// Reads the values of a key for building.
private struct Reader {
    let jwk: JWK
    let lenient: Bool

    /// An unsigned integer without leading zero bytes.
    func integer(_ member: String) throws(JOSEError) -> [UInt8] {
        if lenient, let bytes = jwk.lenientBytes(of: member) { return BigNumber.trimmed(bytes) }
        let bytes = try jwk.bytes(of: member)
        guard bytes.first != 0, !bytes.isEmpty else {
            throw JOSEError(.encoding, "the member \(member) starts with a zero byte or is empty")
        }
        return bytes
    }

    /// Bytes of an exact length.
    func fixed(_ member: String, _ length: Int) throws(JOSEError) -> [UInt8] {
        if lenient, let bytes = jwk.lenientBytes(of: member), let padded = BigNumber.padded(bytes, to: length) {
            return padded
        }
        let bytes = try jwk.bytes(of: member)
        guard bytes.count == length else {
            throw JOSEError(.invalidKey, "the member \(member) has \(bytes.count) bytes, not \(length)")
        }
        return bytes
    }

    /// The uncompressed point of SEC 1 section 2.3.3.
    func point(_ curve: Curve) throws(JOSEError) -> [UInt8] {
        [4] + (try fixed("x", curve.length)) + (try fixed("y", curve.length))
    }

    /// Runs a build whose only further cause of failure is a point off its curve.
    func onCurve(_ curve: Curve, _ build: () throws(JOSEError) -> KeyHandle) throws(JOSEError) -> KeyHandle {
        do {
            return try build()
        } catch {
            guard error.code == .invalidKey else { throw error }
            throw JOSEError(.notOnCurve, "the point is not on \(curve.rawValue)")
        }
    }

    func rsaPublic() throws(JOSEError) -> [KeyHandle.Parameter] {
        let modulus = try integer("n")
        let exponent = try integer("e")
        let bits = BigNumber.bitCount(modulus)
        // OpenSSL refuses to verify with longer moduli, and each such attempt would cost seconds.
        guard (512...16_384).contains(bits) else {
            throw JOSEError(.invalidKey, "the RSA modulus has \(bits) bits, outside 512 to 16384")
        }
        guard let last = modulus.last, !last.isMultiple(of: 2) else {
            throw JOSEError(.invalidKey, "the RSA modulus is even")
        }
        guard let low = exponent.last, !low.isMultiple(of: 2), exponent != [1], exponent.count <= modulus.count else {
            throw JOSEError(.invalidKey, "the RSA exponent is even, one, or longer than the modulus")
        }
        guard lenient || !ROCA.fits(modulus) else {
            throw JOSEError(.weakKey, "the RSA key has the fingerprint of CVE-2017-15361 and can be factored")
        }
        return [.integer(OSSL_PKEY_PARAM_RSA_N, modulus), .integer(OSSL_PKEY_PARAM_RSA_E, exponent)]
    }

    func rsaPrivate() throws(JOSEError) -> [KeyHandle.Parameter] {
        guard !jwk.object.has("oth") else {
            throw JOSEError(.unsupported, "RSA keys with more than two primes are not supported")
        }
        var parameters: [KeyHandle.Parameter] = [.integer(OSSL_PKEY_PARAM_RSA_D, try integer("d"))]
        let factors = [
            ("p", KeyParameter.factor1), ("q", KeyParameter.factor2),
            ("dp", KeyParameter.exponent1), ("dq", KeyParameter.exponent2),
            ("qi", KeyParameter.coefficient1),
        ]
        let present = factors.filter { jwk.object.has($0.0) }
        // RFC 7518 section 6.3.2: with any of the five, all five must be there.
        guard present.isEmpty || present.count == factors.count else {
            throw JOSEError(.invalidKey, "the RSA key has some of p, q, dp, dq and qi but not all")
        }
        for (member, name) in present { parameters.append(.integer(name, try integer(member))) }
        return parameters
    }
}
