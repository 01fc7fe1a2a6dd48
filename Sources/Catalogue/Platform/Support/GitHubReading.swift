import Conformance
import JSONTree

/// Token responses as a form or as JSON, with errors at any HTTP status.
extension CallResult {
    /// The parameters of a form-encoded body; `nil` for any other content type.
    var form: [Field]? {
        guard mediaType == "application/x-www-form-urlencoded", let bytes = answer.body.bytes else { return nil }
        return FormText.parse(String(decoding: bytes, as: UTF8.self))
    }

    /// The media type without its parameters, in lower case; empty when none is stated.
    var mediaType: String { response.mediaType ?? "" }

    /// A member of the response, in either format.
    func reported(_ name: String) -> String? { object?[name]?.stringValue ?? form?.first { $0.name == name }?.value }

    /// The status, the error in either format, and whether there is an access token, as a report shows them.
    var reportedOutcome: String {
        "HTTP status \(response.status)" + (reported("error").map { " and error \($0.quoted)" } ?? "")
            + (reported("access_token") == nil ? "" : " and an access token")
    }

    /// Granted scopes, separated by commas or spaces; `nil` if the response names none.
    var grantedScopes: [String]? { reported("scope").map { $0.split { ", ".contains($0) }.map(String.init) } }
}

/// GitHub's scopes, of which some include others: GitHub returns only the including scope.
enum GitHubScopes {
    /// Whether the granted scopes include the requested one.
    static func covers(_ granted: [String], _ asked: String) -> Bool {
        granted.contains(asked) || (holders[asked] ?? []).contains(where: granted.contains)
    }

    private static let holders = [
        "read:user": ["user"], "user:email": ["user"], "user:follow": ["user"], "repo:status": ["repo"],
        "repo_deployment": ["repo"], "public_repo": ["repo"], "repo:invite": ["repo"], "security_events": ["repo"],
        "read:org": ["write:org", "admin:org"], "write:org": ["admin:org"],
        "read:public_key": ["write:public_key", "admin:public_key"], "write:public_key": ["admin:public_key"],
        "read:repo_hook": ["write:repo_hook", "admin:repo_hook"], "write:repo_hook": ["admin:repo_hook"],
        "read:gpg_key": ["write:gpg_key", "admin:gpg_key"], "write:gpg_key": ["admin:gpg_key"],
        "read:packages": ["write:packages"], "read:project": ["project"],
    ]
}

/// `application/x-www-form-urlencoded` (RFC 6749 appendix B).
enum FormText {
    static func parse(_ text: String) -> [Field] {
        text.split(separator: "&")
            .map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return Field(decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
            }
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count > 1,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
