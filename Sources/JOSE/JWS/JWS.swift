package import JSONTree

/// One signature over a payload, parsed and not yet verified (RFC 7515).
package struct JWS: Sendable, Hashable {
    /// The protected header as it is encoded; it is part of what is signed.
    let protectedText: String
    /// The payload as it is signed: encoded, or as it is if the header says `b64: false` (RFC 7797).
    let payloadText: String
    let signatureText: String
    let protectedHeader: JSONDocument
    package let payload: [UInt8]
    package let signature: [UInt8]

    package var header: JSONObject { protectedHeader.root.objectValue ?? [:] }

    /// The `alg` as it is written, whether or not it is known.
    package var algorithmName: String? { member("alg") }
    /// The algorithm, if this tool implements it; nil for `none`.
    package var algorithm: JWSAlgorithm? { algorithmName.flatMap(JWSAlgorithm.init(rawValue:)) }
    package var kid: String? { member("kid") }
    package var typ: String? { member("typ") }

    private func member(_ name: String) -> String? {
        protectedHeader.root[name]?.stringValue
    }

    /// The bytes that the signature covers (RFC 7515 section 5.1).
    var signingInput: [UInt8] {
        var input: [UInt8] = []
        input.reserveCapacity(protectedText.utf8.count + 1 + payloadText.utf8.count)
        input += protectedText.utf8
        input.append(UInt8(ascii: "."))
        input += payloadText.utf8
        return input
    }
}

// MARK: - Compact serialisation

extension StringProtocol {
    /// The parts of a compact serialisation, at most the first 6.
    ///
    /// A JWS has 3, a JWE 5. A hostile text may have a hundred thousand.
    package var compactParts: [Substring] {
        Substring(self).utf8
            .split(separator: UInt8(ascii: "."), maxSplits: 6, omittingEmptySubsequences: false).prefix(6)
            .map(Substring.init)
    }

    /// How many parts it has.
    package var compactPartCount: Int { utf8.count { $0 == UInt8(ascii: ".") } + 1 }
}

/// A compact JWS taken apart, each part with its own result, so that one broken part does not hide the others.
package struct CompactJWS: Sendable {
    let headerText: String
    let payloadText: String
    package let signatureText: String
    /// The protected header, an object without repeated members.
    package let header: Result<JSONDocument, JOSEError>
    package let payload: Result<[UInt8], JOSEError>
    package let signature: Result<[UInt8], JOSEError>

    /// Takes a text apart at its two periods; throws `malformed` if it has not exactly three parts.
    package init(_ text: some StringProtocol) throws(JOSEError) {
        var text = String(text)
        // Contiguous bytes: splitting the text's own view took half the time of a verification.
        let parts = text.withUTF8 { bytes in
            bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
        }
        guard parts.count == 3 else {
            throw JOSEError(.malformed, "a compact JWS has 3 parts, this text has \(text.compactPartCount)")
        }
        (headerText, payloadText, signatureText) = (parts[0], parts[1], parts[2])
        let header = Self.header(headerText)
        self.header = header
        let root = (try? header.get())?.root ?? .null
        payload = Self.payload(payloadText, root)
        signature = Self.bytes(signatureText, "signature")
    }

    /// The payload read as JSON, as the claims of a JWT are.
    package var claims: Result<JSONDocument, JOSEError> {
        payload.flatMap { bytes in
            do throws(JSONError) {
                return .success(try JSONDocument.parse(bytes))
            } catch {
                return .failure(JOSEError(.json, "the payload \(error.verdict): \(error)"))
            }
        }
    }

    /// The bytes of a payload, which is not encoded if the header says `b64: false` (RFC 7797 section 3).
    static func payload(_ text: String, _ header: JSON) -> Result<[UInt8], JOSEError> {
        header["b64"] == .bool(false) ? .success(Array(text.utf8)) : bytes(text, "payload")
    }

    /// The text of a payload in the signing input; the counterpart of `payload`.
    static func text(ofPayload bytes: [UInt8], _ header: JSON) -> String {
        header["b64"] == .bool(false) ? String(decoding: bytes, as: UTF8.self) : Base64URL.encode(bytes)
    }

    static func bytes(_ text: String, _ part: String) -> Result<[UInt8], JOSEError> {
        do throws(Base64Error) {
            return .success(try Base64URL.decode(text))
        } catch {
            return .failure(JOSEError(.encoding, "the \(part) is not base64url: \(error)"))
        }
    }

    /// A header that is a JSON object whose names differ (RFC 7515 section 4).
    static func header(_ text: String) -> Result<JSONDocument, JOSEError> {
        bytes(text, "header")
            .flatMap { bytes in
                do throws(JSONError) {
                    let document = try JSONDocument.parse(bytes)
                    guard document.root.objectValue != nil else {
                        return .failure(JOSEError(.json, "the header is \(document.root.kind.phrase), not an object"))
                    }
                    if let duplicate = document.duplicates.first {
                        return .failure(JOSEError(.json, "the header repeats the member \(duplicate)"))
                    }
                    return .success(document)
                } catch {
                    return .failure(JOSEError(.json, "the header \(error.verdict): \(error)"))
                }
            }
    }
}

extension JWS {
    /// Parses the compact serialisation by the letter.
    /// - Parameter detachedPayload: the payload, if the token carries none (RFC 7515 appendix F).
    package static func parse(
        compact text: some StringProtocol,
        detachedPayload: [UInt8]? = nil
    ) throws(JOSEError) -> JWS {
        let parts = try CompactJWS(text)
        let document = try parts.header.get()
        let inside = try parts.payload.get()
        let signature = try parts.signature.get()
        guard let detachedPayload else {
            return try JWS(parts.headerText, document, parts.payloadText, inside, parts.signatureText, signature)
        }
        guard inside.isEmpty else { throw JOSEError(.malformed, "the payload is both inside and detached") }
        let payloadText = CompactJWS.text(ofPayload: detachedPayload, document.root)
        return try JWS(parts.headerText, document, payloadText, detachedPayload, parts.signatureText, signature)
    }

    /// Joins the parts, texts with their bytes.
    private init(
        _ protectedText: String,
        _ document: JSONDocument,
        _ payloadText: String,
        _ payload: [UInt8],
        _ signatureText: String,
        _ signature: [UInt8]
    ) throws(JOSEError) {
        self.protectedText = protectedText
        self.payloadText = payloadText
        self.signatureText = signatureText
        self.payload = payload
        self.signature = signature
        protectedHeader = document
        guard let alg = document.root["alg"] else {
            throw JOSEError(.malformed, "the header has no alg")
        }
        guard alg.stringValue != nil else {
            throw JOSEError(.malformed, "the alg of the header is \(alg.kind.phrase), not a string")
        }
    }
}
