import COpenSSL
import CShims

extension Certificate {
    /// Reads exactly one certificate in DER; trailing bytes are rejected.
    package static func parse(der: [UInt8]) throws(JOSEError) -> Certificate {
        var consumed = 0
        let pointer = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            guard let first = buffer.baseAddress else { return nil }
            var start: UnsafePointer<UInt8>? = first
            let pointer = d2i_X509(nil, &start, buffer.count)
            consumed = start.map { $0 - first } ?? 0
            return pointer
        }
        guard let pointer else {
            throw OpenSSLError.take("the bytes are not a certificate", code: .certificate)
        }
        let owned = try Owned(pointer, X509_free, "no certificate")
        guard consumed == der.count else { throw JOSEError(.certificate, "bytes follow the certificate") }
        let certificate = owned.pointer
        let names = alternativeNames(certificate)
        // These two give whether it may issue, and whether it did issue itself; failures leave the error queue filled.
        let mayIssue = X509_check_ca(certificate) == 1
        let selfSigned = X509_self_signed(certificate, 1) == 1
        OpenSSLError.discard()
        return Certificate(
            der: der,
            subject: try text(ofName: X509_get_subject_name(certificate)),
            issuer: try text(ofName: X509_get_issuer_name(certificate)),
            serial: serial(certificate),
            notBefore: try seconds(X509_get0_notBefore(certificate)),
            notAfter: try seconds(X509_get0_notAfter(certificate)),
            dnsNames: names.dns,
            ipAddresses: names.ip,
            isCertificateAuthority: mayIssue,
            isSelfSigned: selfSigned,
            signatureAlgorithm: OBJ_nid2ln(X509_get_signature_nid(certificate)).map { String(cString: $0) } ?? "",
            publicKey: key(certificate)
        )
    }

    /// Whether the other certificate's key verifies the signature on this one.
    package func isSigned(by issuer: Certificate) -> Bool {
        guard let key = issuer.publicKey, self.issuer == issuer.subject else { return false }
        let certificate = der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return d2i_X509(nil, &start, buffer.count)
        }
        defer { X509_free(certificate) }
        let verified = X509_verify(certificate, key.handle.pointer) == 1
        OpenSSLError.discard()
        return verified
    }

    private static func text(ofName name: OpaquePointer?) throws(JOSEError) -> String {
        let output = try Owned(BIO_new(BIO_s_mem()), { BIO_free($0) }, "no buffer")
        guard let name, X509_NAME_print_ex(output.pointer, name, 0, preflight_name_flags) >= 0 else {
            throw OpenSSLError.take("a name of the certificate could not be read", code: .certificate)
        }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 256)
        while case let count = BIO_read(output.pointer, &chunk, Int32(chunk.count)), count > 0 {
            text += chunk.prefix(Int(count))
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func serial(_ certificate: OpaquePointer) -> String {
        guard let number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nil) else { return "" }
        defer { BN_free(number) }
        let digits = BigNumber.bytes(number)
            .map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        return digits.joined()
    }

    /// Seconds since 1970, counted from OpenSSL's own difference to that moment.
    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) throws(JOSEError) -> Double {
        let epoch = ASN1_TIME_set(nil, 0)
        defer { ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard let time, ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
            throw OpenSSLError.take("a time of the certificate could not be read", code: .certificate)
        }
        return Double(days) * 86_400 + Double(seconds)
    }

    private static func key(_ certificate: OpaquePointer) -> PublicKey? {
        guard let pointer = X509_get_pubkey(certificate) else {
            OpenSSLError.discard()
            return nil
        }
        return (try? KeyHandle(pointer, "no key")).flatMap { PublicKey(recognising: $0) }
    }

    private static func alternativeNames(_ certificate: OpaquePointer) -> (dns: [String], ip: [String]) {
        var dns: [String] = []
        var ip: [String] = []
        guard let raw = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else {
            OpenSSLError.discard()
            return (dns, ip)
        }
        let names = OpaquePointer(raw)
        defer { GENERAL_NAMES_free(names) }
        for index in 0..<OPENSSL_sk_num(names) {
            guard let value = OPENSSL_sk_value(names, index) else { continue }
            // The stack is typed in C only by its name: GENERAL_NAMES consists of GENERAL_NAME.
            let name = value.assumingMemoryBound(to: GENERAL_NAME.self).pointee
            switch name.type {
            case GEN_DNS: dns.append(String(decoding: bytes(name.d.ia5), as: UTF8.self))
            case GEN_IPADD: ip.append(IPAddressText.text(bytes(name.d.ip)))
            default: break
            }
        }
        return (dns, ip)
    }

    private static func bytes(_ text: UnsafeMutablePointer<ASN1_STRING>?) -> [UInt8] {
        guard let text, let start = ASN1_STRING_get0_data(text) else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(text))))
    }
}

extension PublicKey {
    /// The key that OpenSSL has read, if JOSE knows its type and curve.
    init?(recognising handle: KeyHandle) {
        let curve: Curve?
        if handle.isKind("RSA") {
            self.init(handle: handle, type: .rsa, curve: nil, attributes: KeyAttributes())
            return
        } else if handle.isKind("EC") {
            var name = [CChar](repeating: 0, count: 64)
            var length = 0
            guard EVP_PKEY_get_group_name(handle.pointer, &name, name.count, &length) == 1 else {
                OpenSSLError.discard()
                return nil
            }
            let group = String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            curve = ["prime256v1": Curve.p256, "secp384r1": .p384, "secp521r1": .p521][group] ?? Curve(rawValue: group)
        } else {
            curve = Curve.allCases.first { $0.keyType == .okp && handle.isKind($0.openSSLName) }
        }
        guard let curve else { return nil }
        self.init(handle: handle, type: curve.keyType, curve: curve, attributes: KeyAttributes())
    }
}

/// The text of an address in a certificate: RFC 5952 for IPv6.
enum IPAddressText {
    static func text(_ bytes: [UInt8]) -> String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        var longest = 0..<0
        var start = 0
        while start < groups.count {
            let end = groups[start...].firstIndex { $0 != 0 } ?? groups.count
            if end - start > longest.count { longest = start..<end }
            start = max(end, start + 1)
        }
        func text(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        // Section 4.2.2: a single group of zeros is not shortened.
        guard longest.count > 1 else { return text(groups[...]) }
        return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
    }
}
