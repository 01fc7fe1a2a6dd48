import FoundationEssentials
import JOSE
import JSONTree
import OtherPrograms
import TestSupport
import Testing

/// Verifies signatures with third-party code: joserfc if installed, otherwise OpenSSL's command.
enum Verifier {
    private static let script = """
        import sys, json
        from joserfc import jwt
        from joserfc.jwk import KeySet
        keys = KeySet.import_key_set(json.load(open(sys.argv[1])))
        token = jwt.decode(open(sys.argv[2]).read(), keys, algorithms=["RS256", "ES256", "Ed25519"])
        print(json.dumps(token.claims))
        """

    /// The claims of a token with a valid signature.
    static func claims(of token: String, keys: String, in directory: URL) async throws -> JSON {
        let keysFile = try write(Array(keys.utf8), "keys.json", directory)
        let tokenFile = try write(Array(token.utf8), "token", directory)
        guard let python = try? await Oracle.python("joserfc").path() else {
            return try await byOpenSSL(token, keys, directory)
        }
        let outcome = try await OtherProgram.run(python, ["-c", script, keysFile, tokenFile])
        try #require(outcome.code == 0, "\(outcome.errors)")
        return try JSONDocument.parse(outcome.output).root
    }

    private static func byOpenSSL(_ token: String, _ keys: String, _ directory: URL) async throws -> JSON {
        let decoded = try Decoded(token)
        let set = try JWKSet(try JSONDocument.parse(keys).root)
        let kid = decoded.header["kid"]?.stringValue
        let key = try #require(set.keys.first { $0.kid == kid }).publicKey()
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        var signature = try Base64URL.decode(parts[2])
        if key.type == .ec { signature = sequence(signature) }
        let outcome = try await OtherProgram.run(
            "openssl",
            [
                "dgst", "-sha256", "-verify", try write(Array(try key.pem().utf8), "key.pem", directory),
                "-signature", try write(signature, "signature", directory),
                try write(Array(parts[0...1].joined(separator: ".").utf8), "signed", directory),
            ]
        )
        try #require(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
        return decoded.claims
    }

    /// The DER form of an ECDSA signature, two positive integers in a sequence.
    private static func sequence(_ raw: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var digits = Array(bytes.drop { $0 == 0 })
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
            return [2, UInt8(digits.count)] + digits
        }
        let content = integer(raw.prefix(raw.count / 2)) + integer(raw.suffix(raw.count / 2))
        return [0x30, UInt8(content.count)] + content
    }

    private static func write(_ bytes: [UInt8], _ name: String, _ directory: URL) throws -> String {
        let file = directory.appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }
}
