import Foundation
import Testing

/// The cost of a run against the reference provider without faults, with the configuration that it writes.
///
/// Version 0.1.0 sent 215 requests there, and 213 in the profile `openid`. New checks need only these further
/// requests:
///
/// - The claims of the scope email and of the scope profile need a code and a UserInfo request each.
/// - One request writes the scheme of the Authorization header in lower case, and one reads the authorization server metadata.
/// - One request posts to UserInfo without a body, two post a bogus token, and one names a resource to the token endpoint.
/// - Requests that the provider must reject cannot be combined. They have nine redirect URIs, an unregistered one in eight
///   kinds of request, three malformed parameters, and three headers with malformed credentials. Two more send a refresh token
///   with wrong credentials and without credentials.
/// - An unsigned hint and a hint without prompt are one request each.
/// - A request object that is not a JWT and an empty code_verifier are one request each. A second open request of one user and
///   its redemption are two.
/// - A HEAD for each document, and the discovery document with another host in X-Forwarded-Host, are one request each.
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
            Row(arguments: [], requests: 278), Row(arguments: ["--profile", "openid"], requests: 274),
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
