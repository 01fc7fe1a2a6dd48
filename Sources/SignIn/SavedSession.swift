import JSONTree

/// The cookies of a browser in which a user has signed in, for later runs to use instead of the password.
package struct SavedSession: Sendable {
    /// The issuer at which the user signed in.
    package let issuer: String
    /// When that was, seconds since 1970.
    package let savedAt: Double
    let cookies: [CookieJar.Cookie]

    init(issuer: String, savedAt: Double, cookies: [CookieJar.Cookie]) {
        self.issuer = issuer
        self.savedAt = savedAt
        self.cookies = cookies.filter { $0.expiry.map { $0 > savedAt } ?? true }
    }

    package var count: Int { cookies.count }

    /// When the first cookie ends that says when, seconds since 1970; `nil` where all last as long as the provider likes.
    package var firstEnd: Double? { cookies.compactMap(\.expiry).min() }

    /// The values of the cookies: secrets, handed over so that they are known where they are repeated.
    package var secrets: [String] { cookies.map(\.value) }

    /// The session as JSON, which must be stored encrypted.
    package func encoded() -> [UInt8] {
        let cookies = cookies.map { cookie -> JSON in
            [
                "name": .string(cookie.name), "value": .string(cookie.value), "domain": .string(cookie.domain),
                "hostOnly": .bool(cookie.isHostOnly), "path": .string(cookie.path), "secure": .bool(cookie.isSecure),
                "strict": .bool(cookie.isStrict),
                "lax": .bool(cookie.isLax),
                "expires": cookie.expiry.map { JSON.real($0) } ?? .null,
            ]
        }
        let session: JSON = ["issuer": .string(issuer), "savedAt": .real(savedAt), "cookies": .array(cookies)]
        return Array(session.serialized().utf8)
    }

    /// The session of such a JSON; `nil` for any other.
    package init?(decoding bytes: [UInt8]) {
        guard let root = (try? JSONDocument.parse(bytes))?.root, let issuer = root["issuer"]?.stringValue,
            let savedAt = root["savedAt"]?.numberValue, let cookies = root["cookies"]?.arrayValue
        else { return nil }
        let read = cookies.enumerated()
            .compactMap { serial, cookie -> CookieJar.Cookie? in
                guard let name = cookie["name"]?.stringValue, let value = cookie["value"]?.stringValue,
                    let domain = cookie["domain"]?.stringValue, let isHostOnly = cookie["hostOnly"]?.boolValue,
                    let path = cookie["path"]?.stringValue, let isSecure = cookie["secure"]?.boolValue
                else { return nil }
                return CookieJar.Cookie(
                    name: name,
                    value: value,
                    domain: domain,
                    isHostOnly: isHostOnly,
                    path: path,
                    isSecure: isSecure,
                    isStrict: cookie["strict"]?.boolValue ?? false,
                    isLax: cookie["lax"]?.boolValue ?? false,
                    expiry: cookie["expires"]?.numberValue,
                    serial: serial
                )
            }
        guard read.count == cookies.count else { return nil }
        self.issuer = issuer
        self.savedAt = savedAt
        self.cookies = read
    }
}

/// Its description does not show the cookies.
extension SavedSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a saved session of \(count) cookies" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
