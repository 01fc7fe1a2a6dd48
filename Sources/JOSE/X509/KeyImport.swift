import COpenSSL

extension PrivateKey {
    /// A key from PEM text: PKCS #8, or the older forms of RSA and EC keys.
    ///
    /// Throws `invalidKey` for anything else, an encrypted key included: there is no prompt for its password.
    package init(pem text: String) throws(JOSEError) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: " ").joined(separator: " ") }
        guard let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") && $0.hasSuffix("PRIVATE KEY-----") }),
            let end = lines[begin...].firstIndex(where: { $0.hasPrefix("-----END ") })
        else { throw JOSEError(.invalidKey, "there is no private key in PEM form (-----BEGIN PRIVATE KEY-----)") }
        let body = lines[(begin + 1)..<end]
        if lines[begin].contains("ENCRYPTED") || body.contains(where: { $0.hasPrefix("Proc-Type") }) {
            throw JOSEError(.invalidKey, "the key is encrypted with a password: write it without one")
        }
        guard let der = try? Base64.decode(body.joined(separator: "")) else {
            throw JOSEError(.invalidKey, "the text between the PEM lines is not base64")
        }
        try self.init(der: der)
    }

    private init(der: [UInt8]) throws(JOSEError) {
        let pointer = der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return d2i_AutoPrivateKey(nil, &start, buffer.count)
        }
        let handle = try KeyHandle(pointer, "the bytes are not a private key", code: .invalidKey)
        if handle.isKind("RSA") {
            self.init(handle: handle, type: .rsa, curve: nil, attributes: KeyAttributes())
            return
        }
        guard let curve = Curve.allCases.first(where: { handle.isOn($0) }) else {
            throw JOSEError(.unsupported, "the key has a type or curve that JOSE does not define")
        }
        self.init(handle: handle, type: curve.keyType, curve: curve, attributes: KeyAttributes())
    }

    /// The algorithm that a key is made for: for RSA the most common one.
    package var usualAlgorithm: JWSAlgorithm? {
        if let name = attributes.algorithm { return JWSAlgorithm(rawValue: name) }
        switch type {
        case .rsa: return .rs256
        case .ec: return JWSAlgorithm.allCases.first { $0.keyType == .ec && $0.curve == curve }
        case .okp: return curve?.signs == true ? .edDSA : nil
        case .oct: return nil
        }
    }
}

extension KeyHandle {
    fileprivate func isOn(_ curve: Curve) -> Bool {
        guard curve.keyType == .ec else { return isKind(curve.openSSLName) }
        guard isKind("EC") else { return false }
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else {
            OpenSSLError.discard()
            return false
        }
        let group = String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let names: [Curve: [String]] = [
            .p256: ["P-256", "prime256v1"], .p384: ["P-384", "secp384r1"], .p521: ["P-521", "secp521r1"],
        ]
        return names[curve]?.contains(group) == true
    }
}
