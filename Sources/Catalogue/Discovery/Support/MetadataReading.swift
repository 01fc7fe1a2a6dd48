import Conformance
import JSONTree

/// Reasons why a rule about members does not apply to a document; other checks report the cause.
enum MetadataExemption {
    typealias Reason = @Sendable (Metadata, Facts) -> String?

    /// The rule reads a list, which must not be missing, empty or of another type.
    static func unlessList(_ member: String) -> Reason {
        { metadata, _ in
            guard metadata.has(member) else { return "\(member) is missing" }
            guard let values = metadata.strings(member) else { return "\(member) is not a list of strings" }
            return values.isEmpty ? "\(member) is empty" : nil
        }
    }

    /// The rule is one of OpenID Connect, which authorization server metadata (RFC 8414) need not follow.
    static func unlessDiscovery(_ metadata: Metadata, _ facts: Facts) -> String? {
        facts.evidence.exchange(metadata.exchange)?.request.url.contains(Metadata.serverMetadataSuffix) == true
            ? "the document is authorization server metadata (RFC 8414), which does not require it" : nil
    }

    /// The rule reads an absolute URL.
    static func unlessURL(_ member: String) -> Reason {
        { metadata, _ in
            guard metadata.has(member) else { return "\(member) is missing" }
            guard let text = metadata.string(member) else { return "\(member) is not a string" }
            return URIReference(text).isAbsolute ? nil : "\(member) is not an absolute URL"
        }
    }

    /// The rule reads several lists.
    static func unlessLists(_ members: String...) -> Reason {
        { metadata, facts in members.lazy.compactMap { unlessList($0)(metadata, facts) }.first }
    }

    /// The rule is about a member that is present and not null, of any type.
    static func unlessStated(_ member: String) -> Reason {
        { metadata, _ in metadata.states(member) ? nil : "\(member) is missing" }
    }

    /// The rule reads a string.
    static func unlessString(_ member: String) -> Reason {
        { metadata, _ in metadata.string(member) == nil ? "\(member) is missing or not a string" : nil }
    }

    /// The rule is about codes.
    static let unlessCodeIsOffered: Reason = { metadata, _ in
        metadata.offersCode ? nil : "only the implicit flow is offered"
    }

    /// The rule is about a resource that requires an access token.
    static let unlessAccessTokensAreIssued: Reason = { metadata, _ in
        let types = metadata.responseTypes
        return types.isEmpty || types.contains { $0.hasCode || $0.hasToken }
            ? nil : "no listed response type returns an access token"
    }
}

extension Metadata {
    /// Whether the member is present and not null; null means that there is no value.
    func states(_ member: String) -> Bool { self[member].map { !$0.isNull } ?? false }

    /// The members with these names that are absolute URLs.
    func absoluteURLs(_ members: [String]) -> [(member: String, url: URIReference)] {
        members.compactMap { member in
            guard let text = string(member) else { return nil }
            let url = URIReference(text)
            return url.isAbsolute ? (member, url) : nil
        }
    }

    /// The values of `response_types_supported` as sets; empty if it is not a list of strings.
    var responseTypes: [ResponseType] { (strings("response_types_supported") ?? []).map { ResponseType($0) } }

    /// True if clients can request a code, or if the document does not state which response types they can request.
    ///
    /// Without `response_types_supported`, the grant types decide; their default is `authorization_code` and `implicit`.
    var offersCode: Bool {
        if !responseTypes.isEmpty { return responseTypes.contains(where: \.hasCode) }
        return strings("grant_types_supported", default: ["authorization_code", "implicit"]) != ["implicit"]
    }
}

extension [String] {
    /// The list as JSON, for found and expected values.
    var written: String { JSON.array(map { .string($0) }).serialized().shown() }

    /// The values for a sentence, at most twelve of them.
    var listed: String {
        let shown = prefix(12).map(\.quoted).joined(separator: ", ")
        return count > 12 ? "\(shown) and \(count - 12) more" : shown
    }

    /// The values for a sentence that requires each of them: `A, B and C`.
    var conjoined: String { count < 2 ? joined() : "\(dropLast().joined(separator: ", ")) and \(self[count - 1])" }
}
