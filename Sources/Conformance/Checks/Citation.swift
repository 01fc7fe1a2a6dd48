/// The source of a rule: the document, the section, and the few words relied on.
package struct Citation: Sendable, Hashable, CustomStringConvertible {
    package let document: Specification
    /// The section's number, `3.1.3.7`; empty when the document as a whole is meant.
    package let section: String
    /// The words of the document that the check relies on, short enough to compare at a glance; what was seen, in our own
    /// words, where ``isQuotation`` is false.
    package let words: String

    package init(_ document: Specification, _ section: String, _ words: String) {
        self.document = document
        self.section = section
        self.words = words
    }

    package var description: String {
        section.isEmpty ? document.title : "\(document.title), section \(section)"
    }

    /// The address of the section.
    package var link: String { document.link(section: section) }

    /// Whether the words are a quotation from the document, so that they may be shown in quotation marks.
    package var isQuotation: Bool { document.isQuoted }
}

/// A document that rules are cited from; those of a platform are beside its checks.
package struct Specification: Sendable {
    package let title: String
    /// Whether cited words are quotations; those of recordings and reports are a summary.
    let isQuoted: Bool
    private let address: @Sendable (_ section: String) -> String

    /// - Parameter address: The https address of a section; of the document where the section is empty.
    package init(_ title: String, isQuoted: Bool = true, address: @escaping @Sendable (_ section: String) -> String) {
        self.title = title
        self.isQuoted = isQuoted
        self.address = address
    }

    /// A document whose sections have no addresses of their own.
    package init(_ title: String, at page: String, isQuoted: Bool = true) {
        self.init(title, isQuoted: isQuoted) { _ in page }
    }

    func link(section: String) -> String { address(section) }

    /// A document of the RFC series; appendices are lettered.
    private static func rfc(_ number: Int) -> Specification {
        Specification("RFC \(number)") { section in
            let anchor = section.first.map { ($0.isLetter ? "#appendix-" : "#section-") + section } ?? ""
            return "https://www.rfc-editor.org/rfc/rfc\(number)" + anchor
        }
    }

    /// A document of the OpenID Foundation.
    private static func openID(_ title: String, _ name: String) -> Specification {
        Specification(title) { section in
            "https://openid.net/specs/\(name).html" + (section.isEmpty ? "" : "#rfc.section.\(section)")
        }
    }
}

extension Specification: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.title == right.title }

    package func hash(into hasher: inout Hasher) { hasher.combine(title) }
}

// MARK: OpenID Connect

extension Specification {
    package static let core = openID("OpenID Connect Core 1.0", "openid-connect-core-1_0")
    package static let discovery = openID("OpenID Connect Discovery 1.0", "openid-connect-discovery-1_0")
    package static let registration = openID(
        "OpenID Connect Dynamic Client Registration 1.0",
        "openid-connect-registration-1_0"
    )
    package static let multipleResponseTypes = openID(
        "OAuth 2.0 Multiple Response Type Encoding Practices",
        "oauth-v2-multiple-response-types-1_0"
    )
    package static let formPostResponseMode = openID(
        "OAuth 2.0 Form Post Response Mode",
        "oauth-v2-form-post-response-mode-1_0"
    )
    package static let rpInitiatedLogout = openID(
        "OpenID Connect RP-Initiated Logout 1.0",
        "openid-connect-rpinitiated-1_0"
    )
    package static let sessionManagement = openID(
        "OpenID Connect Session Management 1.0",
        "openid-connect-session-1_0"
    )
    package static let frontChannelLogout = openID(
        "OpenID Connect Front-Channel Logout 1.0",
        "openid-connect-frontchannel-1_0"
    )
    package static let backChannelLogout = openID(
        "OpenID Connect Back-Channel Logout 1.0",
        "openid-connect-backchannel-1_0"
    )
}

// MARK: RFCs

extension Specification {
    /// The draft by which browsers keep cookies.
    package static let rfc6265bis = Specification("RFC 6265bis (draft)") { section in
        "https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis"
            + (section.isEmpty ? "" : "#section-\(section)")
    }
    /// The draft by which a client's identifier is the address of its metadata.
    package static let clientDocuments = Specification("OAuth Client ID Metadata Document (draft 02)") { section in
        "https://datatracker.ietf.org/doc/html/draft-ietf-oauth-client-id-metadata-document-02"
            + (section.isEmpty ? "" : "#section-\(section)")
    }
    /// Its sections are cited by the names of directives.
    package static let contentSecurityPolicy = Specification("Content Security Policy Level 3") { directive in
        "https://www.w3.org/TR/CSP3/" + (directive.isEmpty ? "" : "#directive-\(directive)")
    }
    package static let rfc3986 = rfc(3986)
    package static let rfc5280 = rfc(5280)
    package static let rfc5646 = rfc(5646)
    package static let rfc5849 = rfc(5849)
    package static let rfc6265 = rfc(6265)
    package static let rfc6749 = rfc(6749)
    package static let rfc6750 = rfc(6750)
    package static let rfc6797 = rfc(6797)
    package static let rfc7009 = rfc(7009)
    package static let rfc7515 = rfc(7515)
    package static let rfc7516 = rfc(7516)
    package static let rfc7517 = rfc(7517)
    package static let rfc7518 = rfc(7518)
    package static let rfc7519 = rfc(7519)
    package static let rfc7523 = rfc(7523)
    package static let rfc7591 = rfc(7591)
    package static let rfc7592 = rfc(7592)
    package static let rfc7636 = rfc(7636)
    package static let rfc7662 = rfc(7662)
    package static let rfc7797 = rfc(7797)
    package static let rfc8017 = rfc(8017)
    package static let rfc8037 = rfc(8037)
    package static let rfc8252 = rfc(8252)
    package static let rfc8259 = rfc(8259)
    package static let rfc8414 = rfc(8414)
    package static let rfc8628 = rfc(8628)
    package static let rfc8705 = rfc(8705)
    package static let rfc8707 = rfc(8707)
    package static let rfc8725 = rfc(8725)
    package static let rfc9110 = rfc(9110)
    package static let rfc9111 = rfc(9111)
    package static let rfc9112 = rfc(9112)
    package static let rfc9126 = rfc(9126)
    package static let rfc9207 = rfc(9207)
    package static let rfc9325 = rfc(9325)
    package static let rfc9449 = rfc(9449)
    package static let rfc9700 = rfc(9700)
}

// MARK: Others

extension Specification {
    /// A rule that profiles state: each platform's requirement, reason and source are in its profile.
    package static let profile = Specification(
        "The platform's own rules, as its profile states them",
        at: Publication.link(to: "Documentation/Profiles.md#rules"),
        isQuoted: false
    )
    /// Not specified: the reason is in the check itself.
    package static let experience = Specification(
        "reports of broken registrations",
        at: Publication.link(to: "Documentation/Coverage/misconfigurations.md"),
        isQuoted: false
    )
}
