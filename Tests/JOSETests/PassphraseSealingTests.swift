import JOSE
import OtherPrograms
import TestSupport
import Testing

@Suite("Sealing with a passphrase", .timeLimit(.minutes(5)))
struct PassphraseSealingTests {
    /// RFC 7914 section 12.
    struct Vector: Sendable, CustomTestStringConvertible {
        var passphrase: String
        var salt: String
        var cost: UInt64
        var blockSize: UInt64
        var parallelism: UInt64
        var key: String
        var testDescription: String { "“\(passphrase)”, N = \(cost)" }
    }

    static let vectors = [
        Vector(
            passphrase: "",
            salt: "",
            cost: 16,
            blockSize: 1,
            parallelism: 1,
            key: "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        Vector(
            passphrase: "password",
            salt: "NaCl",
            cost: 1_024,
            blockSize: 8,
            parallelism: 16,
            key: "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        Vector(
            passphrase: "pleaseletmein",
            salt: "SodiumChloride",
            cost: 16_384,
            blockSize: 8,
            parallelism: 1,
            key: "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        ),
    ]

    @Test(arguments: vectors) func `scrypt comes to the keys of RFC 7914`(vector: Vector) throws {
        let key = try Scrypt.key(
            of: Array(vector.passphrase.utf8),
            salt: Array(vector.salt.utf8),
            cost: vector.cost,
            blockSize: vector.blockSize,
            parallelism: vector.parallelism,
            length: 64
        )
        let hex = key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == vector.key)
    }

    private static let content = Array("{\"cookies\":[\"äöü\"]}".utf8)
    private static let passphrase = Array("a key of some length".utf8)

    private static func sealed() throws -> [UInt8] {
        try PassphraseSealing.seal(content, passphrase: passphrase, kind: "test")
    }

    @Test func `sealed text opens, and differs each time`() throws {
        let first = try Self.sealed()
        #expect(try PassphraseSealing.open(first, passphrase: Self.passphrase, kind: "test") == Self.content)
        #expect(try Self.sealed() != first)
        #expect(!String(decoding: first, as: UTF8.self).contains("cookies"))
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (String) -> String
        var failure: PassphraseSealing.Failure
        var passphrase = "a key of some length"
    }

    static let changes = [
        Change(testDescription: "another key", change: { $0 }, failure: .decryptionFailed, passphrase: "another"),
        Change(testDescription: "no key", change: { $0 }, failure: .decryptionFailed, passphrase: ""),
        Change(
            testDescription: "another salt",
            change: { $0.replacing(/"salt":"[^"]*"/, with: "\"salt\":\"AAAAAAAAAAAAAAAAAAAAAA\"") },
            failure: .decryptionFailed
        ),
        Change(
            testDescription: "a blank in the first line, which says the same",
            change: { $0.replacing("{\"type\"", with: "{ \"type\"") },
            failure: .decryptionFailed
        ),
        Change(
            testDescription: "a member more",
            change: { $0.replacing("{\"type\"", with: "{\"x\":1,\"type\"") },
            failure: .decryptionFailed
        ),
        Change(
            testDescription: "a derivation that takes a terabyte",
            change: { $0.replacing("\"n\":32768", with: "\"n\":1073741824") },
            failure: .unknownParameters
        ),
        Change(
            testDescription: "a later version",
            change: { $0.replacing("\"version\":1", with: "\"version\":2") },
            failure: .unknownParameters
        ),
        Change(
            testDescription: "the end cut off",
            change: { String($0.dropLast(3)) + "\n" },
            failure: .decryptionFailed
        ),
        Change(
            testDescription: "another kind",
            change: { $0.replacing("\"test\"", with: "\"text\"") },
            failure: .malformed
        ),
        Change(testDescription: "a line more", change: { $0 + "x\n" }, failure: .malformed),
        Change(testDescription: "an empty file", change: { _ in "" }, failure: .malformed),
        Change(testDescription: "some other file", change: { _ in "issuer: x\n\n" }, failure: .malformed),
    ]

    @Test(arguments: changes) func `changed text does not open`(change: Change) throws {
        let text = change.change(String(decoding: try Self.sealed(), as: UTF8.self))
        #expect(throws: change.failure) {
            try PassphraseSealing.open(Array(text.utf8), passphrase: Array(change.passphrase.utf8), kind: "test")
        }
    }

    private static let cryptography = Oracle.python("cryptography")

    @Test(.oracle(cryptography)) func `cryptography and hashlib open what we seal`() async throws {
        let python = try await Self.cryptography.path()
        let program = """
            import base64, hashlib, json, sys
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM
            line, body = sys.stdin.buffer.read().rstrip(b"\\n").split(b"\\n")
            header = json.loads(line)
            octets = lambda text: base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
            key = hashlib.scrypt(b"a key of some length", salt=octets(header["salt"]), n=header["n"], r=header["r"],
                                 p=header["p"], maxmem=64 << 20, dklen=32)
            sys.stdout.buffer.write(AESGCM(key).decrypt(octets(header["nonce"]), octets(body.decode()), line))
            """
        let sealed = String(decoding: try Self.sealed(), as: UTF8.self)
        let outcome = try await OtherProgram.run(python, ["-c", program], input: sealed)
        #expect(outcome.isSuccess, "\(outcome.errors)")
        #expect(outcome.output == Self.content)
    }
}
