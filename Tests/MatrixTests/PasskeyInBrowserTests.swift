import Browsing
import Conformance
import Flows
import JOSE
import Preflight
import ReferenceProvider
import SignIn
import TestSupport
import Testing

/// Signing in with a passkey: the provider verifies the signature of the browser's virtual authenticator.
@Suite(
    "Passkeys, in a browser",
    .phase(.browsers),
    .serialized,
    .timeLimit(.minutes(5)),
    .oracle(.browser(.chromium))
)
struct PasskeyInBrowserTests {
    private static let credentialID: [UInt8] = Array("alice's credential".utf8)
    private static let handle: [UInt8] = Array("alice's handle".utf8)

    /// A run against a provider with one registered key, by a user with the same or another key.
    private static func result(
        known: PrivateKey,
        own: PrivateKey,
        signCount: UInt32? = nil
    ) async throws -> Laboratory.Run {
        try await SignInVariantTests.result(
            .passkey,
            maxSignIns: 2,
            over: .sockets,
            mistake: { configuration in
                BrowserVariantTests.take(.form, in: .chromium, &configuration)
                configuration.takePasskey(
                    PasskeyCredential(credentialID: credentialID, key: own, userHandle: handle, signCount: signCount)
                )
            },
            provide: { settings in
                // A relying party ID is never an IP address (Web Authentication Level 2 section 5.1.3).
                settings.host = "localhost"
                settings.accounts?[0].passkey = AccountPasskey(
                    credentialID: credentialID,
                    publicKey: known.publicKey,
                    userHandle: handle
                )
            }
        )
    }

    @Test("a sign-in with a passkey succeeds in every check")
    func through() async throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let result = try await Self.result(known: key, own: key)
        #expect(result.report.outcome.exitCode == 0, "\(result.report.outcome.summary)")
        #expect(result.report.causes.isEmpty, "\(result.report.causes.map(\.message))")
        #expect(result.evidence.signIns == 2)
        #expect(result.evidence.exchanges.contains { $0.step.hasSuffix("page in the browser") })
        let evidence = String(decoding: try result.evidence.encoded(), as: UTF8.self)
        #expect(!evidence.contains(Base64URL.encode(try key.der())))
    }

    @Test("an unknown passkey is rejected, tried once, and reported with the next step")
    func refused() async throws {
        let result = try await Self.result(known: .generate(.ec(.p256)), own: .generate(.ec(.p256)))
        try SignInVariantTests.expect(
            .init(
                message: "message of the page: The passkey's signature does not match",
                advice: "Compare sign_in.passkey",
                signIns: 1
            ),
            result
        )
    }
}
