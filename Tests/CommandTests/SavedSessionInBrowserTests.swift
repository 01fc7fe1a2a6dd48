import TestSupport
import Testing

/// Sessions that a browser saves, where the pages need one, and that every driver uses.
@Suite("sign-in save, in a browser", .serialized, .phase(.browsers), .timeLimit(.minutes(5)))
struct SavedSessionInBrowserTests {
    struct Browser: Sendable, CustomTestStringConvertible {
        var name: String
        var programs: [String]
        var testDescription: String { name }
    }

    static let browsers = [
        Browser(name: "chromium", programs: ["chromium", "chromedriver"]),
        Browser(name: "firefox", programs: ["firefox-esr"]),
    ]

    @Test(arguments: browsers) func `a session of a page of scripts is used by forms and in the browser`(
        browser: Browser
    ) async throws {
        for program in browser.programs { try await Oracle.program(program).require() }
        try await ReferenceServer.run(["--sign-in", "script-only"]) { server in
            let saved = try await SavedSessionTests.signIn(
                server,
                ["save", "--driver", "browser", "--browser", browser.name, "--out", server.folder + "/session.enc"]
            )
            #expect(saved.code == 0, "\(saved.output)\(saved.errors)")
            for driver in [["form"], ["browser", "--browser", browser.name]] {
                let used = try await SavedSessionTests.run(server, ["sign-in", "test", "--quiet", "--driver"] + driver)
                #expect(used.code == 0, "\(driver): \(used.output)\(used.errors)")
                #expect(!used.output.contains("filled"), "\(driver): \(used.output)")
            }
        }
    }
}
