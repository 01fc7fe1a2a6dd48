import Conformance
import JSONTree

/// How the discovery document is served.
enum DiscoveryResponseChecks {
    static let statusIs200 = Check(
        "discovery.response.status-is-200",
        "The discovery document is found at the issuer",
        .must,
        .signIn,
        Citation(.discovery, "4.2", "A successful response MUST use the 200 OK HTTP status code"),
        why: "Without the document nothing can be registered: every client gives up at the first step.",
        reads: DiscoverySlots.answer,
        excusedBy: ["discovery.response.stays-on-https"]
    ) { exchange, facts in
        ServedDocumentRules.otherStatus(exchange, "the discovery document", missing: missingDocumentAdvice(facts))
    }

    static let isObject = Check(
        "discovery.response.is-a-json-object",
        "The discovery document is a JSON object",
        .must,
        .signIn,
        Citation(.discovery, "4.2", "return a JSON object using the application/json content type"),
        why: "A page of HTML or a truncated text cannot be read: clients report a parse error and give up.",
        reads: DiscoverySlots.text,
        excusedBy: ["discovery.response.status-is-200"]
    ) { octets, _ in
        BrokenText.findings(octets, "the document", expected: "a JSON object", serve: "one JSON object at this address")
    }

    static let contentType = Check(
        "discovery.response.content-type-is-json",
        "The discovery document is served as application/json",
        .must,
        .signIn,
        Citation(.discovery, "4.2", "return a JSON object using the application/json content type"),
        why: "Some clients refuse, and some misread, a document that is declared as something else.",
        reads: DiscoverySlots.answer,
        exempt: DiscoverySlots.unlessSuccessful
    ) { exchange, _ in
        ServedDocumentRules.mediaType(
            exchange,
            "the discovery document",
            isRight: { $0 == "application/json" },
            expected: "application/json",
            fix: "Send Content-Type: application/json with the discovery document."
        )
    }

    static let notRedirected = Check(
        "discovery.response.is-not-redirected",
        "The discovery document is served without a redirect",
        .risk,
        .signIn,
        Citation(.discovery, "4.2", "A successful response MUST use the 200 OK HTTP status code"),
        why: "Many clients do not follow redirects to the document, and those that do may take another issuer's.",
        reads: Documents.discoveryResponse,
        excusedBy: ["discovery.response.status-is-200", "discovery.response.stays-on-https"]
    ) { exchange, _ in
        ServedDocumentRules.redirect(
            exchange,
            "the document",
            fix: "Serve the document itself at \(exchange.request.url.quoted)."
        )
    }

    static let staysOnHTTPS = DowngradeRule.check(
        "discovery.response.stays-on-https",
        "The request for the discovery document is not redirected to http",
        Citation(.discovery, "7.2", "TLS certificate checking MUST be performed by the RP"),
        why: "Whoever sits on the way answers in the provider's place, and chooses where passwords and codes are sent.",
        "the discovery document",
        reads: DiscoverySlots.answer
    )

    static let noByteOrderMark = Check(
        "discovery.response.has-no-byte-order-mark",
        "The discovery document does not begin with a byte order mark",
        .must,
        .signIn,
        Citation(.rfc8259, "8.1", "Implementations MUST NOT add a byte order mark"),
        why: "A strict parser stops at the mark, which no editor shows.",
        reads: Documents.discovery
    ) { metadata, _ in
        ServedDocumentRules.byteOrderMark(
            metadata.document.hadByteOrderMark,
            "the document",
            fix: "Save the document, or write its answer, as UTF-8 without a byte order mark."
        )
    }

    static let noDuplicates = Check(
        "discovery.response.has-no-duplicate-members",
        "Every member of the discovery document is stated once",
        .should,
        .signIn,
        Citation(.rfc8259, "4", "The names within an object SHOULD be unique"),
        why: "Of a member that is stated twice, one client takes the first value and another the last.",
        reads: Documents.discovery
    ) { metadata, _ in
        metadata.document.repetitions
    }

    static let isStable = Check(
        "discovery.response.is-the-same-again",
        "Two requests for the discovery document get the same document",
        .risk,
        .signIn,
        Citation(.experience, "", "servers of one provider answered with different metadata"),
        why: "When the servers behind one address disagree, sign-in fails now and then, and nobody can repeat it.",
        reads: Documents.discoveryTwice
    ) { pair, _ in
        Differences.between(pair.0, pair.1, "changed between two requests of one run")
    }

    static let all: [Check] = [
        statusIs200, isObject, contentType, notRedirected, staysOnHTTPS, noByteOrderMark, noDuplicates, isStable,
    ]

    /// What to do when there is no document: the suffix typed by mistake, another place that answered, or none.
    private static func missingDocumentAdvice(_ facts: Facts) -> String {
        let asked = facts.target.issuer
        if let issuer = IssuerDifference.withoutWellKnownSuffix(asked) {
            return "Register \(issuer.quoted): an issuer is given without /.well-known/openid-configuration."
        }
        if let found = facts.evidence.suggestions.first {
            return "Register \(found.issuer.quoted): a document that states this issuer is at \(found.address.quoted)."
        }
        return "Serve the document at the issuer's address followed by /.well-known/openid-configuration, "
            + "or register the issuer that the provider's documentation names."
    }
}
