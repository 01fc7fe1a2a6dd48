import Conformance
import JSONTree
import ReferenceProvider
import TestSupport
import Testing

/// The profile `mcp-host` against six real MCP clients (`Tests/Fixtures/mcp-hosts.tsv`).
@Suite("AI hosts", .phase(.runs), .timeLimit(.minutes(20)))
struct HostAgreementTests {
    struct Row: Sendable, CustomStringConvertible {
        let fault: Fault
        /// How many of the six clients did not sign in.
        let refusing: Int
        var description: String { fault.id }
    }

    /// The fault, and the number of clients that refuse it.
    static let measured: [(fault: String, refusing: Int)] = Fixture.table("mcp-hosts").dropFirst()
        .map { ($0[0], $0.count > 1 ? Int($0[1]) ?? 0 : 0) }

    /// The faults at which a client of PyPI stops that registers itself (`Tests/Fixtures/mcp-clients.tsv`).
    static let stopping: [String] = Fixture.table("mcp-clients").dropFirst().filter { $0[1] != "+" || $0[3] != "+" }
        .map { $0[0] }

    static let rows: [Row] = measured.compactMap { name, refusing in
        Fault.all.first { $0.id == name && !$0.needsSockets }.map { Row(fault: $0, refusing: refusing) }
    }

    @Test("the tables are read, and their faults exist")
    func tables() {
        #expect(Self.measured.count == 60 && Self.stopping.count > 55)
        let unknown = (Self.measured.map(\.fault) + Self.stopping)
            .filter { name in !Fault.all.contains { $0.id == name } }
        #expect(unknown.isEmpty, "\(unknown)")
    }

    @Test("the gate is open for a provider without faults")
    func conformant() async throws {
        let report = try await Self.report([])
        let closing = report.entries.filter(\.closesGate).map { "\($0.id): \($0.verdict.findings)" }
        #expect(report.outcome.gate == .open, "\(report.outcome.summary) \(closing)")
    }

    @Test(
        "the gate is not open for a fault that half of the clients refuse",
        arguments: rows.filter { $0.refusing >= 3 }
    )
    func refused(row: Row) async throws {
        let report = try await Self.report([row.fault])
        #expect(report.outcome.gate != .open, "\(row.refusing) of 6: \(report.outcome.summary)")
    }

    /// Departures, and how many of 13 hosts and SDKs stop at each (`Tests/Fixtures/mcp-departures.tsv`).
    static let departures: [(change: String, stops: Int)] = Fixture.table("mcp-departures").dropFirst()
        .map { ($0[0], Int($0[1]) ?? 0) }

    /// The departures whose gate differs, each with its reason.
    private static let differing: [String: String] = [
        "document.op_tos_uri=null": "5 stop at null in another member",
        "document.id_token_signing_alg_values_supported=\"RS256\"": "7 stop at a text for the list of another member",
        "document.acr_values_supported=[1]": "7 stop at a text for the list of another member",
        "document.revocation_endpoint=\"\"": "no host stops at an empty userinfo_endpoint, and one check reads both",
        "status.token=201": "a client of PyPI stops at it",
        "registration.logo_uri=\"\"": "no check reads the links of a registration response",
        "registration.token_endpoint_auth_method=\"client_secret_basic\"":
            "no check requires a secret for the method that a registration grants",
    ]

