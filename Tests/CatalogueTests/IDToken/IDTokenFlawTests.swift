import Catalogue
import Conformance
import JSONTree
import Testing

@Suite("ID Token", .timeLimit(.minutes(5)))
struct IDTokenFlawTests {

    static let forms: [Flaw] = [
        Flaw("idtoken.form.has-three-parts") { model in
            model.eachToken { token in
                token.partCount = 2
                token.trials = []
            }
        },
        Flaw("idtoken.form.is-not-encrypted") { model in
            model.eachToken { token in
                token.partCount = 5
                token.claimsText = "not JSON"
                token.trials = []
            }
        },
        Flaw("idtoken.form.is-strict-base64url") { model in
            model.eachToken { token in
                token.partFaults = [nil, nil, "it is padded"]
                token.trials = [SignatureTrial(key: .published(0), isVerified: false)]
            }
        },
        Flaw("idtoken.header.is-a-json-object") { $0.eachToken { $0.headerText = "[]" } },
        Flaw("idtoken.claims.are-a-json-object") { $0.eachToken { $0.claimsText = "\"claims\"" } },
        Flaw("idtoken.kid.names-the-signing-key") { model in
            model.keySet = .observed(["keys": [RunModel.key, RunModel.key]])
            model.eachToken { token in
                token.trials = [
                    SignatureTrial(key: .published(0), isVerified: false),
                    SignatureTrial(key: .published(1), isVerified: true),
                ]
            }
        },
        Flaw("idtoken.iat.is-not-ahead") { $0.eachClaims { $0["iat"] = .integer(RunModel.now + 20) } },
        Flaw("idtoken.nbf.is-not-ahead") { $0.eachClaims { $0["nbf"] = .integer(RunModel.now + 20) } },
        Flaw("idtoken.claims.consist-of-characters") {
            $0.eachToken { $0.claimsText = $0.claims.serialized().dropLast() + #","motto":"\ud83d"}"# }
        },
        Flaw("idtoken.form.has-no-byte-order-mark") {
            $0.eachToken { $0.claimsText = "\u{FEFF}" + $0.claims.serialized() }
        },
        Flaw("idtoken.header.has-unique-members") { model in
            model.eachToken { $0.headerText = "{\"kid\":\"a\",\"alg\":\"RS256\",\"kid\":\"key-1\",\"typ\":\"JWT\"}" }
        },
        Flaw("idtoken.claims.has-unique-members") { model in
            model.eachToken { token in
                token.claimsText = "{\"sub\":\"somebody\"," + token.claims.serialized().dropFirst()
            }
        },
    ]

    static let headers: [Flaw] = [
        Flaw("idtoken.alg.is-not-none") { model in
            model.eachToken { token in
                token.header["alg"] = "none"
                token.trials = []
            }
        },
        Flaw("idtoken.alg.is-advertised") { $0.eachToken { $0.header["alg"] = "PS256" } },
        Flaw("idtoken.alg.is-the-registered") { $0.target.client?.idTokenSignedResponseAlg = "ES256" },
        Flaw("idtoken.alg.is-the-default", "platform.id-token.algorithm-is-accepted") { model in
            model.discovery["id_token_signing_alg_values_supported"] = ["RS256", "ES256"]
            model.eachToken { $0.header["alg"] = "ES256" }
        },
        Flaw("idtoken.kid.is-present") { model in
            model.keySet = .observed(["keys": [RunModel.key, ["kty": "EC", "kid": "key-2"]]])
            model.eachToken { $0.header["kid"] = nil }
        },
        Flaw("idtoken.kid.is-stated-in-the-key-set") { model in
            model.keySet = .observed(["keys": [["kty": "RSA", "use": "sig", "n": "AQAB", "e": "AQAB"]]])
        },
        Flaw("idtoken.kid.is-a-string") { $0.eachToken { $0.header["kid"] = 7 } },
        Flaw("idtoken.kid.is-not-null") { $0.eachToken { $0.header["kid"] = .null } },
        Flaw("idtoken.kid.is-stated") { $0.eachToken { $0.header["kid"] = nil } },
        Flaw("idtoken.header.b64-is-not-false") { $0.eachToken { $0.header["b64"] = false } },
        Flaw("idtoken.kid.is-published") { model in
            model.eachToken { token in
                token.header["kid"] = "key-3"
                token.trials = []
            }
        },
        Flaw("idtoken.header.crit-is-not-empty") { $0.eachToken { $0.header["crit"] = [] } },
        Flaw("idtoken.header.crit-is-not-empty", what: "null") { $0.eachToken { $0.header["crit"] = JSON.null } },
        Flaw("idtoken.header.has-no-crit") { $0.eachToken { $0.header["crit"] = ["b64"] } },
        Flaw("idtoken.header.has-no-key") { $0.eachToken { $0.header["jwk"] = RunModel.key } },
        Flaw("idtoken.header.key-has-its-json-type", what: "jwk is a string") {
            $0.eachToken { $0.header["jwk"] = "key-1" }
        },
        Flaw("idtoken.header.key-has-its-json-type", what: "x5c has a number") {
            $0.eachToken { $0.header["x5c"] = ["MIIB", 1] }
        },
        Flaw("idtoken.header.has-no-cty") { $0.eachToken { $0.header["cty"] = 1 } },
        Flaw("idtoken.header.has-no-cty", what: "cty is JWT") { $0.eachToken { $0.header["cty"] = "JWT" } },
        Flaw("idtoken.header.thumbprints-are-digests") { model in
            model.eachToken { $0.header["x5t"] = .string(String(repeating: "0f", count: 20)) }
        },
        Flaw("idtoken.header.thumbprints-are-digests", what: "the hexadecimal digits in base64url") { model in
            model.eachToken { $0.header["x5t#S256"] = .string(String(repeating: "MDAw", count: 21) + "MA") }
        },
        Flaw("idtoken.typ.is-a-string") { $0.eachToken { $0.header["typ"] = 7 } },
        Flaw("idtoken.typ.is-jwt") { $0.eachToken { $0.header["typ"] = "logout+jwt" } },
        Flaw("idtoken.signature.verifies") { model in
            model.eachToken { $0.trials = [SignatureTrial(key: .published(0), isVerified: false, reason: "no")] }
        },
        Flaw("idtoken.signature.verifies", what: "no key could have signed") { $0.eachToken { $0.trials = [] } },
        Flaw("idtoken.signature.is-by-the-named-key") { model in
            model.keySet = .observed(["keys": [RunModel.key, otherKey]])
            model.eachToken { $0.header["kid"] = "key-2" }
        },
        Flaw("idtoken.every-token.is-valid", "authorization.nonce.missing-is-refused") { model in
            let token = ResponseParameter(name: "id_token", value: "‹id_token›", length: 800)
            model["probe.missing-nonce"]?.redirect = RunModel.redirect([token], inFragment: true)
            var front = model["flow.id_token"]?.front
            front?.claims["nonce"] = nil
            front?.claims["exp"] = .integer(now - 61)
            model["probe.missing-nonce"]?.front = front
        },
        Flaw("idtoken.signature.key-is-for-signatures") { $0.publish("use", "enc") },
        Flaw("idtoken.signature.key-is-for-signatures", what: "key_ops without verify") { model in
            model.publish("use", nil)
            model.publish("key_ops", ["encrypt"])
        },
        Flaw("idtoken.signature.key-is-for-the-algorithm") { $0.publish("alg", "PS256") },
    ]

    private static let otherKey: JSON = ["kty": "RSA", "kid": "key-2", "use": "sig", "n": "AQAB", "e": "AQAB"]

    static let parties: [Flaw] = [
        Flaw("idtoken.iss.matches-issuer") { $0.eachClaims { $0["iss"] = "https://op.example.com/" } },
        Flaw("idtoken.iss.matches-issuer", what: "no iss") { $0.eachClaims { $0["iss"] = nil } },
        Flaw("idtoken.aud.is-present") { $0.eachClaims { $0["aud"] = nil } },
        Flaw("idtoken.aud.is-present", what: "aud is an object") { $0.eachClaims { $0["aud"] = [:] } },
        Flaw("idtoken.aud.holds-client") { $0.eachClaims { $0["aud"] = ["account", "api"] } },
        Flaw("idtoken.aud.has-no-repetition") { $0.eachClaims { $0["aud"] = ["client-1", "client-1"] } },
        Flaw("idtoken.azp.is-present") { $0.eachClaims { $0["aud"] = ["client-1", "account"] } },
        Flaw("idtoken.aud.holds-nobody-else") { model in
            model.eachClaims { claims in
                claims["aud"] = ["client-1", "account"]
                claims["azp"] = "client-1"
            }
        },
        Flaw("idtoken.azp.is-the-client") { $0.eachClaims { $0["azp"] = "client-2" } },
        Flaw("idtoken.sub.is-present") { $0.eachClaims { $0["sub"] = "" } },
        Flaw("idtoken.sub.is-a-string") { $0.eachClaims { $0["sub"] = 1 } },
        Flaw("idtoken.sub.is-short-enough") { $0.setSubject(String(repeating: "a", count: 256)) },
        Flaw("idtoken.sub.is-ascii") { $0.setSubject("zoë") },
        Flaw("idtoken.sub.is-the-same-in-every-flow") { $0["flow.id_token"]?.front?.claims["sub"] = "user-2" },
        Flaw("idtoken.hybrid.iss-and-sub-agree") { $0["flow.code-id_token"]?.front?.claims["sub"] = "user-2" },
        Flaw("idtoken.subject-claims.are-present") { $0.parameters.subjectClaims = ["oid", "tid"] },
    ]

    private static let now = RunModel.now

    static let times: [Flaw] = [
        Flaw("idtoken.exp.is-present") { $0.eachClaims { $0["exp"] = nil } },
        Flaw("idtoken.exp.is-a-number") { $0.eachClaims { $0["exp"] = "1800003600" } },
        Flaw("idtoken.exp.is-in-the-future") { $0.eachClaims { $0["exp"] = .integer(now - 1) } },
        Flaw("idtoken.iat.is-present") { $0.eachClaims { $0["iat"] = nil } },
        Flaw("idtoken.iat.is-a-number") { $0.eachClaims { $0["iat"] = .null } },
        Flaw("idtoken.iat.is-not-in-the-future") { $0.eachClaims { $0["iat"] = .integer(now + 61) } },
        Flaw("idtoken.iat.is-in-seconds", "platform.firebase.id-token.is-not-from-the-future") { model in
            model.eachClaims { $0["iat"] = .integer(now * 1_000) }
        },
        Flaw("idtoken.exp.is-in-seconds") { $0.eachClaims { $0["exp"] = .integer((now + 600) * 1_000) } },
        Flaw("idtoken.iat.is-not-far-in-the-future") { $0.eachClaims { $0["iat"] = .integer(now + 301) } },
        Flaw("idtoken.iat.is-not-far-in-the-future", "platform.firebase.id-token.is-not-from-the-future") { model in
            model.eachClaims { $0["iat"] = .integer(now + 3_600) }
        },
        Flaw("idtoken.iat.is-recent") { $0.eachClaims { $0["iat"] = .integer(now - 601) } },
        Flaw("idtoken.nbf.is-a-number") { $0.eachClaims { $0["nbf"] = "0" } },
        Flaw("idtoken.nbf.is-not-in-the-future") { $0.eachClaims { $0["nbf"] = .integer(now + 61) } },
        Flaw("idtoken.auth-time.is-a-number") { $0.eachClaims { $0["auth_time"] = "yesterday" } },
        Flaw("idtoken.auth-time.is-plausible") { $0.eachClaims { $0["auth_time"] = 0 } },
        Flaw("idtoken.times.are-whole-seconds") { $0.eachClaims { $0["auth_time"] = 1_799_999_990.25 } },
        Flaw("idtoken.lifetime.is-at-most-a-day") { $0.eachClaims { $0["exp"] = .integer(now + 86_401) } },
        Flaw("idtoken.iat.is-readable") { $0.eachClaims { $0["iat"] = "yesterday" } },
        Flaw("idtoken.times.are-readable") { $0.eachClaims { $0["nbf"] = "yesterday" } },
        Flaw(
            "idtoken.lifetime.is-at-most-a-day",
            "idtoken.times.are-readable",
            what: "milliseconds beyond 64 bits"
        ) { model in
            model.eachClaims { $0["exp"] = .bigInteger("18000036000000000000000000000") }
        },
    ]

    static let rest: [Flaw] = [
        Flaw("idtoken.nonce.is-echoed") { $0.eachClaims { $0["nonce"] = nil } },
        Flaw("idtoken.nonce.is-echoed", "platform.firebase.id-token.nonce-is-unchanged") { model in
            model.eachClaims { $0["nonce"] = .string(RunModel.nonce.uppercased()) }
        },
        Flaw("idtoken.nonce.is-not-invented", "authorization.nonce.missing-is-refused") { model in
            let token = ResponseParameter(name: "id_token", value: "(id_token)", length: 800)
            model["probe.missing-nonce"]?.redirect = RunModel.redirect([token], inFragment: true)
            let front = model["flow.id_token"]?.front
            model["probe.missing-nonce"]?.front = front
        },
        Flaw("idtoken.at-hash.is-present") { $0["flow.id_token-token"]?.front?.claims["at_hash"] = nil },
        Flaw("idtoken.at-hash.is-correct") { $0["flow.code"]?.back?.claims["at_hash"] = "77QmUPtjPfzWtF2AnpK9RR" },
        Flaw("idtoken.at-hash.is-a-string") { $0["flow.code"]?.back?.claims["at_hash"] = 7 },
        Flaw("idtoken.claim-sources.are-stated", what: "a string") { $0.eachClaims { $0["_claim_names"] = "src1" } },
        Flaw("idtoken.claim-sources.are-stated", what: "no sources") { model in
            model.eachClaims { $0["_claim_names"] = ["shoe_size": "src1"] }
        },
        Flaw("idtoken.c-hash.is-present") { $0["flow.code-id_token"]?.front?.claims["c_hash"] = nil },
        Flaw("idtoken.c-hash.is-correct") { $0["flow.code-id_token"]?.front?.claims["c_hash"] = 1 },
        Flaw("idtoken.claims.have-right-types") { $0.eachClaims { $0["given_name"] = ["Alice"] } },
        Flaw("idtoken.claims.have-right-types", what: "the address is a string") { model in
            model.eachClaims { $0["address"] = "1 High Street" }
        },
        Flaw("idtoken.claims.have-right-types", what: "the postal code is a number") { model in
            model.eachClaims { $0["address"] = ["postal_code": 12345, "country": "Germany"] }
        },
        Flaw("idtoken.email-verified.is-a-boolean") { $0.eachClaims { $0["email_verified"] = "true" } },
        Flaw("idtoken.updated-at.is-a-number") { $0.eachClaims { $0["updated_at"] = "2026-01-31T00:00:00Z" } },
        Flaw("idtoken.email.is-an-address") { $0.eachClaims { $0["email"] = "alice@" } },
        Flaw("idtoken.hybrid.claims-agree", "idtoken.claims.are-left-to-userinfo") { model in
            model["flow.code-id_token"]?.front?.claims["nickname"] = "Ally"
            model["flow.code-id_token"]?.back?.claims["nickname"] = "Alice"
        },
        Flaw("idtoken.hybrid.authentication-is-in-both") { model in
            model["flow.code-id_token"]?.front?.claims["amr"] = nil
        },
        Flaw("idtoken.hybrid.authentication-is-in-both", what: "other values") { model in
            model["flow.code-id_token"]?.front?.claims["amr"] = ["another"]
        },
        Flaw("idtoken.identifiers.are-strings") { $0.eachClaims { $0["sid"] = 3 } },
        Flaw("idtoken.length.fits-a-cookie") { model in
            model.eachClaims { $0["groups"] = [.string(String(repeating: "g", count: 4_096))] }
        },
        Flaw("idtoken.acr.is-a-string") { $0.eachClaims { $0["acr"] = ["1"] } },
        Flaw("idtoken.amr.is-a-list-of-strings") { $0.eachClaims { $0["amr"] = [1] } },
        Flaw("idtoken.claims.have-values") { $0.eachClaims { $0["nickname"] = .null } },
    ]

    static let choices: [Flaw] = [
        Flaw("idtoken.sub.is-the-same-for-every-client") { model in
            model["flow.id_token"]?.clientID = "client-2"
            model["flow.id_token"]?.front?.claims["aud"] = "client-2"
            model["flow.id_token"]?.front?.claims["sub"] = "another-name"
        },
        Flaw("idtoken.sub.pairwise-is-opaque", "idtoken.claims.are-left-to-userinfo") { model in
            model.discovery["subject_types_supported"] = ["pairwise"]
            model.eachClaims { $0["preferred_username"] = $0["sub"] }
        },
        Flaw("idtoken.updated-at.is-plausible") {
            $0["flow.id_token"]?.front?.claims["updated_at"] = 1_750_000_000_000
        },
        Flaw("idtoken.claims.were-asked-for") { $0.eachClaims { $0["phone_number_verified"] = true } },
        Flaw("idtoken.claims.are-left-to-userinfo") { $0["flow.code"]?.back?.claims["name"] = "Alice Example" },
        Flaw("idtoken.claims.of-scopes-are-present") { $0["flow.id_token"]?.front?.claims["email"] = nil },
        Flaw("idtoken.groups.are-lists") { $0.eachClaims { $0["groups"] = "staff" } },
        Flaw("idtoken.aud.is-one-string") { $0.eachClaims { $0["aud"] = [.string(RunModel.clientID)] } },
        Flaw("idtoken.alg.is-listed-first") { model in
            model.discovery["id_token_signing_alg_values_supported"] = ["HS256", "RS256"]
        },
    ]

    static let all = forms + headers + parties + times + rest + choices

    @Test("each fault fails its check and no other", arguments: all)
    func flaws(flaw: Flaw) {
        #expect(flaw.failures == flaw.trips)
    }

    @Test("every check of the stage has a fault here")
    func complete() {
        let tripped = Self.all.reduce(into: Set<CheckID>()) { $0.formUnion($1.trips) }
        let untried = Set(IDTokenChecks.all.aboutSingleRequests.map(\.id)).subtracting(tripped)
        #expect(untried.isEmpty)
    }
}

extension RunModel {
    /// Sets a member of the signing key and adds a second, valid key; `nil` removes the member.
    fileprivate mutating func publish(_ member: String, _ value: JSON?) {
        guard case .observed(var set) = keySet, var key = set["keys"]?.arrayValue?.first?.objectValue else { return }
        key[member] = value
        let inOrder: JSON = ["kty": "RSA", "kid": "key-2", "use": "sig", "alg": "RS256", "n": "AQAB", "e": "AQAB"]
        set["keys"] = [.object(key), inOrder]
        keySet = .observed(set)
    }

    /// The same subject in every ID Token and at UserInfo.
    fileprivate mutating func setSubject(_ subject: String) {
        eachClaims { $0["sub"] = .string(subject) }
        eachUserInfo { $0.json["sub"] = .string(subject) }
    }
}
