import Conformance
import JSONTree
import ReferenceProvider
import Synchronization
import Testing

/// A provider that keeps one nonce for each user and client, and returns the last one with every code, as Gitea does.
@Suite("A nonce for all requests of a user", .timeLimit(.minutes(5)))
struct SharedNonceTests {
    private final class StoredNonce: Sendable {
        let nonce = Mutex<String?>(nil)
    }

    private static func report(_ profile: String) async throws -> Report {
        let kept = StoredNonce()
        return
            try await Laboratory.collect(
                .codeOnly,
                profile: profile,
                provide: { settings in
                    settings.hook { hooks in
                        hooks.authorizationError = { request, error in
                            if let nonce = request["nonce"] { kept.nonce.withLock { $0 = nonce } }
                            return error
                        }
                        hooks.idTokenClaims = { claims, _ in
                            kept.nonce.withLock { nonce in nonce.map { claims["nonce"] = .string($0) } }
                        }
                    }
                }
            )
            .report
    }

    @Test("a nonce of another request is reported as such, not as a changed nonce")
    func isNamed() async throws {
        let entries = try await Self.report("openid").entries
        let closing = Set(entries.filter(\.closesGate).map(\.id))
        #expect(closing.contains("idtoken.nonce.is-of-its-own-request"))
        #expect(!closing.contains("idtoken.nonce.special-characters-are-returned"))
        for entry in entries where entry.closesGate {
            #expect(entry.id.rawValue.hasPrefix("idtoken.nonce."))
            let isNamed = entry.verdict.findings.allSatisfy { $0.message.contains("the nonce of another request") }
            #expect(isNamed, "\(entry.verdict.findings.map(\.message))")
        }
        let entry = entries.first { $0.id == "idtoken.nonce.is-not-invented" }
        #expect(entry?.verdict.findings.first?.message.contains("the nonce of another request of this run") == true)
    }

    @Test("without a second granted request, the nonce of the first shows nothing", arguments: [true, false])
    func laterRequestIsRejected(byPage: Bool) async throws {
        let report =
            try await Laboratory.collect(
                .codeOnly,
                profile: "openid",
                provide: { settings in
                    settings.hook { hooks in
                        hooks.session.needs = { needs, request in
                            guard request["id_token_hint"] != nil else { return }
                            needs.consent = byPage
                            needs.error = byPage ? nil : "login_required"
                        }
                    }
                }
            )
            .report
        let entry = try #require(report.entries.first { $0.id == "idtoken.nonce.is-of-its-own-request" })
        #expect(entry.verdict.word == "notAttempted", "\(entry.verdict)")
        #expect(!entry.blocksOpening)
        #expect(entry.verdict.reason?.contains("the later request was not granted") == true)
    }

    @Test(
        "the gate of a platform that sends no nonce stays open",
        arguments: ["firebase-oidc", "google-identity-platform"]
    )
    func firebase(profile: String) async throws {
        let entries = try await Self.report(profile).entries
        #expect(entries.filter(\.closesGate).map(\.id) == [])
    }
}
