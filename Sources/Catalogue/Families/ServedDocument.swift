import Conformance
import JSONTree

/// How a public JSON document is served: the common rules for the discovery document and the key set.
///
/// The check of each document adds the citation and the level; the rule is the same.
struct ServedDocument<Parsed: Sendable>: Sendable {
    let stage: Stage
    /// The name of the document in a sentence.
    let name: String
    /// The document that the run fetches again with another User-Agent.
    let document: PublicDocument
    /// The last response of the redirect chain, whatever its status.
    let answer: Query<Exchange>
    /// The response to the first request.
    let first: Query<Exchange>
    /// Its bytes, from a response with a success status or from a file.
    let text: Query<[UInt8]>
    let parsed: Query<Parsed>
    let parsedFrom: @Sendable (Parsed) -> JSONDocument

    private func id(_ statement: String) -> CheckID { CheckID("\(stage.rawValue).\(statement)") }

    /// - Parameter missing: The fix if there is no document.
    func isFound(
        _ title: String,
        _ citation: Citation,
        why: String,
        missing: @escaping @Sendable (Facts) -> String
    ) -> Check {
        Check(
            id("response.status-is-200"),
            title,
            .must,
            .signIn,
            citation,
            why: why,
            reads: answer,
            supersededBy: [id("response.stays-on-https")],
            finding: { exchange, facts in
                guard let status = exchange.response?.status, status != 200 else { return nil }
                return Finding(
                    "The request for \(exchange.request.url.quoted) returns HTTP status \(status).",
                    at: "status",
                    expected: "HTTP status 200",
                    found: "HTTP status \(status)",
                    fix: status == 404 || status == 410 ? missing(facts) : StatusAdvice.fix(exchange, name)
                )
            }
        )
    }

    /// - Parameters:
    ///   - expected: The expected object.
    ///   - serve: The fix, as a sentence.
    func isAnObject(_ title: String, _ citation: Citation, why: String, expected: String, serve: String) -> Check {
        Check(
            id("response.is-a-json-object"),
            title,
            .must,
            .signIn,
            citation,
            why: why,
            reads: text,
            supersededBy: [id("response.status-is-200")]
        ) { bytes, _ in BrokenText.findings(bytes, name, expected: expected, serve: serve) }
    }

    /// - Parameters:
    ///   - expected: The allowed media types, as text for the report.
    ///   - isRight: Whether a media type, in lower case and without parameters, is allowed.
    func isMarkedAsJSON(
        _ title: String,
        _ requirement: Requirement,
        _ citation: Citation,
        why: String,
        expected: String,
        isRight: @escaping @Sendable (_ type: String) -> Bool
    ) -> Check {
        Check(
            id("response.content-type-is-json"),
            title,
            requirement,
            .signIn,
            citation,
            why: why,
            reads: answer,
            exempt: DiscoveryQueries.unlessSuccessful,
            finding: { exchange, _ in
                let type = exchange.response?.mediaType ?? ""
                if isRight(type) { return nil }
                return Finding(
                    "\(name.sentenceStart) is served "
                        + (type.isEmpty ? "without a media type." : "as \(type.quoted)."),
                    at: "Content-Type",
                    expected: expected,
                    found: type.isEmpty ? "no Content-Type" : type.shown(),
                    fix: "Send Content-Type: application/json with \(name): every client accepts it."
                )
            }
        )
    }

    /// Java's HTTP client and others follow 301, 302 and 307, and not 308.
    func isNotRedirectedBy308(_ title: String) -> Check {
        Check(
            id("response.is-not-redirected-by-308"),
            title,
            // Measured: eight of twenty clients.
            .must,
            .signIn,
            Citation(.rfc9110, "15.4", "the user agent MAY automatically redirect its request"),
            why: "Clients in Java, JavaScript, Rust and Ruby do not follow status 308, and get no document.",
            reads: first,
            supersededBy: [id("response.status-is-200"), id("response.stays-on-https")],
            finding: { exchange, _ in
                guard exchange.response?.status == 308 else { return nil }
                return Finding(
                    "The request for \(name) is redirected with HTTP status 308.",
                    at: "status",
                    expected: "HTTP status 200",
                    found: "HTTP status 308",
                    fix: "Serve \(name) at the requested URL, or redirect with status 301 or 302."
                )
            }
        )
    }

