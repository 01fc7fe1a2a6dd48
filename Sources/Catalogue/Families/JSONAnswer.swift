import Conformance
import JSONTree

/// The common rules for JSON responses: the token response and its errors, UserInfo, introspection, registration, pushed requests.
///
/// The check of each endpoint adds the citation and the level; the rule is the same.
enum JSONAnswer {
    /// A response without the media type `application/json`.
    ///
    /// - Parameters:
    ///   - name: The name of the response at the beginning of a sentence.
    ///   - others: Further media types that are allowed.
    static func mediaType(_ response: Exchange.Response, _ name: String, or others: [String] = []) -> Finding? {
        if let type = response.mediaType, type == "application/json" || others.contains(type) { return nil }
        return Finding(
            "\(name) does not have the media type application/json.",
            at: "Content-Type",
            expected: "application/json",
            found: response.header("Content-Type")?.shown() ?? "missing",
            fix: "Send Content-Type: application/json."
        )
    }

    /// A response that caches may store.
    ///
    /// - Parameters:
    ///   - name: The name of the response at the beginning of a sentence.
    ///   - answers: The responses that must forbid it.
    static func mayBeStored(_ response: Exchange.Response, _ name: String, _ answers: String) -> Finding? {
        if CacheControl(response)?.has("no-store") == true { return nil }
        return Finding(
            "\(name) may be stored by caches.",
            at: "Cache-Control",
            expected: "no-store",
            found: response.joinedHeader("Cache-Control")?.shown() ?? "missing",
            fix: "Send Cache-Control: no-store with \(answers)."
        )
    }

    /// An error without its code (RFC 6749 section 5.2, RFC 7591 section 3.2.2).
    ///
    /// - Parameters:
    ///   - object: The response; `nil` if it is not a JSON object.
    ///   - name: The name of the response at the beginning of a sentence.
    ///   - example: A valid code.
    static func errorCode(_ object: JSONObject?, _ name: String, such example: String) -> Finding? {
        if let error = object?["error"]?.stringValue, !error.isEmpty { return nil }
        return Finding(
            "\(name) has no error code.",
            at: "/error",
            expected: "a string",
            found: object?["error"].map { Finding.shown($0, beside: "a string") }
                ?? (object == nil ? "no JSON object" : "missing"),
            fix: "Return a JSON object with the member error, such as \(example)."
        )
    }
}
