import Conformance
import JOSE
import JSONTree
import Testing

@testable import ReferenceProvider

@Suite("Discovery and keys", .timeLimit(.minutes(5)))
struct DiscoveryTests {
    private func document(_ persona: Persona, _ path: String? = nil) throws -> JSON {
        let provider = try makeProvider(persona)
        var browser = MemoryBrowser(provider)
        let answer = browser.send("GET", path.map { "https://provider.example" + $0 } ?? provider.address(.discovery))
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json")
        return try JSONDocument.parse(answer.body).root
    }

    @Test("Every persona states what Discovery section 3 requires", arguments: Persona.openID)
    func requiredMembers(_ persona: Persona) throws {
        let document = try document(persona)
        let issuer = try makeProvider(persona).issuer
        #expect(document["issuer"]?.stringValue == issuer)
        for name in ["authorization_endpoint", "jwks_uri"] {
            #expect(document[name]?.stringValue?.hasPrefix("https://provider.example/") == true)
        }
        #expect(document["response_types_supported"]?.strings?.isEmpty == false)
        let subjectTypes =
            switch persona {
            case .pairwise, .apple, .line, .microsoft, .microsoftTenant, .microsoftConsumers, .adfs, .naver:
                ["pairwise"]
            case .specialClients: ["public", "pairwise"]
            default: ["public"]
            }
        #expect(document["subject_types_supported"]?.strings == subjectTypes)
        let listsRS256 = document["id_token_signing_alg_values_supported"]?.strings?.contains("RS256")
        let others: [Persona] = [.line, .fapi, .govUK, .singpass, .singpassFAPI, .nhsLogin, .keycloak]
        #expect(listsRS256 == !others.contains(persona))
        #expect((document["token_endpoint"] != nil) == (persona != .implicitOnly))
    }

    @Test("The minimal persona states only required members, and those whose default would be wrong")
    func minimal() throws {
        let names = try document(.minimal).objectValue?.names
        let expected = [
            "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "response_types_supported",
            "subject_types_supported", "id_token_signing_alg_values_supported", "request_uri_parameter_supported",
        ]
        #expect(names == expected)
    }

    @Test("A trailing slash of the issuer is kept, but removed before the well-known path")
    func pathIssuer() throws {
        let document = try document(.pathIssuer, "/tenant/.well-known/openid-configuration")
        #expect(document["issuer"]?.stringValue == "https://provider.example/tenant/")
        #expect(document["token_endpoint"]?.stringValue == "https://provider.example/tenant/token")
        let same = try self.document(.pathIssuer, "/.well-known/oauth-authorization-server/tenant")
        #expect(same == document)
    }

    @Test("The discovery document lists the values that a persona's target requests", arguments: Persona.published)
    func targetIsOffered(_ persona: Persona) throws {
        let document = try document(persona)
        let target = persona.target(issuer: "https://provider.example")
        let types = try #require(document["response_types_supported"]?.strings).map { ResponseType($0) }
        #expect(target.flows.allSatisfy(types.contains))
        if let scopes = document["scopes_supported"]?.strings {
            #expect(target.scopes.allSatisfy(scopes.contains))
        }
        let client = try #require(target.client)
        if let methods = document["token_endpoint_auth_methods_supported"]?.strings {
            #expect(methods.contains(client.authentication.rawValue))
        }
        #expect((persona.clientSecret(client.id) != nil) || !client.hasSecret)
    }

    @Test("Published keys are public, distinct, for signatures, and usable", arguments: Persona.published)
    func keySet(_ persona: Persona) throws {
        let provider = try makeProvider(persona)
        var browser = MemoryBrowser(provider)
        let answer = browser.send("GET", provider.address(.keys))
        let set = try JWKSet(try JSONDocument.parse(answer.body).root)
        #expect(set.keys.compactMap(\.alg) == provider.offer.signingAlgorithms.map(\.rawValue))
        #expect(Set(set.keys.compactMap(\.kid)).count == set.keys.count)
        for key in set.keys {
            #expect(!key.isPrivateOrSymmetric)
            #expect(key.use == "sig")
            let built = try key.publicKey()
            if let x5c = key.x5c?.first {
                let certificate = try Certificate.parse(x5c: x5c)
                #expect(certificate.certifies(built))
                #expect(key.x5tS256 == certificate.x5tS256)
            }
        }
        #expect(set.keys.contains { $0.x5c != nil } == (persona == .manyKeys))
    }

    @Test("An unsupported method is rejected, and Allow lists the supported ones")
    func methods() throws {
        let provider = try makeProvider()
        var browser = MemoryBrowser(provider)
        for (route, allowed) in [
            (Provider.Route.discovery, "GET, HEAD"), (.keys, "GET, HEAD"), (.authorization, "GET, HEAD, POST"),
            (.token, "POST"), (.userInfo, "GET, HEAD, POST, OPTIONS"),
        ] {
            let method = route == .token ? "GET" : "DELETE"
            let answer = browser.send(method, provider.address(route))
            #expect(answer.status == 405)
            #expect(answer.header("Allow") == allowed)
        }
        #expect(browser.send("GET", "https://provider.example/nowhere").status == 404)
    }
}
