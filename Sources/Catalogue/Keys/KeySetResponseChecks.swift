import Conformance

/// How the key set is served.
enum KeySetResponseChecks {
    static let document = ServedDocument(
        stage: .keys,
        name: "the key set",
        document: .keys,
        answer: KeyQueries.answer,
        first: Documents.keysResponse,
        text: KeyQueries.text,
        parsed: Documents.keySet,
        parsedFrom: \.document
    )

    // No specification names the status, but a document that is not found contains no keys.
    static let statusIs200 = document.isFound(
        "The provider serves the key set at jwks_uri",
        Citation(.discovery, "3", "This contains the signing key(s) the RP uses to validate signatures from the OP"),
        why: "Without the keys, clients cannot verify any ID Token, and every sign-in fails.",
        missing: { _ in "Serve the key set at this address, or correct jwks_uri in the discovery document." }
    )

    static let isObject = document.isAnObject(
        "The key set is a JSON object",
        Citation(.rfc7517, "5", "A JWK Set is a JSON object that represents a set of JWKs"),
        why: "Clients cannot parse the key set, and reject every ID Token.",
        expected: "a JSON object with the member keys",
        serve: "one JSON object of the form {\"keys\": [...]} at jwks_uri"
    )

    static let contentType = document.isMarkedAsJSON(
        "The provider serves the key set as JSON",
        .risk,
        Citation(.rfc7517, "8.5.1", "Subtype Name: jwk-set+json"),
        why: "Several client libraries reject a key set with the media type of HTML or plain text.",
        expected: "application/json or application/jwk-set+json",
        // RFC 6839 section 3.1: media types with this suffix are JSON.
        isRight: { $0 == "application/json" || $0.hasPrefix("application/") && $0.hasSuffix("+json") }
    )

    static let plainType = Check(
        "keys.response.content-type-is-application-json",
        "The provider serves the key set as application/json",
        .may,
        .conformance,
        Citation(.experience, "", "client libraries that refuse application/jwk-set+json"),
        why: "Some client libraries reject application/jwk-set+json, although this media type is valid.",
        reads: KeyQueries.answer,
        supersededBy: ["keys.response.content-type-is-json"],
        exempt: DiscoveryQueries.unlessSuccessful,
        finding: { exchange, _ in
            let type = exchange.response?.mediaType ?? ""
            if type == "application/json" { return nil }
            return Finding(
                "The key set is served as \(type.quoted), which some client libraries reject.",
                at: "Content-Type",
                expected: "application/json",
                found: type.shown(),
                fix: "Send Content-Type: application/json with the key set if a client rejects it."
            )
        }
    )

    static let notRedirectedBy308 = document.isNotRedirectedBy308(
        "The provider does not redirect the request for the key set with status 308"
    )

    static let notRedirected = document.isNotRedirected(
        "The provider serves the key set without a redirect",
        Citation(.discovery, "3", "URL of the OP's JWK Set"),
        why: "Many clients do not follow redirects to keys, because a redirect may lead to an attacker's keys.",
        fix: { _ in "Set jwks_uri to the final address of the key set." }
    )

    static let staysOnHTTPS = document.staysOnHTTPS(
        "The provider does not redirect the request for the key set to http",
        Citation(.discovery, "3", "which MUST use the https scheme"),
        why: "An attacker on the network can replace the keys, and sign ID Tokens for any user."
    )

    static let noByteOrderMark = document.hasNoByteOrderMark("The key set does not begin with a byte order mark")

    static let noDuplicates = document.hasNoDuplicates(
        "The key set states every member once",
        .must,
        Citation(.rfc7517, "4", "The member names within a JWK MUST be unique")
    )

    static let isStable = Check(
        "keys.response.is-the-same-again",
        "Two requests for the key set return the same keys",
        .risk,
        .signIn,
        Citation(.experience, "", "servers of one provider answered with different key sets"),
        why:
            "If the servers behind one address disagree, signature verification fails intermittently, and is hard to reproduce.",
        reads: Documents.keySetTwice
    ) { pair, _ in
        Differences.between(pair.0, pair.1, "The key set changed between two requests of one run", mayBeNew: true)
    }

    static let cacheIsStated = document.statesItsLifetime(
        "The provider sends Cache-Control or Expires with the key set",
        why: "Without these headers, each client decides for itself how long it trusts a withdrawn key."
    )

    static let cacheAllowsStoring = document.allowsStoring(
        "The provider allows clients to cache the key set",
        why: "Clients must then fetch the keys for every sign-in, which is slow and fails if the server is unavailable."
    )

    static let lifetime = Check(
        "keys.cache-control.lifetime-is-at-most-a-day",
        "The provider limits the lifetime of the key set to one day",
        .risk,
        .safety,
        Citation(.core, "10.1.1", "Keys can be rolled over by periodically adding new keys to the JWK Set"),
        why:
            "A client that caches keys for longer rejects tokens signed with a new key, and trusts the old key of a thief.",
        reads: KeyQueries.answer,
        exempt: DiscoveryQueries.unlessSuccessful,
        finding: { exchange, _ in
            guard let seconds = CacheControl(exchange)?.maxAge, seconds > 86_400 else { return nil }
            return Finding(
                "Clients may cache the key set for \(ProviderTime.apart(Double(seconds))).",
                at: "Cache-Control",
                expected: "max-age=86400 or less",
                found: "max-age=\(seconds)",
                fix: "Send Cache-Control: public, max-age=3600 with the key set."
            )
        }
    )

    static let all: [Check] = [
        statusIs200, isObject, contentType, plainType, notRedirected, notRedirectedBy308, staysOnHTTPS, noByteOrderMark,
        noDuplicates, isStable, cacheIsStated, cacheAllowsStoring, lifetime,
    ]
}
