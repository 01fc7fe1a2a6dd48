import Catalogue
import Conformance
import Foundation
import Preflight
import ReferenceProvider
import Synchronization
import Testing

/// The evidence of a sign-in by OAuth 1.0.
@Suite("Evidence of OAuth 1.0", .timeLimit(.minutes(5)))
struct OAuth1EvidenceTests {
    /// All credentials that the provider issued.
    private final class Given: Sendable {
        private let values = Mutex<[String]>([])

        func note(_ fields: [Field]) {
            let secret = ["oauth_token", "oauth_token_secret", "oauth_verifier"]
            values.withLock { $0 += fields.filter { secret.contains($0.name) }.map(\.value) }
        }

        var all: [String] { values.withLock { $0 } }
    }

    private static func listening(_ given: Given) -> Fault {
        Fault(
            "platform.twitter.request-token.is-issued",
            variant: "listening",
            "nothing is wrong",
            persona: .twitter,
            change: { hooks in
                hooks.oauth1.temporaryCredentials = { given.note($0) }
                hooks.oauth1.callback = { given.note($0) }
                hooks.oauth1.tokenCredentials = { given.note($0) }
            }
        )
    }

    @Test("the evidence contains no token, secret, verification code or signature")
    func redacted() async throws {
        let given = Given()
        let run = try await Laboratory.collect(.twitter, faults: [Self.listening(given)])
        let text = String(decoding: try JSONEncoder().encode(run.evidence), as: UTF8.self)
        // Four temporary credentials, three redirects, two token credentials.
        #expect(given.all.count == 18)
        for value in given.all {
            #expect(!text.contains(value), "a secret of \(value.count) characters is in the evidence")
        }
        #expect(!text.contains("oauth_signature"), "an Authorization header is in the evidence")
        let secret = try #require(Persona.twitter.clientSecret(run.evidence.target.client?.id ?? ""))
        #expect(!text.contains(secret.reveal()))
        #expect(text.contains("oauth_token_secret"), "names of members are kept, so that the evidence is readable")
    }

    @Test("a second evaluation of the evidence has the same results")
    func evaluatedAgain() async throws {
        let run = try await Laboratory.collect(.twitter)
        let saved = try JSONEncoder().encode(run.evidence)
        let read = try JSONDecoder().decode(Evidence.self, from: saved)
        let again = run.run.judge(read, now: read.endedAt)
        #expect(again.entries.map(\.verdict) == run.report.entries.map(\.verdict))
        #expect(again.outcome.gate == .open)
    }

    @Test("evidence without OAuth 1.0 is read, and its checks are not attempted")
    func older() async throws {
        let run = try await Laboratory.collect(.twitter)
        var evidence = run.evidence
        evidence.oauth1 = nil
        let saved = try JSONEncoder().encode(evidence)
        #expect(!String(decoding: saved, as: UTF8.self).contains("\"oauth1\""))
        let read = try JSONDecoder().decode(Evidence.self, from: saved)
        let report = run.run.judge(read, now: read.endedAt)
        let entry = try #require(report.entries.first { $0.id == "platform.twitter.access-token.is-issued" })
        #expect(entry.verdict.word == "notAttempted")
    }

    @Test("only the full tier signs in")
    func tier() async throws {
        let run = try await Laboratory.collect(.twitter, tier: .unauthenticated)
        #expect(run.evidence.signIns == 0)
        #expect(run.evidence.exchanges.count == 4)
        let entry = run.report.entries.first { $0.id == "platform.twitter.request-token.replay-is-refused" }
        #expect(entry?.verdict == .passed)
    }

    @Test("a limit of one sign-in is enforced, and checks of the second are not attempted")
    func limit() async throws {
        let run = try await Laboratory.collect(.twitter, maxSignIns: 1)
        #expect(run.evidence.signIns == 1)
        let stable = run.report.entries.first { $0.id == "platform.twitter.user-id.is-stable" }
        #expect(stable?.verdict.word == "notAttempted")
        let issued = run.report.entries.first { $0.id == "platform.twitter.access-token.is-issued" }
        #expect(issued?.verdict == .passed)
    }

    @Test("OAuth 2.0 with PKCE works as the second protocol")
    func secondWay() async throws {
        let run = try await Laboratory.collect(.twitter, profile: "x-oauth2") { target in
            target.flows = ["code"]
            target.scopes = ["users.read", "tweet.read"]
            target.endpoints = [
                "authorization_endpoint": target.issuer + "/i/oauth2/authorize",
                "token_endpoint": target.issuer + "/2/oauth2/token",
                "user_api_endpoint": target.issuer + "/2/users/me",
            ]
        }
        #expect(run.report.outcome.gate == .open, "\(run.report.outcome.summary)")
        for entry in run.report.entries
        where entry.wasSelected && !Catalogue.seenOverSocketsAlone.contains(entry.id) {
            let hasResult = entry.verdict == .passed || entry.verdict.word == "notApplicable"
            #expect(hasResult, "\(entry.id) \(entry.verdict.word): \(entry.verdict.reason ?? "")")
        }
        #expect(run.report.coverage.passed >= 14)
    }

    @Test("the cost of a run matches its plan")
    func cost() async throws {
        let run = try await Laboratory.collect(.twitter)
        #expect(run.evidence.signIns == run.run.plan.signIns.planned)
        #expect(run.evidence.exchanges.count == run.run.plan.estimate.requests)
    }
}