    @Test(
        "a departure at which three hosts stop closes the gate, and one at which none stops leaves it open",
        arguments: departures
    )
    func departs(row: (change: String, stops: Int)) async throws {
        let fault = Fault(
            "discovery.response.status-is-200",
            "\(row.change)",
            change: { Departure(row.change).apply(to: &$0) }
        )
        let report = try await Self.report([fault])
        let closing = report.entries.filter { $0.closesGate && $0.consequence != .safety }.map(\.id)
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty }.map { "\($0.id) \($0.level)" }
        guard !Self.differing.keys.contains(row.change) else {
            #expect((row.stops == 0) != closing.isEmpty, "the gate agrees: remove the exception")
            return
        }
        if row.stops >= 3 { #expect(report.outcome.gate != .open, "\(row.stops) of 13: \(failed)") }
        if row.stops == 0 { #expect(closing.isEmpty, "\(closing)") }
    }

    /// The faults at which both clients stop although the gate may open, each with its reason.
    private static let stops: [String: String] = [
        "authorization.redirect-uri.mismatch-is-shown": "the fault rejects the redirect URI of every registered client",
        "discovery.response-types-supported.fit-registration":
            "the fault moves the registration to a host that does not exist",
        "token.refresh.listed-grant-is-used": "the user signs in again when the token expires",
    ]

    @Test(
        "the gate is not open for a fault at which a client stops that registers itself",
        arguments: Fault.all.filter { stopping.contains($0.id) && !$0.needsSockets && !stops.keys.contains($0.id) }
    )
    func stopped(fault: Fault) async throws {
        let report = try await Self.report([fault])
        #expect(report.outcome.gate != .open, "\(report.outcome.summary)")
    }

    @Test(
        "the gate is open for a provider that publishes authorization server metadata alone",
        arguments: [[], ["jwks_uri", "subject_types_supported", "id_token_signing_alg_values_supported"]]
    )
    func metadataAlone(absent: [String]) async throws {
        let fault = Fault(
            "discovery.response.status-is-200",
            "no discovery document",
            change: { hooks in
                hooks.publishesDiscovery = false
                hooks.discovery = { document, _ in for name in absent { document[name] = nil } }
            }
        )
        let report = try await Self.report([fault])
        let closing = report.entries.filter(\.closesGate).map { "\($0.id): \($0.verdict.findings)" }
        #expect(report.outcome.gate == .open, "\(report.outcome.summary) \(closing)")
    }

    static func report(_ faults: [Fault]) async throws -> Report {
        try await Laboratory.collect(.standard, faults: faults, profile: "mcp-host") { target in
            target.resource = "https://\(Target.authority(of: target.issuer))/resource"
            target.flows = ["code"]
        }
        .report
    }
}

/// The faults that no client refuses: as many runs as the whole fault matrix, so they are not part of `make test`.
@Suite("AI hosts and harmless faults", .phase(.sockets), .timeLimit(.minutes(20)))
struct HarmlessForHostsTests {
    /// The faults that were measured and that no client refuses; safety does not depend on what clients accept.
    static let harmless: [Fault] = Fault.all.filter { fault in
        !fault.needsSockets && !fault.isOfThePlatformAlone && fault.persona == .standard
            && !fault.trips.rawValue.hasPrefix("platform.")
            && !HostAgreementTests.measured.contains { $0.fault == fault.id }
            && !HostAgreementTests.stopping.contains(fault.id)
            // Never tried: no client signs in without tokens.
            && fault.id != "token.status.is-200"
    }

    /// The errors for faults that none of the six clients refuses, each with its reason.
    private static let reasons: [CheckPattern: String] = [
        "discovery.server-metadata.*": "measured with 13 clients: 13, 10 and 6 refuse",
        "discovery.agents.are-treated-alike": "3 hosts refuse another variant",
        "discovery.issuer.uses-https": "measured over http; MCP requires https for all endpoints",
        "discovery.issuer.is-in-normal-form": "9 of 13 refuse a scheme in capitals",
        "discovery.issuer.matches-request": "5 of 6 refuse other variants",
        "discovery.response.status-is-200": "3 of 6 refuse another variant",
        "discovery.*.is-present": "5 of 13 refuse if they read the discovery document",
        "discovery.members.are-not-null": "5 of 13 refuse",
        "discovery.list-members.are-lists-of-strings": "7 of 13 refuse another member",
        "discovery.newer-members.have-right-types": "5 of 13 refuse another member",
        "discovery.url-members.*": "up to 6 of 13 refuse such a member",
        "authorization.plain-request.is-accepted": "no host pushes or signs its request; not measured",
        "authorization.flow.succeeds": "the cause that supersedes it elsewhere is a warning here",
        "authorization.sign-in.forms-reach-the-client": "browsers refuse it",
        "token.response.is-not-redirected": "4 of 13 refuse",
        "authorization.state.letter-case-is-kept": "hosts compare a state in base64url; not measured",
        "token.status.is-200": "the check also fails if the provider rejects every code",
        "token.client-authentication.is-accepted": "the fault concerns a bogus code; real codes are redeemed",
        "token.expires-in.has-no-fraction": "6 of 13 refuse 3599.5",
        "token.expires-in.is-readable": "6 of 13 refuse a string",
        "token.refresh-token.is-a-text": "5 of 13 refuse null",
        "token.unknown-parameter.is-ignored": "hosts send resource, which such an endpoint rejects",
        "platform.resource.metadata-names-the-issuer": "13 refuse a resource that does not name the issuer",
        "registration.*": "the measured clients were registered beforehand",
    ]

    @Test("no error but one of safety closes the gate for a fault that no client refuses", arguments: harmless)
    func accepted(fault: Fault) async throws {
        let closing = try await HostAgreementTests.report([fault]).entries
            .filter { entry in
                entry.closesGate && entry.consequence != .safety && !Self.reasons.keys.contains { $0.matches(entry.id) }
            }
        #expect(closing.isEmpty, "\(closing.map(\.id))")
    }
}
