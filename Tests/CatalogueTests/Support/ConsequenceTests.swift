import Catalogue
import Conformance
import ReferenceProvider
import Testing

@Suite("Consequences", .timeLimit(.minutes(5)))
struct ConsequenceTests {
    /// The checks whose fault some client rejected in an ordinary sign-in with the code flow.
    private static let refused = Set(
        ClientTable.rows.filter { $0.isOrdinary && !$0.refusals.isEmpty }.map(\.check)
    )
    /// The checks whose fault some client rejected in any flow.
    private static let minded = Set(ClientTable.rows.filter { !$0.refusals.isEmpty }.map(\.check))

    /// Whether the check's consequence follows from the table or the requirement.
    private static func isPlain(_ check: Check) -> Bool {
        if check.consequence != .signIn { return !refused.contains(check.id) }
        // The platform rejects violations of its own rules.
        return minded.contains(check.id) || check.requirement == .platform
    }

    private static func reasons(for check: Check) -> [ClientTable.Reason] {
        ClientTable.reasons.filter { $0.checks.matches(check.id) }
    }

    @Test("the table is complete and contains only existing faults")
    func table() {
        #expect(ClientTable.rows.count >= 830)
        #expect(Self.refused.count >= 150)
        let faults = Set(Fault.all.map(\.id))
        for row in ClientTable.rows { #expect(faults.contains(row.fault), "\(row)") }
    }

    @Test("a fault that a client rejects in an ordinary sign-in has the consequence sign-in, or a documented reason")
    func refusedIsSignIn() {
        for check in Catalogue.all where check.consequence != .signIn && !Self.isPlain(check) {
            let rows = ClientTable.rows.filter { $0.check == check.id && !$0.refusals.isEmpty }
            #expect(!Self.reasons(for: check).isEmpty, "\(check) is \(check.consequence), but rejected by: \(rows)")
        }
    }

    @Test("a fault that every client accepts does not have the consequence sign-in, or has a documented reason")
    func unmindedIsNotSignIn() {
        for check in Catalogue.all where check.consequence == .signIn && !Self.isPlain(check) {
            #expect(!Self.reasons(for: check).isEmpty, "\(check) is signIn, but no client rejects it")
        }
    }

    @Test("every reason is a sentence, matches the catalogue, and is needed", arguments: ClientTable.reasons)
    func reasonIsNeeded(reason: ClientTable.Reason) {
        let checks = Catalogue.all.filter { reason.checks.matches($0.id) }
        #expect(!checks.isEmpty)
        #expect(reason.because.hasSuffix(".") && reason.because.count > 40)
        for check in checks {
            #expect(check.consequence == reason.consequence, "\(check)")
            #expect(!Self.isPlain(check), "\(check) needs no reason")
            #expect(Self.reasons(for: check).count == 1, "\(check) has more than one reason")
        }
    }

    @Test("a check with the consequence safety names the party that benefits")
    func dangerNamesParty() {
        let parties: Set = [
            "another", "anyone", "attacker", "attackers", "everyone", "page", "site", "someone", "strangers", "thief",
        ]
        for check in Catalogue.all where check.consequence == .safety {
            let words = check.why.lowercased().split { !$0.isLetter }.map(String.init)
            #expect(!parties.isDisjoint(with: words), "\(check): \(check.why)")
        }
    }
}
