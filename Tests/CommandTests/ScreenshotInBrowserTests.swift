import Foundation
import TestSupport
import Testing

/// Screenshots of sign-in pages, which are written only if a folder is named.
@Suite(
    .serialized,
    .phase(.browsers),
    .oracle(.program("chromium")),
    .oracle(.program("chromedriver")),
    .timeLimit(.minutes(5))
)
struct ScreenshotInBrowserTests {
    private static let wrong: [String: String?] = ["OIDC_PASSWORD": "not-the-password"]

    private static func screenshots(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".png") }.sorted()
    }

    private static func expectScreenshot(_ path: String) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // PNG section 5.2, and more than an empty page has.
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(bytes.count > 4_000)
    }

    @Test func `the reports of a folder name the screenshots beside them, and no others do`() async throws {
        try await ReferenceServer.run(["--sign-in", "two-step"]) { server in
            let folder = server.folder + "/reports"
            let result = try await Program.run(
                [
                    "check", "--config", server.configuration, "--driver", "browser", "--report-dir", folder,
                    "--report",
                    "html=\(server.folder)/elsewhere.html", "--only", "authorization",
                ],
                environment: server.environment.merging(Self.wrong) { $1 }
            )
            #expect(result.code == 2, "\(result.output)\(result.errors)")
            let screenshots = try Self.screenshots(folder)
            // The name, the password, and the password again.
            #expect(screenshots == ["sign-in-1.png", "sign-in-2.png", "sign-in-3.png"])
            for screenshot in screenshots { try Self.expectScreenshot(folder + "/" + screenshot) }
            let html = try server.read("reports/report.html")
            let markdown = try server.read("reports/report.md")
            for screenshot in screenshots {
                #expect(html.contains("<img src=\"\(screenshot)\""))
                #expect(markdown.contains("([screenshot](\(screenshot)))"))
            }
            #expect(html.contains("img-src 'self' file:"))
            let elsewhere = try server.read("elsewhere.html")
            #expect(elsewhere.contains("Pages of the sign-in:"))
            #expect(!elsewhere.contains(".png"))
            #expect(!elsewhere.contains("img-src"))
            #expect(try Self.screenshots(server.folder).isEmpty)
            #expect(!result.output.contains(".png"))
        }
    }

    @Test func `each page of sign-in test has a screenshot, and reports of completed flows have none`() async throws {
        try await ReferenceServer.run { server in
            let folder = server.folder + "/pictures"
            let shown = try await Program.run(
                ["sign-in", "test", "--config", server.configuration, "--driver", "browser", "--screenshots", folder],
                environment: server.environment
            )
            #expect(shown.code == 0, "\(shown.output)\(shown.errors)")
            #expect(try Self.screenshots(folder) == ["sign-in-1.png", "sign-in-2.png"])
            #expect(shown.output.contains("screenshot: sign-in-1.png"))
            let unasked = try await Program.run(
                ["sign-in", "test", "--config", server.configuration, "--driver", "browser"],
                environment: server.environment
            )
            #expect(unasked.code == 0)
            #expect(!unasked.output.contains("picture"))
            let reports = server.folder + "/reports"
            let passed = try await Program.run(
                [
                    "check", "--config", server.configuration, "--driver", "browser", "--report-dir", reports, "--only",
                    "authorization.response.*",
                ],
                environment: server.environment
            )
            #expect(passed.code == 0, "\(passed.output)\(passed.errors)")
            #expect(try Self.screenshots(reports).isEmpty)
        }
    }
}
