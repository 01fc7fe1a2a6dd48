import JOSE
import OtherPrograms
import TestSupport
import Testing

@Suite("One-time passwords", .timeLimit(.minutes(5)))
struct OneTimePasswordTests {
    /// RFC 6238 appendix B: the seconds, and the codes by SHA-1, SHA-256 and SHA-512.
    private static let vectors: [(Double, String, String, String)] = [
        (59, "94287082", "46119246", "90693936"),
        (1_111_111_109, "07081804", "68084774", "25091201"),
        (1_111_111_111, "14050471", "67062674", "99943326"),
        (1_234_567_890, "89005924", "91819424", "93441116"),
        (2_000_000_000, "69279037", "90698825", "38618901"),
        (20_000_000_000, "65353130", "77737706", "47863826"),
    ]

    @Test("the vectors of RFC 6238", arguments: vectors)
    func timeBased(seconds: Double, sha1: String, sha256: String, sha512: String) {
        let step = OneTimePassword.timeStep(at: seconds, period: 30)
        for (hash, length, code) in [(HashAlgorithm.sha1, 20, sha1), (.sha256, 32, sha256), (.sha512, 64, sha512)] {
            // The appendix's seeds are its reference program's: as long as the hash.
            let key = (0..<length).map { UInt8(ascii: "0") + UInt8(($0 + 1) % 10) }
            #expect(OneTimePassword.code(step, key: key, digits: 8, hash: hash) == code)
            // Fewer digits are the last ones.
            #expect(OneTimePassword.code(step, key: key, digits: 6, hash: hash) == String(code.suffix(6)))
        }
    }

    @Test("the vectors of RFC 4226 appendix D")
    func counterBased() {
        let codes = (0...9)
            .map {
                OneTimePassword.code($0, key: Array("12345678901234567890".utf8), digits: 6, hash: .sha1)
            }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
            ]
        )
    }

    @Test(
        "the time step of a point in time",
        arguments: [(0, 0), (29.999, 0), (30, 1), (59.9, 1), (-5, 0), (1e300, 33_333_333_333_333)]
    )
    func steps(seconds: Double, step: Int) {
        #expect(OneTimePassword.timeStep(at: seconds, period: 30) == step)
    }

    /// Random parameters of an account, and a time.
    private struct RandomCode {
        let key = (0..<Int.random(in: 1...70)).map { _ in UInt8.random(in: 0...255) }
        let digits = Int.random(in: 6...8)
        let period: Double = [15, 30, 60].randomElement() ?? 30
        let hash = OneTimePassword.hashes.randomElement() ?? .sha1
        let seconds = Int.random(in: 0...9_000_000_000)
    }

    private static let pyotp = Oracle.python("pyotp")

    @Test("pyotp generates the same codes", .oracle(pyotp))
    func oracle() async throws {
        let python = try await Self.pyotp.path()
        let cases = (0..<300).map { _ in RandomCode() }
        let lines = cases.map { code in
            let hash = code.hash.rawValue.replacing("-", with: "").lowercased()
            return "\(Base32.encode(code.key)) \(code.digits) \(Int(code.period)) \(hash) \(code.seconds)"
        }
        let program = """
            import hashlib, pyotp, sys
            for line in sys.stdin:
                secret, digits, period, hash, seconds = line.split()
                totp = pyotp.TOTP(secret, digits=int(digits), digest=getattr(hashlib, hash), interval=int(period))
                print(totp.generate_otp(int(seconds) // int(period)))
            """
        let outcome = try await OtherProgram.run(python, ["-c", program], input: lines.joined(separator: "\n"))
        #expect(outcome.isSuccess, "\(outcome.errors)")
        let theirs = outcome.text.split(separator: "\n").map(String.init)
        let ours = cases.map { code in
            let step = OneTimePassword.timeStep(at: Double(code.seconds), period: code.period)
            return OneTimePassword.code(step, key: code.key, digits: code.digits, hash: code.hash) ?? ""
        }
        #expect(theirs == ours)
    }
}

@Suite("Base32", .timeLimit(.minutes(5)))
struct Base32Tests {
    @Test(
        "round trip (RFC 4648 section 10)",
        arguments: [
            ("f", "MY", "MY======"), ("fo", "MZXQ", "MZXQ===="), ("foo", "MZXW6", "MZXW6==="),
            ("foob", "MZXW6YQ", "MZXW6YQ="), ("fooba", "MZXW6YTB", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI", "MZXW6YTBOI======"),
        ]
    )
    func vectors(text: String, encoded: String, padded: String) throws {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
        for spelling in [encoded, padded, encoded.lowercased()] {
            #expect(try Base32.decodeLeniently(spelling) == Array(text.utf8), "\(spelling)")
        }
    }

    @Test(
        "Base32 as apps and pages display it",
        arguments: [
            "mzxw 6ytb oi", "MZXW-6YTB-OI", " MZXW6YTBOI======\n", "MZXW\u{A0}6YTB\u{A0}OI",
            // Stray bits after the last byte, as in secrets of random letters.
            "MZXW6YTBOJ",
        ]
    )
    func spellings(text: String) throws {
        #expect(try Base32.decodeLeniently(text) == Array("foobar".utf8))
    }

    @Test(
        "invalid Base32 is rejected with the reason",
        arguments: [
            ("", .empty), (" = ", .empty), ("MZXW0", .character(place: 5)), ("MZ=XW", .character(place: 3)),
            ("mz xw 6é", .character(place: 6)), ("M", .length(1)), ("MZX", .length(3)), ("MZXW6Y", .length(6)),
        ] as [(String, Base32Error)]
    )
    func refusals(text: String, reason: Base32Error) {
        #expect(throws: reason) { try Base32.decodeLeniently(text) }
    }
}
