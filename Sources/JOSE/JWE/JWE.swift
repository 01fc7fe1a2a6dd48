package import JSONTree

/// An encrypted content in the compact serialisation, parsed and not yet decrypted (RFC 7516).
package struct JWE: Sendable, Hashable {
    /// The protected header as it is encoded; it is authenticated with the content (RFC 7516 section 5.1 step 14).
    let protectedText: String
    package let header: JSONObject
    let encryptedKey: [UInt8]
    let iv: [UInt8]
    let ciphertext: [UInt8]
    let tag: [UInt8]

    /// Parses the compact serialisation by the letter.
    package static func parse(compact text: some StringProtocol) throws(JOSEError) -> JWE {
        let parts = text.compactParts.map { String($0) }
        guard parts.count == 5 else {
            throw JOSEError(.malformed, "a compact JWE has 5 parts, this text has \(text.compactPartCount)")
        }
        let document = try CompactJWS.header(parts[0]).get()
        return JWE(
            protectedText: parts[0],
            header: document.root.objectValue ?? [:],
            encryptedKey: try CompactJWS.bytes(parts[1], "encrypted key").get(),
            iv: try CompactJWS.bytes(parts[2], "initialization vector").get(),
            ciphertext: try CompactJWS.bytes(parts[3], "ciphertext").get(),
            tag: try CompactJWS.bytes(parts[4], "authentication tag").get()
        )
    }
}
