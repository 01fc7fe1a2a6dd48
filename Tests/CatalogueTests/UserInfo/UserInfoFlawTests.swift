import Catalogue
import Conformance
import JSONTree
import Testing

@Suite("UserInfo endpoint", .timeLimit(.minutes(5)))
struct UserInfoFlawTests {
    static let all: [Flaw] = [
        Flaw("userinfo.status.is-200") { $0.eachUserInfo { $0.status = 401 } },
        Flaw("userinfo.status.is-200", what: "an error with status 200") { model in
            model.eachUserInfo { $0.json = ["error": "invalid_token"] }
        },
        Flaw("userinfo.response.is-not-redirected") { $0.eachUserInfo { $0.isRedirected = true } },
        Flaw("userinfo.content-type.is-right") { $0.eachUserInfo { $0.setHeader("Content-Type", "text/html") } },
        Flaw("userinfo.content-type.is-right", what: "JSON labelled as a JWT") { model in
            model.eachUserInfo { $0.setHeader("Content-Type", "application/jwt") }
        },
        Flaw("userinfo.body.is-plain-json") { model in
            model.eachUserInfo { reply in
                reply.setHeader("Content-Type", "application/jwt")
                reply.body = .text("eyJhbGciOiJSUzI1NiJ9.e30.AAAA")
            }
        },
        Flaw("userinfo.body.is-utf-8") { $0.eachUserInfo { $0.body = .bytes([0x7B, 0xEB, 0x7D]) } },
        Flaw("userinfo.body.is-json-object") { $0.eachUserInfo { $0.body = .text("[]") } },
        Flaw("userinfo.body.has-no-byte-order-mark") { model in
            model.eachUserInfo { $0.body = .text("\u{FEFF}" + $0.json.serialized()) }
        },
        Flaw("userinfo.members.are-unique") { model in
            model.eachUserInfo { $0.body = .text("{\"name\":\"Bob\"," + $0.json.serialized().dropFirst()) }
        },
        Flaw("userinfo.sub.is-present") { $0.eachUserInfo { $0.json["sub"] = nil } },
        Flaw("userinfo.sub.matches-id-token") { $0.eachUserInfo { $0.json["sub"] = "User-1" } },
        Flaw("userinfo.claims.have-right-types") { $0.eachUserInfo { $0.json["phone_number"] = 4_930_123_456 } },
        Flaw("userinfo.email-verified.is-a-boolean") { $0.eachUserInfo { $0.json["email_verified"] = 1 } },
        Flaw("userinfo.updated-at.is-a-number") { $0.eachUserInfo { $0.json["updated_at"] = "1750000000" } },
        Flaw("userinfo.email.is-an-address") { $0.eachUserInfo { $0.json["email"] = "alice" } },
        Flaw("userinfo.claims.have-values") { $0.eachUserInfo { $0.json["website"] = "" } },
        Flaw("userinfo.claims.have-values", what: "groups is null") { $0.eachUserInfo { $0.json["groups"] = .null } },
        Flaw("userinfo.email.is-present") { $0.eachUserInfo { $0.json["email"] = nil } },
        Flaw("userinfo.profile-claims.are-present") { model in
            model.eachUserInfo { $0.json = ["sub": "user-1", "email": "alice@example.com", "email_verified": true] }
        },
        Flaw("userinfo.updated-at.is-plausible") { $0.eachUserInfo { $0.json["updated_at"] = 631_151_999 } },
        Flaw("userinfo.claims.were-asked-for") { $0.eachUserInfo { $0.json["address"] = ["country": "Germany"] } },
        Flaw("userinfo.address.is-present") { $0.ask(for: "address") },
        Flaw("userinfo.phone-number.is-present") { $0.ask(for: "phone") },
        // The platform uses another flow, where its own check fails instead.
        Flaw("userinfo.email-verified.is-true") { model in
            model["flow.id_token-token"]?.userInfo?.json["email_verified"] = false
        },
        Flaw("userinfo.claim-sources.are-stated") { model in
            model.eachUserInfo { $0.json["_claim_names"] = ["credit_score": "src1", "address_proof": "src2"] }
            model.eachUserInfo { $0.json["_claim_sources"] = ["src1": ["endpoint": "https://bank.example/claims"]] }
        },
        Flaw("userinfo.claim-sources.are-stated", what: "a list of names") { model in
            model.eachUserInfo { $0.json["_claim_names"] = ["credit_score"] }
        },
        Flaw("userinfo.groups.are-lists") { $0.eachUserInfo { $0.json["roles"] = "admin" } },
        Flaw("userinfo.nonce.is-absent") { $0.eachUserInfo { $0.json["nonce"] = "abc" } },
        Flaw("userinfo.jwt.is-as-registered") { $0.target.client?.userInfoSignedResponseAlg = "RS256" },
        Flaw("userinfo.jwt.is-as-registered", what: "another algorithm") { model in
            model.signUserInfo { _ in }
            model.target.client?.userInfoSignedResponseAlg = "ES256"
        },
        Flaw("userinfo.jwt.signature-verifies") { model in
            model.signUserInfo { $0.trials = [SignatureTrial(key: .published(0), isVerified: false, reason: "no")] }
        },
        Flaw("userinfo.jwt.signature-verifies", what: "the header names another key") { model in
            let other: JSON = ["kty": "RSA", "kid": "key-2", "use": "sig", "n": "AQAB", "e": "AQAB"]
            model.keySet = .observed(["keys": [RunModel.key, other]])
            model.signUserInfo { $0.header["kid"] = "key-2" }
        },
        Flaw("userinfo.jwt.names-issuer-and-client") { $0.signUserInfo { $0.claims["aud"] = nil } },
        Flaw("userinfo.sub.is-present", what: "signed") { $0.signUserInfo { $0.claims["sub"] = nil } },
        Flaw("userinfo.sub.matches-id-token", what: "signed") { $0.signUserInfo { $0.claims["sub"] = "user-2" } },
        Flaw("userinfo.body.is-plain-json", what: "signed although the client did not register for it") { model in
            model.signUserInfo { _ in }
            model.target.client?.userInfoSignedResponseAlg = nil
        },
    ]

