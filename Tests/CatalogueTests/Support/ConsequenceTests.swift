import Catalogue
import Conformance
import ReferenceProvider
import Testing

@Suite("Consequences", .timeLimit(.minutes(5)))
struct ConsequenceTests {
    /// The checks whose fault some client refused in an ordinary sign-in by code.
    private static let refused = Set(
        ClientTable.rows.filter { $0.isOrdinary && !$0.refusals.isEmpty }.map(\.check)
    )
    /// The checks whose fault some client refused in one flow or another.
    private static let minded = Set(ClientTable.rows.filter { !$0.refusals.isEmpty }.map(\.check))

    /// Whether the table, or the requirement word, speaks for the check's consequence.
    private static func isPlain(_ check: Check) -> Bool {
        if check.consequence != .signIn { return !refused.contains(check.id) }
        // A rule of the platform's own is one that it refuses by.
        return minded.contains(check.id) || check.requirement == .platform
    }

    private static func reasons(for check: Check) -> [ClientTable.Reason] {
        ClientTable.reasons.filter { $0.checks.matches(check.id) }
    }

    @Test("the table is whole, and speaks of faults that there are")
    func table() {
        #expect(ClientTable.rows.count >= 830)
        #expect(Self.refused.count >= 150)
        let faults = Set(Fault.all.map(\.id))
        for row in ClientTable.rows { #expect(faults.contains(row.fault), "\(row)") }
    }

    @Test("what a client refuses in an ordinary sign-in breaks sign-in, or a reason says why not")
    func refusedIsSignIn() {
        for check in Catalogue.all where check.consequence != .signIn && !Self.isPlain(check) {
            let rows = ClientTable.rows.filter { $0.check == check.id && !$0.refusals.isEmpty }
            #expect(!Self.reasons(for: check).isEmpty, "\(check) is \(check.consequence), and refused: \(rows)")
        }
    }

    @Test("what no client minds breaks no sign-in, or a reason says whose")
    func unmindedIsNotSignIn() {
        for check in Catalogue.all where check.consequence == .signIn && !Self.isPlain(check) {
            #expect(!Self.reasons(for: check).isEmpty, "\(check) is signIn, and no client refuses it")
        }
    }

    @Test("every reason is a sentence, says what is so, and is needed", arguments: ClientTable.reasons)
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

    @Test("a check of a danger says who gains")
    func dangerHasSomebody() {
        let somebody: Set = [
            "another", "anybody", "attacker", "everybody", "page", "site", "somebody", "strangers", "thief", "whoever",
        ]
        for check in Catalogue.all where check.consequence == .safety {
            let words = check.why.lowercased().split { !$0.isLetter }.map(String.init)
            #expect(!somebody.isDisjoint(with: words), "\(check): \(check.why)")
        }
    }
}
