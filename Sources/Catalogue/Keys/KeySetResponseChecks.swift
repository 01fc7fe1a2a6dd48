import Conformance
import JSONTree

/// How the key set is served.
enum KeySetResponseChecks {
    static let document = ServedDocument(
        stage: .keys,
        name: "the key set",
        document: .keys,
        answer: KeySlots.answer,
        first: Documents.keysResponse,
        text: KeySlots.text,
        parsed: Documents.keySet,
        parsedFrom: \.document
    )

    // No sentence names the status: a document that is not there contains nothing.
    static let statusIs200 = document.isFound(
        "The key set is found at jwks_uri",
        Citation(.discovery, "3", "This contains the signing key(s) the RP uses to validate signatures from the OP"),
        why: "Without the keys no ID Token can be verified, and every sign-in fails.",
        missing: { _ in "Serve the key set at this address, or correct jwks_uri in the discovery document." }
    )

    static let isObject = document.isAnObject(
        "The key set is a JSON object",
        Citation(.rfc7517, "5", "A JWK Set is a JSON object that represents a set of JWKs"),
        why: "Clients cannot read it, and refuse every ID Token.",
        expected: "a JSON object with the member keys",
        serve: "one JSON object of the form {\"keys\": [...]} at jwks_uri"
    )

    static let contentType = document.isMarkedAsJSON(
        "The key set is served as JSON",
        .risk,
        Citation(.rfc7517, "8.5.1", "Subtype Name: jwk-set+json"),
        why: "Several client libraries refuse a key set that is declared as HTML or plain text.",
        expected: "application/json or application/jwk-set+json",
        // RFC 6839 section 3.1: whatever ends so is JSON.
        isRight: { $0 == "application/json" || $0.hasPrefix("application/") && $0.hasSuffix("+json") }
    )

    static let plainType = Check(
        "keys.response.content-type-is-application-json",
        "The key set is served as application/json, which every client reads",
        .may,
        .conformance,
        Citation(.experience, "", "client libraries that refuse application/jwk-set+json"),
        why: "application/jwk-set+json is right, and some client libraries do not know it.",
        reads: KeySlots.answer,
        excusedBy: ["keys.response.content-type-is-json"],
        exempt: DiscoverySlots.unlessSuccessful,
        finding: { exchange, _ in
            let type = exchange.response?.mediaType ?? ""
            if type == "application/json" { return nil }
            return Finding(
                "the key set is served as \(type.quoted), which some client libraries refuse",
                at: "Content-Type",
                expected: "application/json",
                found: type.shown(),
                fix: "Send Content-Type: application/json with the key set, if a client refuses it."
            )
        }
    )

    static let notRedirected = document.isNotRedirected(
        "The key set is served without a redirect",
        Citation(.discovery, "3", "URL of the OP's JWK Set"),
        why: "Many clients do not follow redirects to keys, for a redirect may lead to somebody else's.",
        fix: { _ in "State the final address of the key set as jwks_uri." }
    )

    static let staysOnHTTPS = document.staysOnHTTPS(
        "The request for the key set is not redirected to http",
        Citation(.discovery, "3", "which MUST use the https scheme"),
        why: "Whoever sits on the way chooses the keys, and signs ID Tokens for everybody's account."
    )

    static let noByteOrderMark = document.hasNoByteOrderMark("The key set does not begin with a byte order mark")

    static let noDuplicates = document.hasNoDuplicates(
        "Every member of the key set is stated once",
        .must,
        Citation(.rfc7517, "4", "The member names within a JWK MUST be unique")
    )

    static let isStable = Check(
        "keys.response.is-the-same-again",
        "Two requests for the key set get the same keys",
        .risk,
        .signIn,
        Citation(.experience, "", "servers of one provider answered with different key sets"),
        why: "When the servers behind one address disagree, signatures fail now and then, and nobody can repeat it.",
        reads: Documents.keySetTwice
    ) { pair, _ in
        Differences.between(pair.0, pair.1, "between two requests of one run")
    }

    static let cacheIsStated = document.statesItsLifetime(
        "The lifetime of the key set is stated",
        why: "Without it each client decides for itself how long a withdrawn key is still trusted."
    )

    static let cacheAllowsStoring = document.mayBeKept(
        "The key set may be kept",
        why: "Every sign-in then has to wait for the keys, and fails whenever they cannot be had."
    )

    static let lifetime = Check(
        "keys.cache-control.lifetime-is-at-most-a-day",
        "The key set is fetched again within a day",
        .risk,
        .safety,
        Citation(.core, "10.1.1", "Keys can be rolled over by periodically adding new keys to the JWK Set"),
        why: "A client that keeps keys for longer refuses tokens of a new one, and trusts whoever stole an old one.",
        reads: KeySlots.answer,
        exempt: DiscoverySlots.unlessSuccessful,
        finding: { exchange, _ in
            guard let seconds = CacheControl(exchange)?.maxAge, seconds > 86_400 else { return nil }
            return Finding(
                "the key set may be kept for \(seconds) seconds",
                at: "Cache-Control",
                expected: "max-age=86400 or less",
                found: "max-age=\(seconds)",
                fix: "Send Cache-Control: public, max-age=3600 with the key set."
            )
        }
    )

    static let all: [Check] = [
        statusIs200, isObject, contentType, plainType, notRedirected, staysOnHTTPS, noByteOrderMark, noDuplicates,
        isStable,
        cacheIsStated,
        cacheAllowsStoring, lifetime,
    ]
}
