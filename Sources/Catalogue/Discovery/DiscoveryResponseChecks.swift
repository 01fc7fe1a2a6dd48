import Conformance

/// How the discovery document is served.
enum DiscoveryResponseChecks {
    static let document = ServedDocument(
        stage: .discovery,
        name: "the discovery document",
        document: .discovery,
        answer: DiscoveryQueries.answer,
        first: Documents.discoveryResponse,
        text: DiscoveryQueries.text,
        parsed: Documents.discovery,
        parsedFrom: \.document
    )

    static let statusIs200 = document.isFound(
        "The provider serves the discovery document at the issuer's well-known address",
        Citation(.discovery, "4.2", "A successful response MUST use the 200 OK HTTP status code"),
        why: "Clients read the discovery document first, and stop if it is missing.",
        missing: { $0.evidence.missingDocumentAdvice }
    )

    static let isObject = document.isAnObject(
        "The discovery document is a JSON object",
        Citation(.discovery, "4.2", "return a JSON object using the application/json content type"),
        why: "Clients cannot parse an HTML page or truncated text: they report a parse error and stop.",
        expected: "a JSON object",
        serve: "one JSON object at this address"
    )

    static let contentType = document.isMarkedAsJSON(
        "The provider serves the discovery document as application/json",
        .must,
        Citation(.discovery, "4.2", "return a JSON object using the application/json content type"),
        why: "Some clients reject or misread a document with another media type.",
        expected: "application/json",
        isRight: { $0 == "application/json" }
    )

    static let notRedirectedBy308 = document.isNotRedirectedBy308(
        "The provider does not redirect the request for the discovery document with status 308"
    )

    static let notRedirected = document.isNotRedirected(
        "The provider serves the discovery document without a redirect",
        Citation(.discovery, "4.2", "A successful response MUST use the 200 OK HTTP status code"),
        why: "Many clients do not follow redirects, and those that do may read the document of another issuer.",
        fix: { "Serve the document itself at \($0.quoted), without a redirect." }
    )

    static let staysOnHTTPS = document.staysOnHTTPS(
        "The provider does not redirect the request for the discovery document to http",
        Citation(.discovery, "7.2", "TLS certificate checking MUST be performed by the RP"),
        why: "An attacker on the network can answer for the provider, and choose where passwords and codes are sent."
    )

    static let noByteOrderMark = document.hasNoByteOrderMark(
        "The discovery document does not begin with a byte order mark"
    )

    static let noDuplicates = document.hasNoDuplicates(
        "The discovery document states every member once",
        .should,
        Citation(.rfc8259, "4", "The names within an object SHOULD be unique")
    )

    static let isStable = Check(
        "discovery.response.is-the-same-again",
        "Two requests for the discovery document return the same document",
        .risk,
        .signIn,
        Citation(.experience, "", "servers of one provider answered with different metadata"),
        why: "If the servers behind one address disagree, sign-in fails intermittently, and is hard to reproduce.",
        reads: Documents.discoveryTwice
    ) { pair, _ in Differences.between(pair.0, pair.1, "changed between two requests of one run") }

    static let all: [Check] = [
        statusIs200, isObject, contentType, notRedirected, notRedirectedBy308, staysOnHTTPS, noByteOrderMark,
        noDuplicates, isStable,
    ]
}
