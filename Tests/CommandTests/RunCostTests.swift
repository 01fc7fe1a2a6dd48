import Foundation
import Testing

/// The cost of a run against the reference provider without faults, with the configuration that it writes.
///
/// Version 0.1.0 sent 215 requests there, and 213 in the profile `openid`; new questions are paid for by sending nothing in vain, but
/// for six: what the scope email and what the scope profile bring alone takes a code and an answer of UserInfo each, and the scheme of the
/// Authorization header is written in lower case once.
@Suite("Cost of a run", .timeLimit(.minutes(5)))
struct RunCostTests {
    private struct Report: Decodable {
        struct Timings: Decodable {
            var requests: Int
            var signIns: Int
        }

        var timings: Timings
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var requests: Int
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(
        "few more requests than the first release, and no more sign-ins",
        arguments: [
            Row(arguments: [], requests: 228), Row(arguments: ["--profile", "openid"], requests: 225),
        ]
    )
    func bounded(row: Row) async throws {
        try await ReferenceServer.run { server in
            let result = try await server.check(row.arguments, forms: ["json"])
            #expect(result.code == 0, "\(result.errors)")
            let report = try JSONDecoder().decode(Report.self, from: Data(try server.read("r.json").utf8))
            #expect(report.timings.requests <= row.requests)
            #expect(report.timings.requests > row.requests / 2)
            #expect(report.timings.signIns <= 6)
        }
    }
}
