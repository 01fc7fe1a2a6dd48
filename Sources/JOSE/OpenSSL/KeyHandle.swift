import COpenSSL
import CShims

/// One EVP_PKEY, shared by every copy of the key.
///
/// `@unchecked Sendable`: the key is never changed after it was built, OpenSSL 3 documents EVP_PKEY as safe for
/// concurrent use by operations that do not modify it, and each operation here makes a context of its own.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over a fresh key.
    init(_ pointer: OpaquePointer?, _ what: String, code: JOSEError.Code = .cryptography) throws(JOSEError) {
        guard let pointer else { throw OpenSSLError.take(what, code: code) }
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    func isKind(_ name: String) -> Bool { EVP_PKEY_is_a(pointer, name) == 1 }

    /// Whether both have the same public key.
    func hasSamePublicKey(as other: KeyHandle) -> Bool {
        let equal = EVP_PKEY_eq(pointer, other.pointer) == 1
        OpenSSLError.discard()
        return equal
    }

    /// An unsigned integer of the key, padded to `length` if it is given; nil if the key does not have it.
    func integer(_ name: String, length: Int? = nil) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number else {
            OpenSSLError.discard()
            return nil
        }
        defer { BN_clear_free(number) }
        return BigNumber.bytes(number, length: length)
    }

    /// The public bytes of an Ed25519, Ed448, X25519 or X448 key.
    func rawPublicKey(length: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: length)
        var count = length
        guard EVP_PKEY_get_raw_public_key(pointer, &bytes, &count) == 1, count == length else {
            OpenSSLError.discard()
            return nil
        }
        return bytes
    }

    /// The private bytes of an Ed25519, Ed448, X25519 or X448 key.
    func rawPrivateKey(length: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: length)
        var count = length
        guard EVP_PKEY_get_raw_private_key(pointer, &bytes, &count) == 1, count == length else {
            OpenSSLError.discard()
            return nil
        }
        return bytes
    }
}

// MARK: - Building

extension KeyHandle {
    /// One named value of a key, for OpenSSL's parameter lists.
    enum Parameter {
        case integer(String, [UInt8])
        case text(String, String)
        case bytes(String, [UInt8])
    }

    /// A key of the named type from its values; `isPrivate` says whether they are a pair.
    static func build(_ type: String, isPrivate: Bool, _ parameters: [Parameter]) throws(JOSEError) -> KeyHandle {
        // OpenSSL's builder copies neither names nor values, so they must stay in place until the key is there.
        var storage = StableStorage()
        var numbers: [OpaquePointer] = []
        defer { for number in numbers { BN_clear_free(number) } }
        let builder = try Owned(OSSL_PARAM_BLD_new(), OSSL_PARAM_BLD_free, "no parameter list")
        for parameter in parameters {
            let pushed: Int32
            switch parameter {
            case .integer(let name, let bytes):
                let number = try BigNumber.make(bytes)
                numbers.append(number)
                pushed = OSSL_PARAM_BLD_push_BN(builder.pointer, storage.text(name), number)
            case .text(let name, let text):
                let value = storage.text(text)
                pushed = OSSL_PARAM_BLD_push_utf8_string(builder.pointer, storage.text(name), value, 0)
            case .bytes(let name, let bytes):
                let value = storage.bytes(bytes)
                pushed = OSSL_PARAM_BLD_push_octet_string(builder.pointer, storage.text(name), value, bytes.count)
            }
            try OpenSSLError.check(pushed, "a key value was rejected")
        }
        guard let list = OSSL_PARAM_BLD_to_param(builder.pointer) else { throw OpenSSLError.take("no parameter list") }
        defer { OSSL_PARAM_free(list) }
        let context = try Owned(EVP_PKEY_CTX_new_from_name(nil, type, nil), EVP_PKEY_CTX_free, "no key context")
        try OpenSSLError.check(EVP_PKEY_fromdata_init(context.pointer), "no key context")
        var key: OpaquePointer?
        let selection = isPrivate ? preflight_pkey_keypair : preflight_pkey_public_key
        guard EVP_PKEY_fromdata(context.pointer, &key, selection, list) == 1 else {
            throw OpenSSLError.take("the values are not a \(type) key", code: .invalidKey)
        }
        return try KeyHandle(key, "the values are not a \(type) key", code: .invalidKey)
    }

    /// A fresh key; `bits` for RSA, `group` for elliptic curves.
    static func generate(_ type: String, bits: Int? = nil, group: String? = nil) throws(JOSEError) -> KeyHandle {
        let context = try Owned(EVP_PKEY_CTX_new_from_name(nil, type, nil), EVP_PKEY_CTX_free, "no key context")
        try OpenSSLError.check(EVP_PKEY_keygen_init(context.pointer), "the key could not be generated")
        if let bits {
            let set = EVP_PKEY_CTX_set_rsa_keygen_bits(context.pointer, Int32(bits))
            try OpenSSLError.check(set, "the key length was rejected")
        }
        if let group {
            try OpenSSLError.check(EVP_PKEY_CTX_set_group_name(context.pointer, group), "the curve was rejected")
        }
        var key: OpaquePointer?
        try OpenSSLError.check(EVP_PKEY_generate(context.pointer, &key), "the key could not be generated")
        return try KeyHandle(key, "the key could not be generated")
    }

    /// Throws unless the private value belongs to the public one.
    func checkPair() throws(JOSEError) {
        let context = try Owned(EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil), EVP_PKEY_CTX_free, "no key context")
        let result = EVP_PKEY_pairwise_check(context.pointer)
        try OpenSSLError.check(result, "the private value does not belong to the public one", code: .invalidKey)
    }
}
