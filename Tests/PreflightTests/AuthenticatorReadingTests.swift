import Conformance
import Flows
import SignIn
import Testing

@testable import Preflight

@Suite("Configuration of one-time codes", .timeLimit(.minutes(5)))
struct AuthenticatorReadingTests {
    private static let environment = Environment(
        variable: { name in
            switch name {
            case "OIDC_PASSWORD": "pass word"
            case "OIDC_TOTP_SECRET": "gezd gnbv gy3t qojq gezd gnbv gy3t qojq"
            case "OIDC_TOTP_URI": "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&digits=8&period=60&algorithm=SHA512"
            case "OIDC_WRONG": "GEZD 1NBV"
            default: nil
            }
        },
        readFile: { .failure(FileError(path: $0, reason: "no files here")) }
    )

    /// Reads a configuration whose sign-in has these lines behind its password, which is line 8.
    private func read(_ lines: String, readsSecrets: Bool = true) throws -> Configuration {
        let text = """
            issuer: https://idp.example.com
            client: { id: my-client }
            redirect_uri: https://rp.example/cb
            flows: [code]
            sign_in:
              username: alice
              password: { env: OIDC_PASSWORD }
            \(lines)
            """
        return try ConfigurationReader(Self.environment, readsSecrets: readsSecrets)
            .read(text, file: "preflight.yaml", checks: [])
    }

    @Test(
        "stated values, values of an address, and defaults",
        arguments: [
            ("totp: { secret: { env: OIDC_TOTP_SECRET } }", 6, 30, .sha1),
            ("totp: { secret: { env: OIDC_TOTP_SECRET }, digits: 8, period: 15s, algorithm: sha-256 }", 8, 15, .sha256),
            ("totp: { secret: { env: OIDC_TOTP_URI } }", 8, 60, .sha512),
            ("totp: { secret: { env: OIDC_TOTP_URI }, digits: 8 }", 8, 60, .sha512),
        ] as [(String, Int, Double, Authenticator.Algorithm)]
    )
    func values(line: String, digits: Int, period: Double, algorithm: Authenticator.Algorithm) throws {
        let read = try #require(try read("  " + line).secrets.authenticator)
        #expect(read.digits == digits && read.period == period && read.algorithm == algorithm)
        let other = try self.read("  other: { username: bob, password: { env: OIDC_PASSWORD }, \(line) }")
        #expect(other.secrets.authenticator == nil)
        #expect(other.secrets.other?.authenticator?.period == period)
    }

    @Test(
        "a mistake is reported with its line",
        arguments: [
            (
                "  totp: { secret: { env: OIDC_WRONG } }", "preflight.yaml:8",
                "it is not base32: character 5"
            ),
            ("  totp:\n    secret: { env: OIDC_WRONG }", "preflight.yaml:9", "it is not base32"),
            (
                "  totp: { secret: { env: OIDC_NONE } }", "preflight.yaml:8",
                "the environment variable OIDC_NONE is not set"
            ),
            ("  totp: { secret: GEZDGNBV }", "preflight.yaml:8", "a secret must not be in the configuration"),
            ("  totp: { digits: 6 }", "preflight.yaml:8", "secret"),
            ("  totp: { secret: { env: OIDC_TOTP_SECRET }, digits: 5 }", "preflight.yaml:8", "must be 6, 7 or 8"),
            ("  totp: { secret: { env: OIDC_TOTP_SECRET }, digits: 6.5 }", "preflight.yaml:8", "must be 6, 7 or 8"),
            (
                "  totp: { secret: { env: OIDC_TOTP_SECRET }, period: 0 }", "preflight.yaml:8",
                "must be 1 to 300 seconds"
            ),
            ("  totp: { secret: { env: OIDC_TOTP_SECRET }, algorithm: SHA265 }", "preflight.yaml:8", "SHA256"),
            (
                "  totp: { secret: { env: OIDC_TOTP_URI }, digits: 6 }", "preflight.yaml:8",
                "its digits differs from the otpauth address"
            ),
            ("  steps: [{ form_has: [a], fill: { a: \"{totp}\" } }]", "preflight.yaml:8", "{totp} requires the secret"),
            (
                "  totp: { secret: { env: OIDC_TOTP_SECRET } }\n  steps: [{ when: { path: /a }, request: { url: \"/a?c={totp}\" } }]",
                "preflight.yaml:9", "a one-time code must not be in an address"
            ),
        ]
    )
    func mistakes(lines: String, place: String, reported: String) {
        do {
            _ = try read(lines)
            Issue.record("it was read")
        } catch {
            let text = "\(error)"
            #expect(text.contains(place) && text.contains(reported), "\(text)")
            #expect(!text.contains("1NBV"))
        }
    }

    @Test("a command that sends nothing reads no secret")
    func offline() throws {
        let read = try read("  totp: { secret: { env: OIDC_NONE }, period: 45 }", readsSecrets: false)
        #expect(read.secrets.authenticator == nil)
        #expect(read.codePeriod == 45)
    }

    @Test("a step writes the code")
    func step() throws {
        let lines = """
              totp: { secret: { env: OIDC_TOTP_SECRET } }
              steps:
                - { form_has: [a], fill: { a: "{totp}" } }
                - { when: { path: /b }, request: { url: /c, json: { otp: "{totp}" } } }
            """
        #expect(try read(lines).steps.map(\.writesCode) == [true, true])
    }
}
