import Catalogue
import Conformance
import Foundation
import Profiles
import ReferenceProvider
import Testing

/// The profiles of platforms in Go against these platforms' own code (`Tests/Fixtures/go-platforms.tsv`).
@Suite("Agreement with platforms in Go", .timeLimit(.minutes(5)))
struct PlatformAgreementTests {
    /// Why the level of a fault's check is not what the platform did with the fault.
    enum Difference: Sendable {
        /// The check covers more than this fault, and the platform rejects the rest of it.
        case coversMore(String)
        /// Another check of the profile closes the gate.
        case closedBy(CheckID)
        /// The platform signs users in, and they are not safe.
        case unsafe(String)
    }

    /// A platform, and the faults that its profile and its code judge differently.
    struct Platform: Sendable, CustomStringConvertible {
        let profile: String
        var differences: [String: Difference] = [:]
        var description: String { profile }
    }

    private static let digits = Difference.coversMore("a string of digits is accepted, and other texts are rejected")

    private static func common(_ others: [String: Difference]) -> [String: Difference] {
        let common: [String: Difference] = [
            "keys.rsa.modulus-is-no-encoded-key": .coversMore("measured with a spare key, and not with one that signs"),
            "token.status.is-200": .coversMore("201 is accepted, and errors are rejected"),
            "token.expires-in.is-a-number": digits, "idtoken.exp.is-a-number": digits,
        ]
        return common.merging(others) { $1 }
    }

    private static let withoutSubject = Difference.unsafe("all users of the provider are the same user")

    static let platforms = [
        Platform(
            profile: "argo-cd",
            differences: common([
                "idtoken.iat.is-a-number": digits, "idtoken.sub.is-present": withoutSubject,
                "discovery.target.response-types-are-offered": .closedBy("platform.metadata.response-type-is-offered"),
            ])
        ),
        Platform(
            profile: "dex-connector",
            differences: common([
                "idtoken.iat.is-a-number": digits,
                "idtoken.claims.of-scopes-are-present": .closedBy("platform.id-token.claims-are-present"),
            ])
        ),
        Platform(
            profile: "headscale",
            differences: common([
                "idtoken.iat.is-a-number": digits, "idtoken.sub.is-present": withoutSubject,
                "idtoken.email-verified.is-a-boolean": .coversMore("null and numbers are rejected"),
            ])
        ),
        Platform(profile: "harbor", differences: common(["idtoken.iat.is-a-number": digits])),
        Platform(
            profile: "pomerium",
            differences: common([
                "idtoken.sub.is-present": withoutSubject,
                "discovery.userinfo-endpoint.is-present": .closedBy("platform.metadata.members-are-present"),
                "keys.kty.is-known": .coversMore("accepted with an unknown alg, rejected without alg"),
                "userinfo.sub.matches-id-token": .unsafe("the user is the one of UserInfo"),
            ])
        ),
    ]

    @Test("the profile and the platform agree in at least 94 of 100 faults", arguments: platforms)
    func agreement(platform: Platform) throws {
        let profile = try ProfileLibrary { path throws(ConfigurationError) in
            throw ConfigurationError(file: path, "no such file")
        }
        .profile(platform.profile)
        let column = try #require(Self.table.first?.firstIndex(of: platform.profile))
        let rows = Self.table.dropFirst().filter { ["+", "R"].contains($0[column]) }
        #expect(rows.count == 111)
        var different: Set<String> = []
        for row in rows {
            let fault = try #require(Self.faults[row[0]], "\(row[0])")
            let checks = ([fault.trips] + fault.also).compactMap { Self.checks[$0] }
                .filter { profile.includes($0.id) && profile.weight(of: $0).level == .error }
            let agrees = row[column] == "R" ? !checks.isEmpty : checks.allSatisfy { $0.consequence == .safety }
            if !agrees { different.insert(row[0]) }
        }
        #expect(different.sorted() == platform.differences.keys.sorted())
        for case .closedBy(let check) in platform.differences.values {
            #expect(profile.weight(of: try #require(Self.checks[check])).level == .error)
        }
        let disagreeing = platform.differences.values.count { if case .coversMore = $0 { true } else { false } }
        #expect(disagreeing * 100 <= 6 * rows.count, "\(disagreeing) of \(rows.count)")
    }

    private static let checks = Dictionary(uniqueKeysWithValues: Catalogue.all.map { ($0.id, $0) })
    private static let faults = Dictionary(uniqueKeysWithValues: Fault.all.map { ($0.id, $0) })
    private static let table = ClientTable.lines(of: "go-platforms.tsv")
}
