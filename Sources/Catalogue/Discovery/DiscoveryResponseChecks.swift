import Conformance
import JSONTree

/// How the discovery document is served.
enum DiscoveryResponseChecks {
    static let document = ServedDocument(
        stage: .discovery,
        name: "the discovery document",
        document: .discovery,
        answer: DiscoverySlots.answer,
        first: Documents.discoveryResponse,
        text: DiscoverySlots.text,
        parsed: Documents.discovery,
        parsedFrom: \.document
    )

    static let statusIs200 = document.isFound(
        "The discovery document is found at the issuer",
        Citation(.discovery, "4.2", "A successful response MUST use the 200 OK HTTP status code"),
        why: "Without the document nothing can be registered: every client gives up at the first step.",
        missing: missingDocumentAdvice
    )

    static let isObject = document.isAnObject(
        "The discovery document is a JSON object",
        Citation(.discovery, "4.2", "return a JSON object using the application/json content type"),
        why: "A page of HTML or a truncated text cannot be read: clients report a parse error and give up.",
        expected: "a JSON object",
        serve: "one JSON object at this address"
    )

    static let contentType = document.isMarkedAsJSON(
        "The discovery document is served as application/json",
        .must,
        Citation(.discovery, "4.2", "return a JSON object using the application/json content type"),
        why: "Some clients refuse, and some misread, a document that is declared as something else.",
        expected: "application/json",
        isRight: { $0 == "application/json" }
    )

    static let notRedirected = document.isNotRedirected(
        "The discovery document is served without a redirect",
        Citation(.discovery, "4.2", "A successful response MUST use the 200 OK HTTP status code"),
        why: "Many clients do not follow redirects to the document, and those that do may take another issuer's.",
        fix: { "Serve the document itself at \($0.quoted)." }
    )

    static let staysOnHTTPS = document.staysOnHTTPS(
        "The request for the discovery document is not redirected to http",
        Citation(.discovery, "7.2", "TLS certificate checking MUST be performed by the RP"),
        why: "Whoever sits on the way answers in the provider's place, and chooses where passwords and codes are sent."
    )

    static let noByteOrderMark = document.hasNoByteOrderMark(
        "The discovery document does not begin with a byte order mark"
    )

    static let noDuplicates = document.hasNoDuplicates(
        "Every member of the discovery document is stated once",
        .should,
        Citation(.rfc8259, "4", "The names within an object SHOULD be unique")
    )

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
    @Sendable
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