    static let liberties: [Liberty] = [
        Liberty("no email_verified, no updated_at", advice: ["platform.firebase.email-verified.is-true"]) { model in
            model.eachUserInfo { reply in
                reply.json["email_verified"] = nil
                reply.json["updated_at"] = nil
            }
        },
        Liberty("claims of another source that exists") { model in
            model.eachUserInfo { $0.json["_claim_names"] = ["credit_score": "src1"] }
            model.eachUserInfo { $0.json["_claim_sources"] = ["src1": ["endpoint": "https://bank.example/claims"]] }
        },
        Liberty("signed as the client registered for it") { $0.signUserInfo { _ in } },
        Liberty("groups as a list, and custom claims of the provider") { model in
            model.eachUserInfo { $0.json["groups"] = ["staff"] }
            model.eachUserInfo { $0.json["department"] = "Sales" }
        },
        Liberty("no e-mail when its scope was not granted", advice: ["token.scope.holds-what-was-asked"]) { model in
            model.eachTokenReply { $0.json["scope"] = "openid profile" }
            model["flow.id_token-token"]?.set("scope", "openid profile")
            model.eachUserInfo { $0.json["email"] = nil }
        },
        Liberty("an address with two at signs, as quoted names may have") { model in
            model.eachUserInfo { $0.json["email"] = "\"a@b\"@example.com" }
        },
        Liberty("a provider without UserInfo for the implicit flow") { model in
            model.target.flows = ["id_token"]
        },
    ]

    @Test("the claims of a response with another status of success are compared", arguments: [200, 201, 203])
    func success(status: Int) {
        var model = RunModel.conformant
        model.eachUserInfo { $0.status = status }
        #expect(model.judge("userinfo.sub.matches-id-token") == .passed)
        #expect((model.judge("userinfo.status.is-200") == .passed) == (status == 200))
    }

    @Test("a flaw fails its check and no other", arguments: all)
    func flaws(flaw: Flaw) {
        #expect(flaw.failures == flaw.trips)
    }

    @Test("permitted behaviour fails only the checks listed as advice", arguments: liberties)
    func leniency(liberty: Liberty) {
        #expect(liberty.failures == liberty.advice)
    }

    @Test("every UserInfo check has a flaw in this suite")
    func complete() {
        let tripped = Self.all.reduce(into: Set<CheckID>()) { $0.formUnion($1.trips) }
        let untried = Set(UserInfoChecks.all.aboutSingleRequests.map(\.id)).subtracting(tripped)
        #expect(untried.isEmpty)
    }
}

extension RunModel {
    /// Signs every UserInfo response, as the client registered for it.
    fileprivate mutating func signUserInfo(_ change: @escaping (inout Token) -> Void) {
        target.client?.userInfoSignedResponseAlg = "RS256"
        eachUserInfo { reply in
            reply.setHeader("Content-Type", "application/jwt")
            reply.body = .text("‹jwt›")
            var token = Token(header: ["alg": "RS256", "kid": "key-1"], claims: reply.json)
            token.claims["iss"] = .string(RunModel.issuer)
            token.claims["aud"] = .string(RunModel.clientID)
            change(&token)
            reply.jwt = token
        }
    }

    /// Adds a scope value to every flow, which the provider grants but UserInfo has no claims for.
    fileprivate mutating func ask(for scope: String) {
        eachFlow { modelledRun in
            for index in modelledRun.sent.indices where modelledRun.sent[index].name == "scope" {
                modelledRun.sent[index].value += " " + scope
            }
        }
        eachTokenReply { $0.json["scope"] = .string("openid profile email " + scope) }
    }
}