    /// - Parameter fix: The fix, for the requested address.
    func isNotRedirected(
        _ title: String,
        _ citation: Citation,
        why: String,
        fix: @escaping @Sendable (_ address: String) -> String
    ) -> Check {
        Check(
            id("response.is-not-redirected"),
            title,
            .risk,
            .signIn,
            citation,
            why: why,
            reads: first,
            supersededBy: [id("response.status-is-200"), id("response.stays-on-https")],
            finding: { exchange, _ in
                guard let response = exchange.response, (300...399).contains(response.status) else { return nil }
                let place = response.header("Location")
                return Finding(
                    "The request for \(name) is redirected" + (place.map { " to \($0.quoted)." } ?? "."),
                    at: "Location",
                    expected: "HTTP status 200 at the first request",
                    found: "HTTP status \(response.status)",
                    fix: fix(exchange.request.url)
                )
            }
        )
    }

    /// The last response, whose redirect to http the run does not follow, does not redirect from https to http.
    func staysOnHTTPS(_ title: String, _ citation: Citation, why: String) -> Check {
        Check(
            id("response.stays-on-https"),
            title,
            .must,
            .safety,
            citation,
            why: why,
            reads: answer,
            finding: { exchange, _ in
                guard let response = exchange.response, [301, 302, 303, 307, 308].contains(response.status),
                    exchange.request.url.hasScheme("https"), let place = response.header("Location"),
                    place.hasScheme("http")
                else { return nil }
                return Finding(
                    "The request for \(name) is redirected from https to http, to \(place.quoted).",
                    at: "Location",
                    expected: "\(name) at an https address",
                    found: place.shown(),
                    fix:
                        "Serve \(name) over https at \(exchange.request.url.quoted) itself, and do not redirect to http."
                )
            }
        )
    }

    func hasNoByteOrderMark(_ title: String) -> Check {
        Check(
            id("response.has-no-byte-order-mark"),
            title,
            .must,
            .signIn,
            ByteOrderMark.citation,
            why: ByteOrderMark.why,
            reads: parsed,
            finding: { parsed, _ in
                guard parsedFrom(parsed).hadByteOrderMark else { return nil }
                return Finding(
                    "\(name.sentenceStart) begins with the byte order mark U+FEFF.",
                    expected: "{ as the first character",
                    found: "EF BB BF",
                    fix: "Save or generate \(name) as UTF-8 without a byte order mark."
                )
            }
        )
    }

    func hasNoDuplicates(_ title: String, _ requirement: Requirement, _ citation: Citation) -> Check {
        Check(
            id("response.has-no-duplicate-members"),
            title,
            requirement,
            .signIn,
            citation,
            why: "If a member appears twice, some clients use the first value and others the last.",
            reads: parsed
        ) { parsed, _ in parsedFrom(parsed).repetitions }
    }

    func statesItsLifetime(_ title: String, why: String) -> Check {
        Check(
            id("cache-control.is-present"),
            title,
            .may,
            .conformance,
            Citation(.rfc9111, "4.2.2", "a cache MAY assign a heuristic expiration time"),
            why: why,
            reads: answer,
            exempt: DiscoveryQueries.unlessSuccessful,
            finding: { exchange, _ in
                if CacheControl(exchange) != nil || exchange.response?.header("Expires") != nil { return nil }
                return Finding(
                    "\(name.sentenceStart) is served without Cache-Control.",
                    at: "Cache-Control",
                    expected: "public, max-age=3600",
                    found: "no such field",
                    fix: "Send Cache-Control: public, max-age=3600 with \(name)."
                )
            }
        )
    }

