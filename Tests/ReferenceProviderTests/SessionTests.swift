import Conformance
import Testing

@testable import ReferenceProvider

@Suite("Hints, ages and subjects", .timeLimit(.minutes(5)))
struct SessionTests {
    /// The ID Token of a user who signs in only for it.
    private func signedIn(_ browser: inout MemoryBrowser) throws -> String {
        try #require(try browser.response(browser.parameters("id_token"))["id_token"])
    }

    private func silent(_ browser: MemoryBrowser, _ hint: String) -> [Field] {
        browser.parameters("id_token", ["prompt": "none", "id_token_hint": hint])
    }

    @Test("A hint must be an unchanged ID Token of this provider, for the user who is signed in")
    func hints() throws {
        let clock = TestClock(1_800_000_000)
        let provider = try makeProvider(clock: clock)
        var alice = MemoryBrowser(provider)
        var bob = MemoryBrowser(provider)
        bob.account = .bob
        let own = try signedIn(&alice)
        let other = try signedIn(&bob)
        // Longer than the lifetime of an ID Token: an expired one is a valid hint.
        clock.advance(2 * Provider.idTokenLifetime)
        #expect(try alice.response(silent(alice, own))["id_token"] != nil)
        #expect(try alice.response(silent(alice, other))["error"] == "login_required")
        #expect(try alice.response(silent(alice, String(own.dropLast()) + "-"))["error"] == "invalid_request")
        // With a page, the right user can still sign in; another one is rejected.
        let asked = alice.parameters("id_token", ["id_token_hint": other])
        #expect(try alice.response(asked)["error"] == "login_required")
        alice.account = .bob
        #expect(try alice.response(asked)["id_token"] != nil)
    }

    @Test("max_age=0 requires a sign-in even within the same second", arguments: ["0", "1"])
    func zero(age: String) throws {
        let provider = try makeProvider(clock: TestClock(1_800_000_000))
        var browser = MemoryBrowser(provider)
        _ = try signedIn(&browser)
        let silent = browser.parameters("code", ["prompt": "none", "max_age": age])
        #expect((try browser.response(silent)["error"] == "login_required") == (age == "0"))
    }

    @Test("A pairwise subject is the same within a sector, differs between sectors, and is opaque")
    func pairwise() throws {
        let provider = try makeProvider(.pairwise)
        let elsewhere = RegisteredClient(
            id: "elsewhere",
            name: "Elsewhere",
            secret: nil,
            authenticationMethods: [.none],
            redirectURIs: ["https://elsewhere.example:8443/callback"]
        )
        let subjects = [RegisteredClient.confidential, .second, elsewhere]
            .map { client in
                [Account.alice, .bob]
                    .map { provider.subject(of: Session(account: $0, authenticatedAt: 0), at: client) }
            }
        #expect(subjects[0] == subjects[1])
        #expect(Set(subjects[0] + subjects[2]).count == 4)
        #expect(subjects.joined().allSatisfy { $0.utf8.count == 43 })
        // Core section 8.1: the salt is secret.
        let again = try makeProvider(.pairwise)
        let other = again.subject(of: Session(account: .alice, authenticatedAt: 0), at: .confidential)
        #expect(other != subjects[0][0])
    }
}
