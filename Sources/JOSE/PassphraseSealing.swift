import COpenSSL
import JSONTree

/// The key derivation function scrypt (RFC 7914).
package enum Scrypt {
    /// The key of a passphrase.
    ///
    /// - Parameters:
    ///   - cost: The parameter N: a power of two.
    ///   - blockSize: The parameter r; it uses 128 · N · r bytes of memory.
    ///   - parallelism: The parameter p.
    ///   - length: Bytes of the key.
    /// - Throws: ``JOSEError`` if OpenSSL rejects the parameters.
    package static func key(
        of passphrase: [UInt8],
        salt: [UInt8],
        cost: UInt64,
        blockSize: UInt64,
        parallelism: UInt64,
        length: Int
    ) throws(JOSEError) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: length)
        // Both may be empty, and need an address all the same.
        let result = (passphrase + [0])
            .withUnsafeBufferPointer { passphrase in
                passphrase.withMemoryRebound(to: CChar.self) { text in
                    EVP_PBE_scrypt(
                        text.baseAddress,
                        text.count - 1,
                        salt.isEmpty ? [0] : salt,
                        salt.count,
                        cost,
                        blockSize,
                        parallelism,
                        // OpenSSL's own bound, 32 MiB, is a little less than the usual parameters take.
                        UInt64(64 << 20),
                        &key,
                        length
                    )
                }
            }
        try OpenSSLError.check(result, "the key could not be derived")
        return key
    }
}

/// Bytes in a text of two lines that only a passphrase opens: the encryption parameters in JSON, then the content.
///
/// The key comes from the passphrase by scrypt (RFC 7914) with N = 2^15, r = 8, p = 1 and a random salt; the content is
/// encrypted by AES-256-GCM (NIST SP 800-38D) with a random nonce, and authenticates the first line byte for byte.
package enum PassphraseSealing {
    /// Why a text does not open.
    package enum Failure: Error, Sendable, Hashable {
        /// It is not of that form.
        case malformed
        /// It is of a later version, or has other parameters than those that are ever written.
        case unknownParameters
        /// The passphrase is wrong, or the text was changed.
        case decryptionFailed
    }

    private static let cost: Int64 = 1 << 15
    private static let blockSize: Int64 = 8
    private static let parallelism: Int64 = 1
    private static let saltLength = 16
    private static let nonceLength = 12
    private static let tagLength = 16

    /// - Parameter kind: The kind of content; it is stored and authenticated.
    package static func seal(
        _ content: [UInt8],
        passphrase: [UInt8],
        kind: String
    ) throws(JOSEError) -> [UInt8] {
        let salt = Hashes.randomBytes(saltLength)
        let nonce = Hashes.randomBytes(nonceLength)
        let header = parameters(kind)
            .merging(["salt": .string(Base64URL.encode(salt)), "nonce": .string(Base64URL.encode(nonce))])
        let line = Array(header.serialized().utf8)
        let sealed = try Ciphers.sealGCM(content, key: key(passphrase, salt), iv: nonce, aad: line)
        return line + [0x0A] + Array(Base64URL.encode(sealed.ciphertext + sealed.tag).utf8) + [0x0A]
    }

    /// The content; nothing of it is given out before all is authenticated.
    package static func open(
        _ text: [UInt8],
        passphrase: [UInt8],
        kind: String
    ) throws(Failure) -> [UInt8] {
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, lines[0].count < 1_000,
            let header = (try? JSONDocument.parse(Array(lines[0])))?.root.objectValue,
            header["type"]?.stringValue == kind
        else { throw .malformed }
        // Parameters of the file's choosing would let it take any amount of memory and time.
        guard parameters(kind).members.allSatisfy({ header[$0.name] == $0.value }) else { throw .unknownParameters }
        guard let salt = bytes(header["salt"], saltLength), let nonce = bytes(header["nonce"], nonceLength),
            let sealed = try? Base64URL.decode(String(decoding: lines[1], as: UTF8.self)), sealed.count >= tagLength
        else { throw .decryptionFailed }
        let parts = Ciphers.Sealed(
            ciphertext: Array(sealed.dropLast(tagLength)),
            tag: Array(sealed.suffix(tagLength))
        )
        do throws(JOSEError) {
            return try Ciphers.openGCM(parts, key: key(passphrase, salt), iv: nonce, aad: Array(lines[0]))
        } catch {
            throw .decryptionFailed
        }
    }

    private static func parameters(_ kind: String) -> JSONObject {
        [
            "type": .string(kind), "version": 1, "kdf": "scrypt", "n": .integer(cost), "r": .integer(blockSize),
            "p": .integer(parallelism), "cipher": "AES-256-GCM",
        ]
    }

    private static func key(_ passphrase: [UInt8], _ salt: [UInt8]) throws(JOSEError) -> [UInt8] {
        try Scrypt.key(
            of: passphrase,
            salt: salt,
            cost: UInt64(cost),
            blockSize: UInt64(blockSize),
            parallelism: UInt64(parallelism),
            length: 32
        )
    }

    private static func bytes(_ value: JSON?, _ length: Int) -> [UInt8]? {
        let bytes = (value?.stringValue).flatMap { try? Base64URL.decode($0) }
        return bytes?.count == length ? bytes : nil
    }
}
