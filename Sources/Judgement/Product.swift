import CTexts
package import Conformance
package import JSONTree

/// The product of a provider, recognised by its discovery document.
///
/// It adds the product's own setting to fixes and advice. No verdict depends on it.
package struct Product: Sendable, Hashable {
    package let name: String

    /// The product whose marks the document has; `nil` unless it is exactly one.
    package init?(of metadata: JSONObject) {
        let names = Set(ProductMark.all.filter { $0.fits(metadata) }.map(\.product))
        guard names.count == 1, let name = names.first else { return nil }
        self.name = name
    }

    /// A cause whose advice names the setting that the first known of its configuration keys is about.
    package func naming(_ cause: Cause) -> Cause {
        var cause = cause
        if let setting = cause.keys.lazy.compactMap(setting).first { cause.advice += " " + sentence(setting) }
        return cause
    }

    /// A verdict whose fixes name the setting that the check is about.
    func naming(_ verdict: Verdict, of check: CheckID) -> Verdict {
        guard case .failed(var findings) = verdict, let setting = setting(check.rawValue) else { return verdict }
        for place in findings.indices { findings[place].fix += " " + sentence(setting) }
        return .failed(findings)
    }

    private func setting(_ subject: String) -> ProductSetting? {
        guard let topic = ProductSetting.Topic.allCases.first(where: { $0.matches(subject) }) else { return nil }
        return ProductSetting.all.first { $0.product == name && $0.topic == topic.rawValue }
    }

    private func sentence(_ setting: ProductSetting) -> String { "In \(name): \(setting.place)." }
}

/// Members of a discovery document that only one product has, and patterns for their values.
package struct ProductMark: Sendable, Hashable {
    package let product: String
    package let members: [String]
    /// A pattern for each member, or for an element of its list; `*` matches any text, and alone any value.
    package let patterns: [String]
    package let source: String

    package static let all = Table.rows(of: CTextTable_marks())
        .compactMap { cells -> ProductMark? in
            guard cells.count == 4 else { return nil }
            return ProductMark(
                product: cells[0],
                members: cells[1].split(separator: " & ").map(String.init),
                patterns: cells[2].split(separator: " & ").map(String.init),
                source: cells[3]
            )
        }

    func fits(_ metadata: JSONObject) -> Bool {
        zip(members, patterns)
            .allSatisfy { member, pattern in
                guard let value = metadata[member] else { return false }
                let texts = value.strings ?? value.stringValue.map { [$0] } ?? []
                return pattern == "*" || texts.contains { CheckPattern.matches(pattern, $0) }
            }
    }
}

/// The place of a setting in a product.
package struct ProductSetting: Sendable, Hashable {
    package let product: String
    package let topic: String
    package let place: String
    package let source: String

    package static let all = Table.rows(of: CTextTable_settings())
        .compactMap { cells -> ProductSetting? in
            guard cells.count == 4 else { return nil }
            return ProductSetting(product: cells[0], topic: cells[1], place: cells[2], source: cells[3])
        }

    /// The subject of a setting: checks and configuration keys that it concerns.
    package enum Topic: String, Sendable, CaseIterable {
        case redirectURI = "redirect-uri"
        case secret = "client-secret"
        case authentication = "client-authentication"
        case pkce
        case pushedRequests = "pushed-requests"
        case algorithm = "signing-algorithm"
        case encryption
        case issuer
        case responseTypes = "response-types"
        case refreshTokens = "refresh-tokens"
        case lifetime
        case crossOrigin = "cors"
        case logout
        case claims
        case scopes

        /// Patterns over identifiers of checks and keys of the configuration.
        package var patterns: [String] {
            switch self {
            case .redirectURI:
                [
                    "redirect_uri", "platform.registration.redirect-uri-is-the-platforms",
                    "authorization.redirect-uri.*-is-refused", "authorization.redirect-uri.*-is-compared",
                    "authorization.redirect-uri.unregistered-is-*-redirected-to",
                    "authorization.pushed-request.redirect-uri-is-validated",
                ]
            case .secret: ["client.secret"]
            case .authentication:
                [
                    "client.authentication", "client.token_endpoint_auth_signing_alg", "client.private_key",
                    "token.client-authentication.*", "platform.client.authentication-is-accepted",
                    "platform.client.secret-in-body-is-accepted",
                ]
            case .pkce:
                [
                    "client.pkce", "platform.request.needs-no-pkce", "platform.request.needs-no-unlisted-pkce",
                    "token.code-verifier.*",
                ]
            case .pushedRequests:
                ["client.require_pushed_authorization_requests", "platform.request.must-be-pushed"]
            case .algorithm:
                [
                    "idtoken.alg.*", "idtoken.signed-as-registered.has-the-algorithm",
                    "platform.id-token.algorithm-is-*", "platform.keys.usable-key-is-present",
                    "platform.keys.algorithms-are-accepted", "platform.keys.types-are-accepted",
                    "platform.keys.curves-are-accepted", "keys.signing-key.*",
                ]
            case .encryption: ["idtoken.form.is-not-encrypted"]
            case .issuer:
                [
                    "issuer", "discovery.issuer.*", "idtoken.iss.matches-issuer", "authorization.iss.matches-issuer*",
                    "platform.issuer.*", "discovery.response.status-is-200",
                ]
            case .responseTypes:
                ["flows", "platform.microsoft.id-token.is-enabled", "authorization.response-type.advertised-is-served"]
            case .refreshTokens:
                ["token.refresh.rotates-for-public-clients", "token.refresh.replaced-is-refused"]
            case .lifetime:
                [
                    "idtoken.lifetime.is-at-most-a-day", "platform.id-token.lifetime-is-short-enough",
                    "token.expires-in.is-plausible",
                ]
            case .crossOrigin: ["platform.spa.*"]
            case .logout: ["logout.redirect.leads-back", "logout.redirect.unregistered-is-not-followed"]
            case .claims:
                [
                    "idtoken.claims.of-scopes-are-present", "idtoken.groups.are-lists", "userinfo.email.is-present",
                    "userinfo.email-verified.is-true", "platform.firebase.email-verified.is-true",
                    "platform.id-token.claims-are-present", "platform.id-token.email-is-*",
                    "platform.user.claims-are-present", "platform.user.email-is-verified",
                    "platform.userinfo.claims-are-present",
                ]
            case .scopes:
                ["scopes", "platform.microsoft.scopes.are-granted", "token.scope.holds-what-was-asked"]
            }
        }

        func matches(_ subject: String) -> Bool {
            patterns.contains { CheckPattern.matches($0, subject) }
        }
    }
}
