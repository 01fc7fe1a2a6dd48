import Conformance
import JSONTree

/// What the JSON answers of endpoints have in common: the token response and its errors, UserInfo, introspection, registration,
/// pushed requests.
///
/// A check of each says which sentence demands it there, and how much hangs on it; the rule is one.
enum JSONAnswer {
    /// An answer that is not marked as `application/json`.
    ///
    /// - Parameters:
    ///   - name: What the answer is called at the beginning of a sentence.
    ///   - others: Further media types that it may have.
    static func mediaType(_ response: Exchange.Response, _ name: String, or others: [String] = []) -> Finding? {
        if let type = response.mediaType, type == "application/json" || others.contains(type) { return nil }
        return Finding(
            "\(name) is not marked as JSON.",
            at: "Content-Type",
            expected: "application/json",
            found: response.header("Content-Type")?.shown() ?? "missing",
            fix: "Send Content-Type: application/json."
        )
    }

    /// An answer that caches may keep.
    ///
    /// - Parameters:
    ///   - name: What the answer is called at the beginning of a sentence.
    ///   - answers: Which answers are to forbid it.
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
    ///   - object: The answer; `nil` where it is no JSON object.
    ///   - name: What the answer is called at the beginning of a sentence.
    ///   - example: A code that would be right.
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
