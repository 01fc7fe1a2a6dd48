import Conformance
import Flows
import OtherPrograms
import TestSupport
import Testing

@Suite("Authenticator", .timeLimit(.minutes(5)))
struct AuthenticatorTests {
    private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    struct Spelling: Sendable, CustomTestStringConvertible {
        var text: String
        var digits = 6
        var period = 30.0
        var algorithm = Authenticator.Algorithm.sha1

        var testDescription: String { text }
    }

    @Test(
        "a secret is read as apps show it, and an address with all its parameters",
        arguments: [
            Spelling(text: secret), Spelling(text: "gezd gnbv gy3t qojq gezd gnbv gy3t qojq\n"),
            Spelling(text: "otpauth://totp/Example:alice@example.com?secret=\(secret)&issuer=Example"),
            Spelling(
                text:
                    "OTPAUTH://TOTP/x?algorithm=SHA256&digits=8&period=60&secret=gezd%20gnbv%20gy3tqojqgezdgnbvgy3tqojq",
                digits: 8,
                period: 60,
                algorithm: .sha256
            ),
            Spelling(
                text: "otpauth://totp/?secret=\(secret)======&digits=7&algorithm=HmacSHA512",
                digits: 7,
                algorithm: .sha512
            ),
        ]
    )
    func spellings(spelling: Spelling) throws {
        let read = try Authenticator(Secret(spelling.text))
        #expect(read.secret.reveal() == Self.secret)
        #expect(
            read.digits == spelling.digits && read.period == spelling.period && read.algorithm == spelling.algorithm
        )
        #expect(read.code(of: 1).reveal().count == spelling.digits)
    }

    @Test("the code is the one of RFC 6238")
    func code() throws {
        let read = try Authenticator(Secret(Self.secret), digits: 8, period: 30, algorithm: .sha1)
        #expect(read.code(of: 1).reveal() == "94287082")
    }

    @Test(
        "an invalid secret is reported without any of its characters",
        arguments: [
            ("GEZDGNBV1Y3TQOJQ", "character 9 is not in A to Z or 2 to 7"),
            ("GEZDGN", "a secret cannot have 6 characters"), ("", "it is empty"),
            ("123456", "it is a code and not the secret"),
            ("287 082", "it is a code and not the secret"),
            ("otpauth://hotp/x?secret=\(secret)&counter=1", "counter-based codes"),
            ("otpauth://totp/x?issuer=a", "an address without a secret"),
            ("otpauth://totp/x?secret=\(secret)&digits=9", "its digits has an unsupported value"),
            ("otpauth://totp/x?secret=\(secret)&algorithm=MD5", "its algorithm has an unsupported value"),
            ("otpauth://totp/x?secret=\(secret)&period=0", "its period has an unsupported value"),
            ("otpauth-migration://offline?data=abc", "contains several accounts"),
            ("https://example.com/totp", "does not begin with otpauth://totp/"),
        ]
    )
    func problems(text: String, reported: String) {
        do throws(Authenticator.Problem) {
            _ = try Authenticator(Secret(text))
            Issue.record("\(text) was read")
        } catch {
            #expect("\(error)".contains(reported), "\(error)")
            #expect(text.isEmpty || !"\(error)".contains(text))
        }
    }

    @Test("parameters in the configuration must agree with the address")
    func contradiction() throws {
        let address = Secret("otpauth://totp/x?secret=\(Self.secret)&digits=8")
        #expect(throws: Authenticator.Problem.self) { try Authenticator(address, digits: 6) }
        #expect(try Authenticator(address, digits: 8, period: 60).period == 60)
    }

    private static let pyotp = Oracle.python("pyotp")

    @Test("pyotp reads the same from an address", .oracle(pyotp))
    func oracle() async throws {
        let python = try await Self.pyotp.path()
        let address =
            "otpauth://totp/Example%20Inc:alice%40example.com?secret=\(Self.secret)&issuer=Example%20Inc&algorithm=SHA512&digits=8&period=60"
        let program = "import pyotp, sys; print(pyotp.parse_uri(sys.argv[1]).generate_otp(27_000_000))"
        let outcome = try await OtherProgram.run(python, ["-c", program, address])
        #expect(outcome.isSuccess, "\(outcome.errors)")
        #expect(try Authenticator(Secret(address)).code(of: 27_000_000).reveal() + "\n" == outcome.text)
    }
}
