import Catalogue
import Conformance
import Profiles
import ReferenceProvider
import Testing

/// The profiles of platforms against these platforms' own code (`Tests/Fixtures/platforms.tsv`).
@Suite("Agreement with platforms", .timeLimit(.minutes(5)))
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

    /// The reasons at any platform that differs.
    static let common: [String: Difference] = [
        "token.expires-in.is-readable#huge": .coversMore("2^63 is accepted, and a text such as 1h is rejected"),
        "token.content-type.is-json": .closedBy("platform.token.content-type-is-not-excluded"),
        "idtoken.signature.key-is-for-signatures#key-ops":
            .coversMore("key_ops is not read, and a key with use enc is rejected"),
        "discovery.issuer.is-present": .unsafe("iss is compared with nothing"),
        "discovery.issuer.matches-request#host": .closedBy("idtoken.iss.matches-issuer"),
        "discovery.id-token-signing-alg-values-supported.include-rs256": .closedBy("idtoken.alg.is-advertised"),
        "discovery.target.response-types-are-offered": .closedBy("platform.metadata.response-type-is-offered"),
        "discovery.userinfo-endpoint.is-present": .closedBy("platform.metadata.members-are-present"),
        "keys.kid.is-stated": .closedBy("platform.id-token.has-kid"),
        "token.client-authentication.other-methods-are-accepted":
            .closedBy("platform.client.secret-in-body-is-accepted"),
        "idtoken.sub.is-present": .unsafe("all users of the provider are the same user"),
        "idtoken.signature.verifies": .unsafe("the platform verifies no signature"),
        "idtoken.alg.is-not-none": .unsafe("the platform verifies no signature"),
        "idtoken.claims.of-scopes-are-present": .closedBy("platform.id-token.claims-are-present"),
        "idtoken.claims.have-values": .closedBy("platform.id-token.claims-are-present"),
        "userinfo.sub.matches-id-token": .unsafe("the user is the one of UserInfo"),
        "platform.request.needs-no-unlisted-pkce": .closedBy("platform.request.needs-no-pkce"),
    ]

    /// The reasons at one platform.
    static let own: [String: [String: Difference]] = [
        "backstage": [
            "userinfo.email-verified.is-true": .closedBy("platform.user.email-is-verified"),
            "idtoken.claims.has-unique-members": .closedBy("userinfo.sub.matches-id-token"),
        ],
        "gitea": ["idtoken.claims.has-unique-members": .closedBy("userinfo.sub.matches-id-token")],
        "harbor": ["idtoken.claims.has-unique-members": .closedBy("userinfo.sub.matches-id-token")],
        "caddy-security": [
            "discovery.response.status-is-200": .coversMore("500 with a document is accepted, and 404 is rejected")
        ],
        "jenkins": ["userinfo.status.is-200": .coversMore("claims in the ID Token are enough")],
        "keycloak-broker": [
            "idtoken.email.is-an-address": .closedBy("userinfo.email.is-an-address"),
            "idtoken.claims.has-unique-members": .closedBy("userinfo.sub.matches-id-token"),
        ],
        "open-webui": [
            "userinfo.status.is-200": .coversMore("claims in the ID Token are enough"),
            "idtoken.exp.is-in-the-future": .closedBy("platform.id-token.times-are-current"),
        ],
        "pocketbase": [
            "idtoken.sub.is-a-string": .closedBy("userinfo.claims.have-right-types"),
            "idtoken.claims.have-right-types": .closedBy("userinfo.claims.have-right-types"),
        ],
        "pomerium": ["keys.kty.is-known": .coversMore("accepted with an unknown alg, rejected without alg")],
        "synapse": ["userinfo.email.is-an-address": .closedBy("idtoken.email.is-an-address")],
    ]

    /// go-oidc is a library: the column is a program with nonce and UserInfo, which its profile does not assume.
    static let platforms = table[0].dropFirst().dropLast().filter { $0 != "go-oidc" }

    @Test("the profile and the platform agree in at least 95 of 100 faults", arguments: platforms)
    func agreement(platform: String) throws {
        let profile = try ProfileLibrary { path throws(ConfigurationError) in
            throw ConfigurationError(file: path, "no such file")
        }
        .profile(platform)
        let column = try #require(Self.table[0].firstIndex(of: platform))
        let rows = Self.table.dropFirst().filter { ["+", "R"].contains($0[column]) }
        #expect(rows.count >= 35)
        let own = Self.own[platform] ?? [:]
        let reasons = Self.common.merging(own) { $1 }
        var different: [String: Difference] = [:]
        for row in rows {
            let fault = try #require(Self.faults[row[0]], "\(row[0])")
            // The fault breaks the signature where the measured departure kept it.
            let also = fault.also.filter { $0 != "idtoken.signature.verifies" }
            let checks = ([fault.trips] + also).compactMap { Self.checks[$0] }
                .filter { profile.includes($0.id) && profile.weight(of: $0).level == .error }
            let agrees = row[column] == "R" ? !checks.isEmpty : checks.allSatisfy { $0.consequence == .safety }
            guard !agrees else { continue }
            // With its type, because the assignment alone would make it an optional that is always there.
            let reason: Difference = try #require(reasons[row[0]], "\(row[0]): the platform \(row[column])")
            different[row[0]] = reason
        }
        #expect(Set(own.keys).subtracting(different.keys).isEmpty)
        for (fault, difference) in different {
            guard case .closedBy(let check) = difference else { continue }
            let closing = try #require(Self.checks[check], "\(fault)")
            #expect(profile.includes(check) && profile.weight(of: closing).level == .error, "\(fault)")
        }
        let disagreeing = different.values.count { if case .coversMore = $0 { true } else { false } }
        #expect(disagreeing * 100 <= 5 * rows.count, "\(disagreeing) of \(rows.count)")
    }

    private static let checks = Dictionary(uniqueKeysWithValues: Catalogue.all.map { ($0.id, $0) })
    private static let faults = Dictionary(uniqueKeysWithValues: Fault.all.map { ($0.id, $0) })
    private static let table = ClientTable.lines(of: "platforms.tsv")
}
