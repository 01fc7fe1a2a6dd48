package import Conformance

/// The heads of the responses that clients read: libcurl accepts what the parsers of other clients reject.
package enum HeadChecks {
    static let names = check(
        "names-are-tokens",
        "The names of header fields have no invalid characters",
        .must,
        Citation(
            .rfc9110,
            "5.1",
            "A field name labels the corresponding field value as having the semantics defined by that name."
        ),
        why: "Clients in Go, JavaScript and Rust reject the whole response."
    ) { response in
        // A space before the colon is another mistake, which most clients ignore.
        response.headers.map(\.name).first { !isToken($0.trimmingASCIISpace) }
            .map {
                Fault(
                    "a header field named \($0.quoted)",
                    $0,
                    at: $0.shown(),
                    expected: "letters, digits and hyphens",
                    fix: "Rename the header field, or remove it."
                )
            }
    }

    static let lengthIsANumber = check(
        "content-length-is-a-number",
        "Content-Length is one number",
        .must,
        Citation(.rfc9110, "8.6", "the associated representation's data length as a decimal non-negative integer"),
        why: "Clients in Go, JavaScript and Java reject the whole response."
    ) { response in
        response.values("Content-Length").first { $0.isEmpty || !$0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
            .map {
                Fault(
                    "Content-Length: \($0.shown())",
                    $0,
                    at: "Content-Length",
                    expected: "one number of bytes",
                    fix: "Send Content-Length with one number."
                )
            }
    }

    static let lengthIsStatedOnce = check(
        "content-length-is-stated-once",
        "A response has one Content-Length",
        .must,
        Citation(.rfc9110, "5.3", "a sender MUST NOT generate multiple field lines with the same name in a message"),
        why: "Clients in JavaScript reject the whole response."
    ) { response in
        let values = response.values("Content-Length")
        guard values.count > 1 else { return nil }
        return Fault(
            "\(values.count) Content-Length fields",
            values.joined(separator: ", "),
            at: "Content-Length",
            expected: "one header field",
            fix: "Send Content-Length once; a proxy may add the second one."
        )
    }

    static let transferCoding = check(
        "transfer-encoding-is-chunked",
        "Transfer-Encoding, if present, is chunked, once",
        .must,
        Citation(
            .rfc9112,
            "6.1",
            "A sender MUST NOT apply the chunked transfer coding more than once to a message body"
        ),
        why: "Clients in Go reject the whole response."
    ) { response in
        guard let coding = response.joinedHeader("Transfer-Encoding"), coding.lowercased() != "chunked" else {
            return nil
        }
        return Fault(
            "Transfer-Encoding: \(coding.shown())",
            coding,
            at: "Transfer-Encoding",
            expected: "chunked, or no such header field",
            fix: "Send Transfer-Encoding: chunked once, or Content-Length alone; a proxy may add the second one."
        )
    }

    static let framing = check(
        "framing-is-stated-once",
        "A response has Content-Length or Transfer-Encoding, not both",
        .must,
        Citation(
            .rfc9112,
            "6.2",
            "A sender MUST NOT send a Content-Length header field in any message that contains a Transfer-Encoding header field."
        ),
        why:
            "Clients in JavaScript reject the whole response, because an attacker can use such responses to confuse proxies."
    ) { response in
        guard let coding = response.joinedHeader("Transfer-Encoding"), let length = response.header("Content-Length")
        else { return nil }
        return Fault(
            "both Content-Length and Transfer-Encoding",
            "Content-Length: \(length), Transfer-Encoding: \(coding)",
            at: "Content-Length",
            expected: "one of the two header fields",
            fix: "Remove Content-Length from responses with Transfer-Encoding; a proxy may add it."
        )
    }

    static let lines = check(
        "lines-are-well-formed",
        "The lines of a response's header end with CRLF, and none continues on the next line",
        .must,
        Citation(.rfc9112, "2.2", "A sender MUST NOT generate a bare CR"),
        why: "Clients in JavaScript and Rust reject the whole response."
    ) { response in
        guard let fault = response.headFault else { return nil }
        return Fault(
            "a header line with \(fault)",
            fault,
            at: "header",
            expected: "CRLF at the end of every line, and nowhere else",
            fix: "End every header line with CRLF, and join continuation lines, in the server or in its proxy."
        )
    }

    static let count = check(
        "has-at-most-100-fields",
        "A response has at most 100 header fields",
        // Measured: every client in Python.
        .must,
        Citation(.rfc9110, "5.4", "Various ad hoc limitations on individual lengths are found in practice"),
        why: "Clients in Python and Rust reject the whole response."
    ) { response in
        let count = response.headers.count
        guard count > 100 else { return nil }
        return Fault(
            "\(count) header fields",
            "\(count) fields",
            at: "header",
            expected: "at most 100 fields",
            fix: "Remove header fields, such as cookies that no client returns."
        )
    }

    static let size = bounded(
        "is-at-most-64-kib",
        .must,
        limit: 64 << 10,
        why: "Clients in JavaScript and Python reject the whole response.",
        supersededBy: []
    )

    static let ordinarySize = bounded(
        "is-at-most-16-kib",
        .risk,
        limit: 16 << 10,
        why: "Clients on Node.js reject the whole response.",
        supersededBy: [size.id]
    )

    // MARK: Content codings

    static let codingIsGzip = check(
        "content-encoding-is-gzip",
        "A compressed response has the coding gzip, which was requested",
        // Inferred: most of the measured clients decode no other coding.
        .must,
        Citation(
            .rfc9110,
            "12.5.3",
            "the origin server SHOULD send a response without any content coding unless the identity coding is indicated as unacceptable"
        ),
        why: "Clients that requested gzip do not decode another coding, and cannot read the response."
    ) { response in
        guard let coding = response.contentCoding else { return nil }
        let codings = coding.split(separator: ",").map { String($0).trimmingASCIISpace }
        guard codings.contains(where: Self.otherCodings.contains) || codings.count(where: { $0 == "gzip" }) > 1 else {
            return nil
        }
        return Fault(
            "Content-Encoding: \(coding)",
            coding,
            at: "Content-Encoding",
            expected: "gzip, or no coding",
            fix: "Compress responses with gzip, and only if Accept-Encoding lists it."
        )
    }

    static let codingWasRequested = check(
        "content-encoding-was-requested",
        "A response to a request that accepts no compression is not compressed",
        // Inferred: a third of the measured clients decode nothing that they did not request.
        .must,
        Citation(
            .rfc9110,
            "12.5.3",
            "the origin server SHOULD send a response without any content coding unless the identity coding is indicated as unacceptable"
        ),
        why: "Clients that do not request compression cannot read the response.",
        of: \.acceptsNoCoding
    ) { response in
        guard let coding = response.contentCoding, coding == "gzip" else { return nil }
        return Fault(
            "Content-Encoding: \(coding)",
            coding,
            at: "Content-Encoding",
            expected: "no coding",
            fix: "Compress responses only if Accept-Encoding lists the coding."
        )
    }

    static let all: [Check] = [
        names, lines, count, lengthIsANumber, lengthIsStatedOnce, transferCoding, framing, size, ordinarySize,
        codingIsGzip, codingWasRequested,
    ]

    /// Codings that compress (RFC 9110 section 8.4.1); clients treat an unknown name as no coding.
    private static let otherCodings: Set<String> = ["x-gzip", "deflate", "br", "zstd", "compress", "x-compress"]

    // MARK: Helpers

    /// One mistake in a head.
    private struct Fault {
        let what: String
        let found: String
        let pointer: String
        let expected: String
        let fix: String

        init(_ what: String, _ found: String, at pointer: String, expected: String, fix: String) {
            self.what = what
            self.found = found
            self.pointer = pointer
            self.expected = expected
            self.fix = fix
        }
    }

    private static func check(
        _ statement: String,
        _ title: String,
        _ requirement: Requirement,
        _ citation: Citation,
        why: String,
        supersededBy: [CheckID] = [],
        of isMeant: @escaping @Sendable (Exchange) -> Bool = { _ in true },
        fault: @escaping @Sendable (Exchange.Response) -> Fault?
    ) -> Check {
        Check(
            CheckID("transport.head." + statement),
            title,
            requirement,
            .signIn,
            citation,
            why: why,
            reads: responses,
            supersededBy: supersededBy,
            exempt: { exchange, _ in isMeant(exchange) ? nil : "the request accepts compression" },
            finding: { exchange, _ in
                guard let fault = exchange.response.flatMap(fault) else { return nil }
                return Finding(
                    "The response has \(fault.what).",
                    at: fault.pointer,
                    expected: fault.expected,
                    found: fault.found.shown(),
                    fix: fault.fix
                )
            }
        )
    }

    private static func bounded(
        _ statement: String,
        _ requirement: Requirement,
        limit: Int,
        why: String,
        supersededBy: [CheckID]
    ) -> Check {
        check(
            statement,
            "The header of a response has at most \(limit >> 10) KiB",
            requirement,
            Citation(.rfc9110, "5.4", "Various ad hoc limitations on individual lengths are found in practice"),
            why: why,
            supersededBy: supersededBy
        ) { response in
            // A field line has a colon, a space and a line end.
            let bytes = response.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
            guard bytes > limit else { return nil }
            return Fault(
                "a header of \(counted(bytes, "byte"))",
                counted(bytes, "byte"),
                at: "header",
                expected: "at most \(counted(limit, "byte"))",
                fix: "Remove header fields, such as cookies that no client returns."
            )
        }
    }

    /// The documents, and the token and UserInfo responses of the flows.
    package static let responses = Query<Exchange>(
        "each response that a client reads",
        needs: [.discovery],
        features: [],
        whenEmpty: "no response of the provider was received"
    ) { facts in
        let evidence = facts.evidence
        let minimal = (evidence.refetches?.agents ?? []).filter { $0.agent == .none }.map(\.answer.value?.exchange)
        let runs = evidence.target.flows.compactMap { evidence.run(.flow($0)) }
        let calls = runs.flatMap { [$0.token.value?.exchange, $0.userInfo.value?.exchange] }
        return ([evidence.discoveryHops.last, evidence.keysHops.last] + minimal + calls)
            .compactMap { evidence.exchange($0) }.filter { $0.response != nil }
            .map { Sample(.observed($0), label: $0.step, exchange: $0.id) }
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}

extension Exchange {
    /// Whether the request accepts no content coding.
    fileprivate var acceptsNoCoding: Bool {
        request.headers.contains { $0.isNamed("Accept-Encoding") && $0.value == "identity" }
    }
}

extension Exchange.Response {
    /// The values of all fields of that name.
    fileprivate func values(_ name: String) -> [String] { headers.filter { $0.isNamed(name) }.map(\.value) }

    /// `Content-Encoding` in lower case.
    fileprivate var contentCoding: String? { joinedHeader("Content-Encoding")?.lowercased() }
}
