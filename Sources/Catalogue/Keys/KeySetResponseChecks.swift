import Conformance
import JSONTree

/// How the key set is served.
enum KeySetResponseChecks {
    static let statusIs200 = Check(
        "keys.response.status-is-200",
        "The key set is found at jwks_uri",
        // No sentence names the status: a document that is not there contains nothing.
        .must,
        .signIn,
        Citation(.discovery, "3", "This contains the signing key(s) the RP uses to validate signatures from the OP"),
        why: "Without the keys no ID Token can be verified, and every sign-in fails.",
        reads: KeySlots.answer,
        excusedBy: ["keys.response.stays-on-https"]
    ) { exchange, _ in
        ServedDocumentRules.otherStatus(
            exchange,
            "the key set",
            missing: "Serve the key set at this address, or correct jwks_uri in the discovery document."
        )
    }

    static let isObject = Check(
        "keys.response.is-a-json-object",
        "The key set is a JSON object",
        .must,
        .signIn,
        Citation(.rfc7517, "5", "A JWK Set is a JSON object that represents a set of JWKs"),
        why: "Clients cannot read it, and refuse every ID Token.",
        reads: KeySlots.text,
        excusedBy: ["keys.response.status-is-200"]
    ) { octets, _ in
        BrokenText.findings(
            octets,
            "the key set",
            expected: "a JSON object with the member keys",
            serve: "one JSON object of the form {\"keys\": [...]} at jwks_uri"
        )
    }

    static let contentType = Check(
        "keys.response.content-type-is-json",
        "The key set is served as JSON",
        .risk,
        .signIn,
        Citation(.rfc7517, "8.5.1", "Subtype Name: jwk-set+json"),
        why: "Several client libraries refuse a key set that is declared as HTML or plain text.",
        reads: KeySlots.answer,
        exempt: DiscoverySlots.unlessSuccessful
    ) { exchange, _ in
        ServedDocumentRules.mediaType(
            exchange,
            "the key set",
            isRight: { $0 == "application/json" || $0.hasPrefix("application/") && $0.hasSuffix("+json") },
            expected: "application/json or application/jwk-set+json",
            fix: "Send Content-Type: application/json with the key set: every client accepts it."
        )
    }

    static let plainType = Check(
        "keys.response.content-type-is-application-json",
        "The key set is served as application/json, which every client reads",
        .may,
        .conformance,
        Citation(.experience, "", "client libraries that refuse application/jwk-set+json"),
        why: "application/jwk-set+json is right, and some client libraries do not know it.",
        reads: KeySlots.answer,
        excusedBy: ["keys.response.content-type-is-json"],
        exempt: DiscoverySlots.unlessSuccessful
    ) { exchange, _ in
        let type = exchange.response?.mediaType ?? ""
        if type == "application/json" { return [] }
        return [
            Finding(
                "the key set is served as \(type.quoted), which some client libraries refuse",
                at: "Content-Type",
                expected: "application/json",
                found: type.shown(),
                fix: "Send Content-Type: application/json with the key set, if a client refuses it."
            )
        ]
    }

    static let notRedirected = Check(
        "keys.response.is-not-redirected",
        "The key set is served without a redirect",
        .risk,
        .signIn,
        Citation(.discovery, "3", "URL of the OP's JWK Set"),
        why: "Many clients do not follow redirects to keys, for a redirect may lead to somebody else's.",
        reads: Documents.keysResponse,
        excusedBy: ["keys.response.status-is-200", "keys.response.stays-on-https"]
    ) { exchange, _ in
        ServedDocumentRules.redirect(
            exchange,
            "the key set",
            fix: "State the final address of the key set as jwks_uri."
        )
    }

    static let staysOnHTTPS = DowngradeRule.check(
        "keys.response.stays-on-https",
        "The request for the key set is not redirected to http",
        Citation(.discovery, "3", "which MUST use the https scheme"),
        why: "Whoever sits on the way chooses the keys, and signs ID Tokens for everybody's account.",
        "the key set",
        reads: KeySlots.answer
    )

    static let noByteOrderMark = Check(
        "keys.response.has-no-byte-order-mark",
        "The key set does not begin with a byte order mark",
        .must,
        .signIn,
        Citation(.rfc8259, "8.1", "Implementations MUST NOT add a byte order mark"),
        why: "A strict parser stops at the mark, which no editor shows.",
        reads: Documents.keySet
    ) { set, _ in
        ServedDocumentRules.byteOrderMark(
            set.document.hadByteOrderMark,
            "the key set",
            fix: "Write the key set as UTF-8 without a byte order mark."
        )
    }

    static let noDuplicates = Check(
        "keys.response.has-no-duplicate-members",
        "Every member of the key set is stated once",
        .must,
        .signIn,
        Citation(.rfc7517, "4", "The member names within a JWK MUST be unique"),
        why: "Of a member that is stated twice, one client takes the first value and another the last.",
        reads: Documents.keySet
    ) { set, _ in
        set.document.repetitions
    }

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

    static let cacheIsStated = Check(
        "keys.cache-control.is-present",
        "The lifetime of the key set is stated",
        .may,
        .conformance,
        Citation(.rfc9111, "4.2.2", "a cache MAY assign a heuristic expiration time"),
        why: "Without it each client decides for itself how long a withdrawn key is still trusted.",
        reads: KeySlots.answer,
        exempt: DiscoverySlots.unlessSuccessful
    ) { exchange, _ in
        CacheControl.absence(in: exchange, of: "the key set")
    }

    static let cacheAllowsStoring = Check(
        "keys.cache-control.allows-storing",
        "The key set may be kept",
        .may,
        .conformance,
        Citation(.rfc9111, "5.2.2.5", "MUST NOT store any part of either the immediate request or the response"),
        why: "Every sign-in then has to wait for the keys, and fails whenever they cannot be had.",
        reads: KeySlots.answer,
        exempt: DiscoverySlots.unlessSuccessful
    ) { exchange, _ in
        CacheControl.noStore(in: exchange, of: "the key set")
    }

    static let lifetime = Check(
        "keys.cache-control.lifetime-is-at-most-a-day",
        "The key set is fetched again within a day",
        .risk,
        .safety,
        Citation(.core, "10.1.1", "Keys can be rolled over by periodically adding new keys to the JWK Set"),
        why: "A client that keeps keys for longer refuses tokens of a new one, and trusts whoever stole an old one.",
        reads: KeySlots.answer,
        exempt: DiscoverySlots.unlessSuccessful
    ) { exchange, _ in
        guard let seconds = CacheControl(exchange)?.maxAge, seconds > 86_400 else { return [] }
        return [
            Finding(
                "the key set may be kept for \(seconds) seconds",
                at: "Cache-Control",
                expected: "max-age=86400 or less",
                found: "max-age=\(seconds)",
                fix: "Send Cache-Control: public, max-age=3600 with the key set."
            )
        ]
    }

    static let all: [Check] = [
        statusIs200, isObject, contentType, plainType, notRedirected, staysOnHTTPS, noByteOrderMark, noDuplicates,
        isStable,
        cacheIsStated,
        cacheAllowsStoring, lifetime,
    ]
}
