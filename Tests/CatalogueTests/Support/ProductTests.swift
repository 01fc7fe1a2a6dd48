import Catalogue
import Conformance
import JSONTree
import Judgement
import TestSupport
import Testing

@testable import Preflight

/// Products are recognised with certainty or not at all, and their settings belong to checks and keys that exist.
@Suite("Products", .timeLimit(.minutes(5)))
struct ProductTests {
    /// The product of each document of the corpus that has one.
    private static let products = [
        "adfs": "AD FS", "auth0": "Auth0", "cognito": "Amazon Cognito", "cognito-us-east-1": "Amazon Cognito",
        "dex": "Dex", "gitlab": "GitLab", "gwdg-academiccloud": "Keycloak", "keycloak": "Keycloak",
        "lego": "Duende IdentityServer", "ory-hydra": "Ory Hydra",
    ]

    @Test("a document of the corpus is recognised as its product's", arguments: Corpus.documents)
    func recognised(document: String) async throws {
        guard document.hasPrefix("discovery/") else { return }
        let name = String(document.dropFirst("discovery/".count).prefix { $0 != "." })
        let bytes = try await Fixture.bytes("corpus/\(document).gz")
        guard let metadata = try? JSONDocument.parse(bytes).root.objectValue else { return }
        let product = Product(of: metadata)?.name
        #expect(product == (name.hasPrefix("entra-") ? "Microsoft Entra ID" : Self.products[name]))
    }

    /// The endpoints of products that no document of the corpus is from.
    @Test(
        "a document with the endpoints of a product is recognised as its product's",
        arguments: [
            (
                "Okta",
                [
                    "issuer": "https://tenant.okta.com/oauth2/default",
                    "authorization_endpoint": "https://tenant.okta.com/oauth2/default/v1/authorize",
                    "response_modes_supported": ["query", "fragment", "form_post", "okta_post_message"],
                ]
            ),
            (
                "Spring Authorization Server",
                [
                    "issuer": "https://op.example.com",
                    "authorization_endpoint": "https://op.example.com/oauth2/authorize",
                    "jwks_uri": "https://op.example.com/oauth2/jwks",
                    "end_session_endpoint": "https://op.example.com/connect/logout",
                ]
            ),
            (
                "Cloud Foundry UAA",
                [
                    "issuer": "https://op.example.com/oauth/token",
                    "authorization_endpoint": "https://op.example.com/oauth/authorize",
                    "jwks_uri": "https://op.example.com/token_keys",
                ]
            ),
            (
                "Cloud Foundry UAA",
                [
                    "issuer": "https://op.example.com/oauth/token",
                    "service_documentation": "http://docs.cloudfoundry.org/api/uaa/",
                ]
            ),
            (
                "authentik",
                [
                    "issuer": "https://op.example.com/application/o/app/",
                    "authorization_endpoint": "https://op.example.com/application/o/authorize/",
                    "jwks_uri": "https://op.example.com/application/o/app/jwks/",
                ]
            ),
            (
                "ZITADEL",
                [
                    "issuer": "https://op.example.com",
                    "authorization_endpoint": "https://op.example.com/oauth/v2/authorize",
                    "userinfo_endpoint": "https://op.example.com/oidc/v1/userinfo",
                    "jwks_uri": "https://op.example.com/oauth/v2/keys",
                ]
            ),
        ] as [(String, JSONObject)]
    )
    func recognised(product: String, document: JSONObject) {
        #expect(Product(of: document)?.name == product)
    }

    @Test(
        "no check and no key belongs to two topics, and every pattern fits one",
        arguments: ProductSetting.Topic.allCases
    )
    func topics(topic: ProductSetting.Topic) {
        let keys = Keys.Client.all.map { "client.\($0.name)" } + Keys.all.map(\.name)
        let subjects = Catalogue.all.map(\.id.rawValue) + keys
        let others = ProductSetting.Topic.allCases.filter { $0 != topic }.flatMap(\.patterns)
        for pattern in topic.patterns {
            let matching = subjects.filter { CheckPattern.matches(pattern, $0) }
            #expect(!matching.isEmpty, "\(pattern)")
            for subject in matching {
                #expect(!others.contains { CheckPattern.matches($0, subject) }, "\(subject)")
            }
        }
    }

    @Test("every setting has a topic, a source and a product with marks, once")
    func settings() {
        let marked = Set(ProductMark.all.map(\.product))
        #expect(marked == Set(ProductSetting.all.map(\.product)))
        var seen: Set<[String]> = []
        for setting in ProductSetting.all {
            #expect(ProductSetting.Topic(rawValue: setting.topic) != nil, "\(setting)")
            #expect(!setting.place.isEmpty && setting.place.count <= 120 && !setting.place.hasSuffix("."), "\(setting)")
            #expect(!setting.source.isEmpty, "\(setting)")
            #expect(seen.insert([setting.product, setting.topic]).inserted, "\(setting)")
        }
        for mark in ProductMark.all {
            #expect(mark.members.count == mark.patterns.count && !mark.source.isEmpty, "\(mark)")
        }
    }
}
