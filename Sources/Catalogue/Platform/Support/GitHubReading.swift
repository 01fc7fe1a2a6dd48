import Conformance
import JSONTree

/// Token answers of a provider that answers with a form, or with JSON, and tells errors with any status.
extension AnsweredCall {
    /// The parameters of a body that is a form; `nil` when the content type is another.
    var form: [Field]? {
        guard mediaType == "application/x-www-form-urlencoded", let octets = answer.body.octets else { return nil }
        return FormText.parse(String(decoding: octets, as: UTF8.self))
    }

    /// The media type without its parameters, in lower case; empty when none is stated.
    var mediaType: String { response.mediaType ?? "" }

    /// A member of the answer, whatever the format.
    func told(_ name: String) -> String? {
        object?[name]?.stringValue ?? form?.first { $0.name == name }?.value
    }

    /// The status, and the error by whatever format it is told, as a report shows them.
    var toldOutcome: String {
        "HTTP status \(response.status)" + (told("error").map { " and error \($0.quoted)" } ?? "")
            + (told("access_token") == nil ? "" : " and an access token")
    }

    /// Scope values, parted by commas or spaces; `nil` when the answer names none.
    var grantedScopes: [String]? {
        told("scope").map { $0.split { ", ".contains($0) }.map(String.init) }
    }
}

/// Scopes of GitHub, of which some hold others: it states those alone that hold the rest.
enum GitHubScopes {
    /// Whether what was granted covers what was asked for.
    static func covers(_ granted: [String], _ asked: String) -> Bool {
        granted.contains(asked) || (holders[asked] ?? []).contains(where: granted.contains)
    }

    private static let holders = [
        "read:user": ["user"], "user:email": ["user"], "user:follow": ["user"],
        "repo:status": ["repo"], "repo_deployment": ["repo"], "public_repo": ["repo"], "repo:invite": ["repo"],
        "security_events": ["repo"],
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
        var octets: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let octet = rest.popFirst() {
            if octet == UInt8(ascii: "%"), rest.count > 1,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                octets.append(value)
                rest = rest.dropFirst(2)
            } else {
                octets.append(octet == UInt8(ascii: "+") ? UInt8(ascii: " ") : octet)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
