import JOSE
import Transport

/// The part of a page's Content Security Policy that decides whether its forms are sent (CSP Level 3).
///
/// Firefox does not apply the policy to a redirect after a form; Chromium does, and so does this type.
struct ContentSecurityPolicy: Sendable {
    private let directives: [String: [String]]

    /// The enforced policies of a page: those of its header fields and of its `meta` elements.
    static func policies(of response: HTTPResponse, _ page: HTMLPage) -> [Self] {
        let header = response.headers(named: "Content-Security-Policy")
            .flatMap { $0.split(separator: ",").map { Self(String($0)) } }
        return header + page.policies.map { Self($0, isOfMeta: true) }
    }

    /// - Parameter isOfMeta: Whether it is that of a `meta` element, in which `sandbox` counts for nothing.
    init(_ text: String, isOfMeta: Bool = false) {
        var directives: [String: [String]] = [:]
        // A directive with other characters is ignored (CSP Level 3, section 2.2.1).
        for directive in text.split(separator: ";") where directive.utf8.allSatisfy({ $0 < 0x80 }) {
            let words = directive.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let name = words.first?.lowercased(), directives[name] == nil else { continue }
            directives[name] = Array(words.dropFirst())
        }
        if isOfMeta { directives["sandbox"] = nil }
        self.directives = directives
    }

    /// The directive that keeps a form of the page from being sent to an address, or from being redirected there; `nil` if it may.
    func directive(blockingFormTo target: String, on page: WebURL, isRedirected: Bool) -> String? {
        if let words = directives["sandbox"], !words.contains(where: { $0.lowercased() == "allow-forms" }) {
            return Self.shown("sandbox", words)
        }
        guard let sources = directives["form-action"],
            !sources.contains(where: { Self.source($0, matches: target, on: page, isRedirected: isRedirected) })
        else { return nil }
        return Self.shown("form-action", sources)
    }

    /// The directive that keeps every script of the page from running; `nil` if one may run.
    func directive(blockingScriptsOf html: HTMLPage, on page: WebURL) -> String? {
        if let words = directives["sandbox"], !words.contains(where: { $0.lowercased() == "allow-scripts" }) {
            return Self.shown("sandbox", words)
        }
        let ofElements = first("script-src-elem", "script-src", "default-src")
        let ofHandlers = first("script-src-attr", "script-src", "default-src")
        let runsElement = html.scripts.contains { script in
            ofElements.map { Self.allows($0.sources, script, on: page) } ?? true
        }
        let runsHandler =
            html.onload.map { code in ofHandlers.map { Self.allows($0.sources, handler: code) } ?? true } ?? false
        guard !runsElement, !runsHandler, let blocking = html.scripts.isEmpty ? ofHandlers : ofElements else {
            return nil
        }
        return Self.shown(blocking.name, blocking.sources)
    }

    private func first(_ names: String...) -> (name: String, sources: [String])? {
        names.lazy.compactMap { name in directives[name].map { (name, $0) } }.first
    }

    private static func shown(_ name: String, _ words: [String]) -> String {
        ([name] + words).joined(separator: " ").bounded(200)
    }

    // MARK: Scripts

    private static func allows(_ sources: [String], _ script: HTMLScript, on page: WebURL) -> Bool {
        if let nonce = script.nonce, sources.contains("'nonce-\(nonce)'") { return true }
        if let reference = script.reference {
            let target = page.resolve(reference)?.text ?? reference
            let isStrict = sources.contains { $0.lowercased() == "'strict-dynamic'" }
            return !isStrict && sources.contains { source($0, matches: target, on: page, isRedirected: false) }
        }
        return allowsAllInline(sources) || sources.contains { isHash($0, of: script.code) }
    }

    private static func allows(_ sources: [String], handler code: String) -> Bool {
        let takesHashes = sources.contains { $0.lowercased() == "'unsafe-hashes'" }
        return allowsAllInline(sources) || takesHashes && sources.contains { isHash($0, of: code) }
    }

    /// `'unsafe-inline'` counts for nothing beside a nonce or a hash.
    private static func allowsAllInline(_ sources: [String]) -> Bool {
        let words = sources.map { $0.lowercased() }
        return words.contains("'unsafe-inline'")
            && !words.contains { word in
                ["'nonce-", "'sha256-", "'sha384-", "'sha512-"].contains { word.hasPrefix($0) }
                    || word == "'strict-dynamic'"
            }
    }

