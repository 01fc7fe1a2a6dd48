import COpenSSL

/// The content of a certificate to issue.
struct CertificateRequest {
    var commonName: String
    var validity: ClosedRange<Double>
    var isAuthority: Bool
    var dnsNames: [String] = []
    var ipAddresses: [String] = []

    /// The certificate for the key, signed by `signer`; without an issuer it names itself as one.
    func issue(
        for key: PublicKey,
        by issuer: Certificate?,
        signer: PrivateKey
    ) throws(JOSEError) -> Certificate {
        let certificate = try Owned(X509_new(), X509_free, "no certificate")
        let pointer = certificate.pointer
        try check(X509_set_version(pointer, 2))
        try setSerial(pointer)
        try setValidity(pointer)
        try check(X509_set_pubkey(pointer, key.handle.pointer))
        let name = X509_get_subject_name(pointer)
        try check(
            X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, commonName, Int32(commonName.utf8.count), -1, 0)
        )
        if let issuer {
            let parent = try Owned(Self.decoded(issuer.der), X509_free, "no issuer")
            try check(X509_set_issuer_name(pointer, X509_get_subject_name(parent.pointer)))
            try addExtensions(pointer, issuer: parent.pointer)
        } else {
            try check(X509_set_issuer_name(pointer, name))
            try addExtensions(pointer, issuer: pointer)
        }
        let digest = signer.type == .okp ? nil : EVP_sha256()
        guard X509_sign(pointer, signer.handle.pointer, digest) > 0 else {
            throw OpenSSLError.take("the certificate could not be signed", code: .certificate)
        }
        guard let der = DER.encoded({ i2d_X509(pointer, $0) }) else {
            throw JOSEError(.certificate, "the certificate could not be encoded")
        }
        return try Certificate.parse(der: der)
    }

    private static func decoded(_ der: [UInt8]) -> OpaquePointer? {
        der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return d2i_X509(nil, &start, buffer.count)
        }
    }

    /// A random positive number of 127 bits (RFC 5280 section 4.1.2.2).
    private func setSerial(_ certificate: OpaquePointer) throws(JOSEError) {
        var bytes = Hashes.randomBytes(16)
        bytes[0] = bytes[0] & 0x7F | 0x40
        let number = try BigNumber.make(bytes)
        defer { BN_free(number) }
        let serial = BN_to_ASN1_INTEGER(number, nil)
        defer { ASN1_INTEGER_free(serial) }
        try check(X509_set_serialNumber(certificate, serial))
    }

    private func setValidity(_ certificate: OpaquePointer) throws(JOSEError) {
        let start = ASN1_TIME_set(nil, Int(validity.lowerBound))
        defer { ASN1_TIME_free(start) }
        let end = ASN1_TIME_set(nil, Int(validity.upperBound))
        defer { ASN1_TIME_free(end) }
        try check(X509_set1_notBefore(certificate, start))
        try check(X509_set1_notAfter(certificate, end))
    }

    private func addExtensions(_ certificate: OpaquePointer, issuer: OpaquePointer) throws(JOSEError) {
        var extensions = [
            (NID_basic_constraints, isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE"),
            (NID_key_usage, isAuthority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature"),
            (NID_subject_key_identifier, "hash"),
            (NID_authority_key_identifier, "keyid:always"),
        ]
        if !isAuthority { extensions.append((NID_ext_key_usage, "serverAuth")) }
        let names = dnsNames.map { "DNS:\($0)" } + ipAddresses.map { "IP:\($0)" }
        // The text is a small language of OpenSSL's, in which a comma would begin another name.
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_*:".utf8)
        guard names.allSatisfy({ $0.utf8.allSatisfy(allowed.contains) }) else {
            throw JOSEError(.certificate, "a name has characters that no host name or address has")
        }
        if !names.isEmpty { extensions.append((NID_subject_alt_name, names.joined(separator: ","))) }
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
        for (identifier, value) in extensions {
            guard let made = X509V3_EXT_nconf_nid(nil, &context, identifier, value) else {
                throw OpenSSLError.take("the extension \(value) was rejected", code: .certificate)
            }
            defer { X509_EXTENSION_free(made) }
            try check(X509_add_ext(certificate, made, -1))
        }
    }

    private func check(_ result: Int32) throws(JOSEError) {
        try OpenSSLError.check(result, "the certificate could not be made", code: .certificate)
    }
}
