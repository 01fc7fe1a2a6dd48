package import JSONTree

/// An encrypted content with its recipients, parsed and not yet decrypted (RFC 7516).
package struct JWE: Sendable, Hashable {
    /// The data for one recipient.
    package struct Recipient: Sendable, Hashable {
        /// The header that concerns this recipient: protected, shared and its own members together.
        package let header: JSONObject
        let encryptedKey: [UInt8]

        var algorithmName: String? { header["alg"]?.stringValue }
        var encryptionName: String? { header["enc"]?.stringValue }
    }

    /// The protected header as it is encoded; it is authenticated.
    let protectedText: String
    let protectedHeader: JSONDocument
    let recipients: [Recipient]
    let iv: [UInt8]
    let ciphertext: [UInt8]
    let tag: [UInt8]
    /// The additional authenticated data as they are encoded; nil where there are none.
    let aadText: String?

    /// The data that is authenticated with the content (RFC 7516 section 5.1 step 14).
    var authenticatedBytes: [UInt8] {
        Array((aadText.map { "\(protectedText).\($0)" } ?? protectedText).utf8)
    }

    /// Parses the compact serialisation by the letter.
    package static func parse(compact text: some StringProtocol) throws(JOSEError) -> JWE {
        let parts = text.compactParts.map { String($0) }
        guard parts.count == 5 else {
            throw JOSEError(.malformed, "a compact JWE has 5 parts, this text has \(text.compactPartCount)")
        }
        let document = try CompactJWS.header(parts[0]).get()
        let key = try CompactJWS.bytes(parts[1], "encrypted key").get()
        return JWE(
            protectedText: parts[0],
            protectedHeader: document,
            recipients: [Recipient(header: document.root.objectValue ?? [:], encryptedKey: key)],
            iv: try CompactJWS.bytes(parts[2], "initialization vector").get(),
            ciphertext: try CompactJWS.bytes(parts[3], "ciphertext").get(),
            tag: try CompactJWS.bytes(parts[4], "authentication tag").get(),
            aadText: nil
        )
    }

    /// Parses the general or the flattened JSON serialisation (RFC 7516 section 7.2).
    package static func parse(json object: JSONObject) throws(JOSEError) -> JWE {
        func text(_ object: JSONObject, _ name: String) throws(JOSEError) -> String? {
            guard let value = object[name] else { return nil }
            guard let text = value.stringValue else {
                throw JOSEError(.malformed, "the member \(name) is \(value.kind.phrase), not a string")
            }
            return text
        }
        func bytes(_ object: JSONObject, _ name: String) throws(JOSEError) -> [UInt8] {
            try CompactJWS.bytes(try text(object, name) ?? "", name).get()
        }
        func header(_ object: JSONObject, _ name: String) throws(JOSEError) -> JSONObject {
            guard let value = object[name] else { return [:] }
            guard let header = value.objectValue else {
                throw JOSEError(.malformed, "the member \(name) is \(value.kind.phrase), not an object")
            }
            return header
        }
        let protectedText = try text(object, "protected") ?? ""
        let document =
            protectedText.isEmpty ? JSONDocument(root: .object([:])) : try CompactJWS.header(protectedText).get()
        let shared = try header(object, "unprotected")
        let elements: [JSONObject]
        if let value = object["recipients"] {
            let objects = value.arrayValue?.compactMap(\.objectValue) ?? []
            guard !objects.isEmpty, objects.count == value.arrayValue?.count else {
                throw JOSEError(.malformed, "the member recipients is not an array of objects")
            }
            elements = objects
        } else {
            elements = [object]
        }
        var recipients: [Recipient] = []
        for element in elements {
            let members =
                (document.root.objectValue ?? [:]).members + shared.members + (try header(element, "header")).members
            guard Set(members.map(\.name)).count == members.count else {
                throw JOSEError(.malformed, "a header member is in more than one header")
            }
            recipients.append(
                Recipient(header: JSONObject(members), encryptedKey: try bytes(element, "encrypted_key"))
            )
        }
        return JWE(
            protectedText: protectedText,
            protectedHeader: document,
            recipients: recipients,
            iv: try bytes(object, "iv"),
            ciphertext: try bytes(object, "ciphertext"),
            tag: try bytes(object, "tag"),
            aadText: try text(object, "aad")
        )
    }
}
