import Foundation
import JSONTree
import Testing

/// What an earlier version saved is judged as that version judged it.
@Suite("Evidence that an earlier version saved")
struct EarlierEvidenceTests {
    struct Saved: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What is judged otherwise since then: check, verdict then, verdict now.
        var changes: [[String]]
    }

    private static let folder = CommittedFile.root.appendingPathComponent("Tests/Fixtures/evidence/format-2")

    @Test(
        arguments: [
            Saved(
                testDescription: "openid",
                changes: [
                    // The ID Token of the code flow is read as well.
                    ["idtoken.nonce.is-not-invented", "notApplicable", "passed"],
                    // A client that authenticates needs no rotation (RFC 9700 section 2.2.2).
                    ["token.refresh.replaced-is-refused", "passed", "notApplicable"],
                    // Another request than the plain one brought a refresh token.
                    ["token.refresh.listed-grant-is-used", "passed", "notApplicable"],
                    // A real code was tried with a wrong secret, which says more.
                    ["token.wrong-secret.is-refused", "passed", "notApplicable"],
                ]
                    // A client of the authorization endpoint is registered for encryption as well, and had no sign-in then.
                    + ["has-five-parts", "has-the-algorithms", "decrypts", "holds-a-signed-token", "cty-is-jwt"]
                    .map { ["idtoken.encrypted.\($0)", "notApplicable", "notAttempted"] }
            ),
            Saved(
                testDescription: "twitter",
                // Rules that the profile states are judged by the rules' checks.
                changes: [
                    ["platform.registration.provider-id-is-well-formed", "notAttempted", "passed"],
                    ["platform.registration.redirect-uri-is-the-platforms", "notAttempted", "passed"],
                    ["platform.request.reserved-parameters-are-left-out", "notAttempted", "notApplicable"],
                ]
            ),
        ]
    ) func `format 2 is judged as by the version that wrote it`(saved: Saved) async throws {
        let file = Self.folder.appendingPathComponent("\(saved.testDescription).json").path
        let result = try await Program.run(["judge", file, "--report", "json=-"])
        let entries = try JSONDocument.parse(result.output).root["entries"]?.arrayValue ?? []
        let now = Dictionary(
            uniqueKeysWithValues: entries.map { ($0["id"]?.stringValue ?? "", $0["verdict"]?.stringValue ?? "") }
        )
        let table = Self.folder.appendingPathComponent("\(saved.testDescription).verdicts.tsv")
        let then = try String(contentsOf: table, encoding: .utf8).split(separator: "\n")
            .reduce(into: [String: String]()) { rows, line in
                let columns = line.split(separator: "\t").map(String.init)
                if columns.count == 2 { rows[columns[0]] = columns[1] }
            }
        #expect(then.count == 734)
        let changed = then.filter { now[$0.key] != nil && now[$0.key] != $0.value }
            .map { [$0.key, $0.value, now[$0.key] ?? "none"] }
        #expect(Set(changed) == Set(saved.changes))
        // A check that the earlier version did not have has no quarrel with what passed then.
        let blamed = now.filter { then[$0.key] == nil && $0.value == "failed" }.keys
        #expect(blamed.isEmpty, "\(blamed.sorted())")
        for gone in then.keys.sorted() where now[gone] == nil {
            let explained = try await Program.run(["checks", "explain", gone])
            #expect(explained.code == 0, "no check of today is told to be \(gone)")
        }
    }
}
