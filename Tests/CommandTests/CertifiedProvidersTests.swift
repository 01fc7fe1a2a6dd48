import Foundation
import JSONTree
import TestSupport
import Testing

/// Evaluates responses of certified products; every error was verified manually, and no platform is affected.
@Suite("Certified providers", .timeLimit(.minutes(5)))
struct CertifiedProvidersTests {
    struct Product: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Real violations of a MUST by the product.
        var errors: Set<String>
        /// Expected warnings, with the reason.
        var warnings: [String: String]
        /// The checks that rightly close the gate of a platform, by its profile.
        var closes: [String: Set<String>] = [:]
    }

    /// The behaviour of a realm with an ordinary client and user.
    private static let ofKeycloak: Set<String> = [
        "authorization.prompt-none.with-another-value-is-refused", "authorization.id-token-hint.forged-is-refused",
        "authorization.claims-parameter.sub-is-regarded", "token.wrong-secret.has-invalid-client",
    ]

    private static let warningsOfKeycloak = [
        "discovery.encryption-algorithms.exclude-rsa1-5": "RSA1_5 is listed for ID Tokens",
        "discovery.code-challenge-methods-supported.exclude-plain": "plain is listed",
        "discovery.clock.is-stated": "no answer has a Date field",
        "keys.signing-key.fits-every-algorithm": "most of the listed algorithms have no key",
        "authorization.prompt-consent.asks": "no consent is requested: the client needs none there",
        "authorization.prompt-select-account.asks": "no account can be chosen",
        "authorization.scope.unknown-is-ignored": "an unknown scope value is refused with invalid_scope",
        "authorization.error.is-redirected":
            "a page rejects an unusable request_uri and a request object with a wrong signature",
    ]

    /// Home Assistant requests the scope groups, which this realm does not have, and mlflow-oidc-auth needs the claim groups.
    ///
    /// The realm's encryption key states RSA-OAEP, with which caddy-security does not start.
    private static let closesOfKeycloak: [String: Set<String>] = [
        "home-assistant": ["authorization.scope.unknown-is-ignored"],
        "mlflow": ["platform.id-token.claims-are-present"],
        "caddy-security": ["platform.keys.algorithms-are-accepted"],
    ]

    static let products = [
        Product(
            testDescription: "keycloak-26.7.3",
            errors: [
                // Core 3.1.2.2: positive only if that user has the session.
                "authorization.claims-parameter.sub-is-regarded",
                "authorization.id-token-hint.of-another-person-is-refused",
                // Core 3.1.2.2: the provider MUST validate that it was the issuer of the ID Token.
                "authorization.id-token-hint.forged-is-refused",
                // RFC 6749 5.2: it answers unauthorized_client with 401.
                "token.wrong-secret.has-invalid-client",
            ],
            warnings: warningsOfKeycloak.merging([
                "registration.client.is-accepted":
                    "its policy refuses the member scope, which that version of this tool always sent"
            ]) { $1 },
            // AI hosts register with a scope.
            closes: closesOfKeycloak.merging(
                ["mcp-host", "claude", "chatgpt", "vscode"]
                    .map { ($0, ["platform.request.names-a-resource", "registration.client.is-accepted"]) }
            ) { $1 }
        ),
        Product(
            testDescription: "keycloak-26.7.3-es256-alone",
            errors: ofKeycloak,
            warnings: warningsOfKeycloak,
            closes: closesOfKeycloak.merging([
                "home-assistant": [
                    "authorization.scope.unknown-is-ignored", "platform.id-token.algorithm-is-accepted",
                ],
                "backstage": ["platform.id-token.algorithm-is-accepted"],
                "kubernetes-flags": ["platform.keys.usable-key-is-present", "platform.id-token.algorithm-is-accepted"],
                // The realm has no encryption key.
                "caddy-security": [], "entra-external-mfa": ["platform.keys.have-x5c"],
            ]) { $1 }
        ),
        Product(
            testDescription: "keycloak-26.7.3-ed448-beside",
            errors: ofKeycloak,
            warnings: warningsOfKeycloak.merging(["keys.okp.curve-is-widely-read": "a key is on the curve Ed448"]) {
                $1
            },
            // Their Go client drops the whole key set for the Ed448 key.
            closes: Dictionary(
                uniqueKeysWithValues: [
                    "dex-connector", "go-oidc", "harbor", "headscale", "kubernetes", "kubernetes-flags", "eks",
                    "oauth2-proxy", "pomerium",
                    "sigstore-fulcio", "sigstore-fulcio-email", "vault", "vault-sign-in",
                ]
                .map { ($0, ["platform.keys.curves-are-accepted"]) }
            )
            .merging(closesOfKeycloak) { $1 }
            .merging([
                "caddy-security": ["platform.keys.types-are-accepted", "platform.keys.algorithms-are-accepted"],
                "minio": ["platform.keys.types-are-accepted"],
            ]) { $1 }
        ),
        Product(
            testDescription: "oidc-provider-9.13.3",
            errors: [
                // Core 3.1.2.1: redirect_uri is REQUIRED.
                "authorization.redirect-uri.missing-is-refused",
                // Core 3.1.2.1: GET and POST; off there unless it is switched on.
                "authorization.post.is-accepted",
            ],
            warnings: ["token.refresh.id-token.has-no-nonce": "the ID Token of a refresh has a nonce"],
            // Its ID Token has no e-mail address, which Fulcio writes into certificates and the others read there.
            closes: Dictionary(
                uniqueKeysWithValues: [
                    "sigstore-fulcio-email", "dex-connector", "caddy-security", "mlflow", "synapse",
                ]
                .map { ($0, ["platform.id-token.claims-are-present"]) } + [
                    // Entra sends its request by POST, and reads certificates of keys.
                    ("entra-external-mfa", ["authorization.post.is-accepted", "platform.keys.have-x5c"])
                ]
            )
        ),
    ]

    private static func judge(_ name: String, _ options: [String]) async throws -> JSON {
        let file = try await Fixture.file("evidence/certified/\(name).json.gz")
        let result = try await Program.run(["judge", file, "--report", "json=-"] + options)
        return try JSONDocument.parse(result.output, valueLimit: JSONDocument.ownValueLimit).root
    }

    private static func entries(_ report: JSON, where holds: (JSON) -> Bool) -> Set<String> {
        Set((report["entries"]?.arrayValue ?? []).filter(holds).compactMap { $0["id"]?.stringValue })
    }

    @Test(arguments: products)
    func `the errors are the true ones, none more and none less`(product: Product) async throws {
        let report = try await Self.judge(product.testDescription, ["--profile", "openid"])
        func failed(_ level: String) -> Set<String> {
            Self.entries(report) { $0["verdict"] == "failed" && $0["level"]?.stringValue == level }
        }
        #expect(failed("error") == product.errors)
        #expect(failed("warning") == Set(product.warnings.keys))
        #expect(Self.entries(report) { $0["blocksOpening"] == true }.isEmpty)
        #expect(Self.entries(report) { $0["verdict"] == "passed" }.count > 400, "most checks must have run")
    }

    /// Checks that fail because of the run's configuration and not because of the provider: the configuration has neither
    /// the platform's handler nor its tenant, its claims or its kind of client.
    private static let ofTheRegistration: [String: Set<String>] = [
        "firebase-oidc": ["platform.registration.redirect-uri-is-the-platforms"],
        "google-identity-platform": ["platform.registration.redirect-uri-is-the-platforms"],
        "firebase-yahoo": ["platform.registration.redirect-uri-is-the-platforms"],
        "spa": ["platform.client.is-public"],
        "mcp-host": ["platform.request.names-a-resource"], "claude": ["platform.request.names-a-resource"],
        "chatgpt": ["platform.request.names-a-resource"], "vscode": ["platform.request.names-a-resource"],
    ]
    /// Platforms that take one provider alone, and profiles of conduct.
    private static let ofOthers: Set<String> = [
        "openid", "fapi2-security", "oauth-security-bcp", "firebase-github", "firebase-microsoft", "firebase-twitter",
        "x-oauth2",
    ]

    @Test(arguments: products)
    func `no platform's gate closes for what the platform never meets`(product: Product) async throws {
        let names = try FileManager.default
            .contentsOfDirectory(atPath: CommittedFile.root.appendingPathComponent("Profiles").path)
            .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
            .filter { !Self.ofOthers.contains($0) }.sorted()
        #expect(names.count > 15)
        let report = try await Self.judge(product.testDescription, ["--profile", names.joined(separator: ",")])
        for one in report["reports"]?.arrayValue ?? [] {
            let name = one["profile"]?["name"]?.stringValue ?? ""
            let expected = product.closes[name] ?? Self.ofTheRegistration[name] ?? []
            #expect(Self.entries(one) { $0["closesGate"] == true } == expected, "\(name)")
            #expect(Self.entries(one) { $0["blocksOpening"] == true }.isEmpty, "\(name)")
        }
        #expect(report["reports"]?.arrayValue?.count == names.count)
    }
}
