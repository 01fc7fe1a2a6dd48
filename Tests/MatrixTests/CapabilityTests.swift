import Catalogue
import Conformance
import ReferenceProvider
import Testing

/// A capability that is advertised but missing is one finding, without findings for its consequences.
@Suite("Advertised capabilities", .timeLimit(.minutes(5)))
struct CapabilityTests {
    /// The checks that report a broken advertised capability, by kind.
    ///
    /// The fault matrix verifies that the fault of each fails only that check and those named with the fault.
    static let homes: [(kind: String, checks: [CheckID])] = [
        (
            "response type",
            [
                "authorization.response-type.advertised-is-served", "authorization.response-type.none-is-served",
                "registration.response-types.are-served",
            ]
        ),
        (
            "response mode",
            ["authorization.form-post.is-answered-by-a-form", "authorization.response-mode.fragment-is-honoured"]
        ),
        (
            "authentication method",
            ["token.client-authentication.other-methods-are-accepted", "token.private-key-jwt.is-accepted"]
        ),
        ("grant", ["token.refresh.succeeds", "token.refresh.listed-grant-is-used"]),
        ("PKCE method", ["authorization.code-challenge-method.advertised-is-taken", "token.code-verifier.is-heeded"]),
        ("algorithm", ["keys.signing-key.fits-every-algorithm", "registration.advertised-values.can-be-registered"]),
        (
            "request object",
            ["authorization.request-object.supported-is-taken", "authorization.request-uri.supported-is-taken"]
        ),
        ("pushed request", ["authorization.pushed-request.is-accepted"]),
    ]

    @Test("every kind of capability has existing checks, each with a fault", arguments: homes.map(\.kind))
    func hasAHome(kind: String) {
        let checks = Self.homes.first { $0.kind == kind }?.checks ?? []
        #expect(!checks.isEmpty)
        let known = Set(Catalogue.all.map(\.id))
        let tripped = Set(Fault.all.map(\.trips))
        for check in checks {
            #expect(known.contains(check), "\(check)")
            #expect(tripped.contains(check), "\(check) has no fault")
        }
    }

    struct Missing: Sendable, CustomTestStringConvertible {
        let endpoint: Endpoint
        /// The checks that report it, above the level notice.
        let reported: Set<CheckID>
        var testDescription: String { endpoint.rawValue }
    }

    static let missing = [
        Missing(endpoint: .userInfo, reported: ["userinfo.status.is-200"]),
        Missing(endpoint: .revocation, reported: ["revocation.refresh-token.is-taken"]),
        Missing(endpoint: .introspection, reported: ["introspection.endpoint.is-there"]),
        Missing(endpoint: .endSession, reported: ["logout.request.is-answered"]),
        Missing(endpoint: .pushedRequests, reported: ["authorization.pushed-request.is-accepted"]),
        Missing(endpoint: .registration, reported: ["registration.client.is-accepted"]),
    ]

    @Test("an advertised endpoint that does not exist is reported once", arguments: missing)
    func endpoint(missing: Missing) async throws {
        let fault = Fault(
            "authorization.flow.succeeds",
            variant: "missing",
            "\(missing.endpoint) is not there",
            change: { hooks in
                hooks.answer = { endpoint, answer in
                    guard endpoint == missing.endpoint else { return }
                    answer.status = 404
                    answer.text = "Not here."
                    answer.setHeader("Content-Type", "text/plain")
                }
            }
        )
        let report = try await Laboratory.judge(.standard, faults: [fault], profile: "openid").report
        let errors = Set(report.entries.filter { $0.level >= .warning && !$0.verdict.findings.isEmpty }.map(\.id))
        #expect(errors == missing.reported, "\(errors.symmetricDifference(missing.reported))")
    }
}