    func allowsStoring(_ title: String, why: String) -> Check {
        Check(
            id("cache-control.allows-storing"),
            title,
            .may,
            .conformance,
            Citation(.rfc9111, "5.2.2.5", "MUST NOT store any part of either the immediate request or the response"),
            why: why,
            reads: answer,
            exempt: DiscoveryQueries.unlessSuccessful,
            finding: { exchange, _ in
                guard let control = CacheControl(exchange), control.has("no-store") else { return nil }
                return Finding(
                    "\(name.sentenceStart) is served with Cache-Control: no-store.",
                    at: "Cache-Control",
                    expected: "public, max-age=3600",
                    found: exchange.response?.joinedHeader("Cache-Control")?.shown(),
                    fix: "Send Cache-Control: public, max-age=3600 with \(name), which contains no secret."
                )
            }
        )
    }

    func isServedToEveryAgent(_ title: String, why: String) -> Check {
        Check(
            id("agents.are-treated-alike"),
            title,
            .risk,
            .signIn,
            Citation(.experience, "", "bot protection that answers 403 or a page to what is no browser"),
            why: why,
            reads: Refetched.agents(document),
            exempt: AgentRule.unlessServedToAny
        ) { agents, _ in AgentRule.findings(agents, document) }
    }

    func isServedByHEAD(_ title: String) -> Check {
        Check(
            id("head.is-answered"),
            title,
            // No relying party is known to send it; monitors and caches do.
            .should,
            .conformance,
            Citation(.rfc9110, "9.1", "All general-purpose servers MUST support the methods GET and HEAD."),
            why: "Monitors and link checkers that send HEAD report the provider as down.",
            reads: Refetched.agents(document) { $0 == .head },
            exempt: { agents, facts in
                guard agents.own.response.map({ (200...299).contains($0.status) }) == true else {
                    return "\(document.name) also fails with GET"
                }
                // Status 501 says that the server does not support the method (RFC 9110 section 15.6.2).
                return agents.other.response?.status == 501 ? nil : AgentRule.unlessServerError(agents, facts)
            },
            finding: { agents, _ in
                guard let status = agents.other.response?.status, status >= 400 else { return nil }
                return Finding(
                    "A HEAD request for \(document.name) returns HTTP status \(status).",
                    at: "status",
                    expected: "the status and header of the response to GET",
                    found: "HTTP status \(status)",
                    fix: "Handle HEAD requests like GET requests, and omit the body.",
                    exchange: agents.other.id
                )
            }
        )
    }

    /// - Parameters:
    ///   - same: The name in the check identifier: `document`, `keys`.
    ///   - between: The differences between two responses.
    func isTheSameAtEveryAddress(
        _ same: String,
        _ title: String,
        _ citation: Citation,
        why: String,
        reads query: Query<Refetched.DocumentAtAddress<Parsed>>,
        between: @escaping @Sendable (_ first: Parsed, _ other: Parsed) -> [Finding]
    ) -> Check {
        Check(
            id("addresses.serve-the-same-\(same)"),
            title,
            .risk,
            .signIn,
            citation,
            why: why,
            reads: query,
            supersededBy: [id("response.is-the-same-again"), "transport.answers.are-no-server-errors"]
        ) { elsewhere, _ in
            if let other = elsewhere.other { return between(elsewhere.first, other) }
            let status = elsewhere.exchange.response?.status ?? 0
            return [
                Finding(
                    "\(name.sentenceStart) is not served at this address.",
                    at: "status",
                    expected: "the same response as at the host's other addresses",
                    found: (200...299).contains(status) ? "no JSON object" : "HTTP status \(status)",
                    fix: "Update the server at \(elsewhere.address.address), or remove its address from DNS.",
                    exchange: elsewhere.exchange.id
                )
            ]
        }
    }
}

extension String {
    /// Whether the text begins with the scheme and a colon, in any letter case (RFC 3986 section 3.1).
    fileprivate func hasScheme(_ scheme: String) -> Bool { lowercased().hasPrefix(scheme + ":") }
}
