/// One hop of the way through the provider's pages.
package struct PageVisit: Sendable, Hashable, Codable {
    package var exchange: Int
    package var page: PageSummary?
    /// The names of the fields that were filled in.
    package var filled: [String]
    /// The button that was pressed to get here, as `name=value` or by its words.
    package var pressed: String?
    /// The form that browsers would not have sent from here, or whose redirect they would not have followed; `nil` for none.
    package var blockedForm: BlockedForm?
    /// The cookies that the answer sets and browsers throw away; `nil` for none.
    package var refusedCookies: [RefusedCookie]?
    /// The names of cookies that the request did not carry because they are for requests of the site itself (`SameSite=Strict`); `nil` for
    /// none.
    package var withheldCookies: [String]?

    /// A cookie that browsers throw away.
    package struct RefusedCookie: Sendable, Hashable, Codable {
        package enum CookieProblem: String, Sendable, Codable {
            /// `SameSite=None` without `Secure`.
            case noneWithoutSecure
            /// A name that begins with `__Secure-`, without `Secure`.
            case prefixWithoutSecure
            /// A name that begins with `__Host-`, without `Secure` and `Path=/`, or with `Domain`.
            case hostPrefix

            /// The problem of the cookie, in a few words.
            package var words: String {
                switch self {
                case .noneWithoutSecure: "SameSite=None without Secure"
                case .prefixWithoutSecure: "a name with __Secure-, without Secure"
                case .hostPrefix: "a name with __Host-, without Secure and Path=/, or with Domain"
                }
            }
        }

        package var name: String
        package var flaw: CookieProblem

        package init(name: String, flaw: CookieProblem) {
            self.name = name
            self.flaw = flaw
        }
    }

    /// A form that a Content Security Policy keeps from its destination.
    package struct BlockedForm: Sendable, Hashable, Codable {
        /// `form-action 'self'`.
        package var directive: String
        /// The page with the form.
        package var page: String
        /// The target of the form or its redirect, without a query.
        package var target: String

        package init(directive: String, page: String, target: String) {
            self.directive = directive
            self.page = page
            self.target = target
        }
    }

    package init(exchange: Int, page: PageSummary? = nil, filled: [String] = [], pressed: String? = nil) {
        self.exchange = exchange
        self.page = page
        self.filled = filled
        self.pressed = pressed
    }
}