    private static func isHash(_ source: String, of code: String) -> Bool {
        let bytes = Array(code.utf8)
        for (name, hash) in [("sha256", Hashes.sha256), ("sha384", Hashes.sha384), ("sha512", Hashes.sha512)]
        where source.lowercased().hasPrefix("'\(name)-") {
            let stated = source.dropFirst(name.count + 2).dropLast()
            return Base64URL.decodeLeniently(stated) == hash(bytes)
        }
        return false
    }

    // MARK: Addresses

    private static func source(
        _ source: String,
        matches target: String,
        on page: WebURL,
        isRedirected: Bool
    ) -> Bool {
        let scheme = target.prefix { $0 != ":" }.lowercased()
        let source = source.lowercased()
        if source == "*" { return ["http", "https"].contains(scheme) || scheme == page.scheme }
        if source == "'self'" {
            guard let url = WebURL(target), url.host == page.host else { return false }
            if url.origin == page.origin { return true }
            let haveDefaultPorts = url.port == nil && page.port == nil
            return page.scheme == "http" && url.scheme == "https" && haveDefaultPorts
        }
        if source.hasPrefix("'") { return false }
        if source.hasSuffix(":"), !source.dropLast().contains(where: { ":/".contains($0) }) {
            return matches(scheme: String(source.dropLast()), scheme)
        }
        guard let url = WebURL(target) else { return false }
        var rest = source[...]
        var stated: String?
        if let end = source.firstRange(of: "://") {
            stated = String(source[..<end.lowerBound])
            rest = source[end.upperBound...]
        }
        guard matches(scheme: stated ?? page.scheme, url.scheme) else { return false }
        let authority = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(authority.count)
        var host = authority
        var port: Substring?
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            host = authority[..<colon]
            port = authority[authority.index(after: colon)...]
        }
        let isHost = host.hasPrefix("*.") ? url.host.hasSuffix(host.dropFirst()) : host == "*" || url.host == host
        let isPort =
            switch port {
            case "*"?: true
            case let port?: Int(port) == url.effectivePort || port == "80" && url.effectivePort == 443
            case nil: url.port == nil || url.effectivePort == (url.scheme == "https" ? 443 : 80)
            }
        guard isHost, isPort else { return false }
        // A page must not learn a redirect's path by trial.
        if isRedirected || path.isEmpty || path == "/" { return true }
        let sent = url.path.lowercased()
        return path.hasSuffix("/") ? sent.hasPrefix(path) : sent == path
    }

    /// An encrypted connection is as good as the one that is allowed.
    private static func matches(scheme allowed: String, _ scheme: String) -> Bool {
        allowed == scheme || allowed == "http" && scheme == "https"
    }
}

/// The policies of the page whose form was sent; they also apply to the redirects that follow.
struct PageGuard: Sendable {
    var policies: [ContentSecurityPolicy]
    var page: WebURL

    /// The target that a browser blocks; `nil` if it does not.
    func block(to target: String, isRedirected: Bool) -> BlockedForm? {
        policies.lazy
            .compactMap { $0.directive(blockingFormTo: target, on: page, isRedirected: isRedirected) }
            .first
            .map {
                BlockedForm(directive: $0, page: Redaction.maskingQuery(page).bounded(300), target: Self.place(target))
            }
    }

    /// The directive that keeps a page from sending its form to an address by itself; `nil` where none does.
    func directive(blocking html: HTMLPage, to target: String) -> String? {
        block(to: target, isRedirected: false)?.directive
            ?? policies.lazy.compactMap { $0.directive(blockingScriptsOf: html, on: page) }.first
    }

    /// The address without its query: it may be a response.
    private static func place(_ target: String) -> String {
        String(target.prefix { $0 != "?" && $0 != "#" }).bounded(300)
    }
}

/// A form that browsers do not send, or whose redirect they do not follow.
package struct BlockedForm: Sendable, Hashable {
    /// `form-action 'self'`.
    package var directive: String
    /// The address of the page with the form, the values of its query masked.
    package var page: String
    /// The target of the form or its redirect, without a query.
    package var target: String
}

/// A script of a page.
package struct HTMLScript: Sendable, Hashable {
    var nonce: String?
    /// The address of its code, as written; `nil` for inline code.
    var reference: String?
    var code: String
}
