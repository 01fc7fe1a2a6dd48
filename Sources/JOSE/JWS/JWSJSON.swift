package import JSONTree

extension JWS {
    /// Parses the general or the flattened JSON serialisation (RFC 7515 section 7.2), one JWS for each signature.
    package static func parse(
        json object: JSONObject,
        detachedPayload: [UInt8]? = nil
    ) throws(JOSEError) -> [JWS] {
        let payload = try text(object, "payload", required: detachedPayload == nil)
        guard let signatures = object["signatures"] else {
            return [try one(object, payload, detachedPayload)]
        }
        // Section 7.2.2: the flattened members must not be there beside the general one.
        guard !object.has("signature"), !object.has("protected"), !object.has("header") else {
            throw JOSEError(.malformed, "the JWS mixes the general and the flattened serialisation")
        }
        guard let elements = signatures.arrayValue, !elements.isEmpty else {
            throw JOSEError(.malformed, "the member signatures is not an array with elements")
        }
        var result: [JWS] = []
        for element in elements {
            guard let member = element.objectValue else {
                throw JOSEError(.malformed, "a signature is \(element.kind.phrase), not an object")
            }
            result.append(try one(member, payload, detachedPayload))
        }
        return result
    }

    private static func one(
        _ member: JSONObject,
        _ payload: String,
        _ detachedPayload: [UInt8]?
    ) throws(JOSEError) -> JWS {
        let protected = try text(member, "protected", required: false)
        let document =
            member.has("protected") ? try CompactJWS.header(protected).get() : JSONDocument(root: .object([:]))
        if let header = member["header"], header.objectValue == nil {
            throw JOSEError(.malformed, "the member header is \(header.kind.phrase), not an object")
        }
        let signatureText = try text(member, "signature", required: true)
        let inside = try CompactJWS.payload(payload, document.root).get()
        guard detachedPayload == nil || inside.isEmpty else {
            throw JOSEError(.malformed, "the payload is both inside and detached")
        }
        return try JWS(
            protected,
            document,
            member["header"]?.objectValue ?? [:],
            detachedPayload.map { CompactJWS.text(ofPayload: $0, document.root) } ?? payload,
            detachedPayload ?? inside,
            signatureText,
            try CompactJWS.bytes(signatureText, "signature").get()
        )
    }

    private static func text(_ object: JSONObject, _ name: String, required: Bool) throws(JOSEError) -> String {
        guard let value = object[name] else {
            guard !required else { throw JOSEError(.malformed, "the JWS has no member \(name)") }
            return ""
        }
        guard let text = value.stringValue else {
            throw JOSEError(.malformed, "the member \(name) is \(value.kind.phrase), not a string")
        }
        return text
    }
}
