import Foundation
import JOSE
import OtherPrograms
import TestSupport
import Testing

/// Private keys in the formats of other programs; openssl generates them and is the oracle for their content.
@Suite(.oracle(.program("openssl")), .timeLimit(.minutes(5))) struct KeyImportTests {
    private func openssl(_ arguments: [String]) async throws -> String {
        try await OtherProgram.run("openssl", arguments).text
    }

    @Test(
        arguments: [
            (["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"], JWSAlgorithm.rs256),
            (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"], .es256),
            (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"], .es384),
            (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"], .es512),
            (["genpkey", "-algorithm", "ED25519"], .edDSA),
            // The older forms: "BEGIN RSA PRIVATE KEY" and "BEGIN EC PRIVATE KEY", the latter after its parameters.
            (["genrsa", "-traditional"], .rs256),
            (["ecparam", "-name", "prime256v1", "-genkey"], .es256),
        ]
    ) func `a key in PEM form is read, and its public half is openssl's`(
        arguments: [String],
        algorithm: JWSAlgorithm
    ) async throws {
        try await Folder.temporary { folder in
            let file = folder.appending(path: "key.pem").path()
            let written = try await openssl(arguments + ["-out", file])
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let key = try PrivateKey(pem: text)
            #expect(key.usualAlgorithm == algorithm, "\(written)")
            let publicKey = try await openssl(["pkey", "-in", file, "-pubout"])
            #expect(try key.publicKey.pem() == publicKey)
            let token = try JWS.sign(Array("{}".utf8), with: key, algorithm: algorithm)
            try JWS.parse(compact: token).verify(with: key.publicKey)
        }
    }

    @Test func `an invalid key is rejected with a reason`() async throws {
        let secp = try await openssl(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"])
        let locked = try await openssl([
            "genpkey", "-algorithm", "ED25519", "-aes-256-cbc", "-pass", "pass:preflight",
        ])
        for (text, reason) in [
            (locked, "encrypted with a password"), (secp, "JOSE does not define"),
            ("hello", "no private key in PEM form"),
            ("-----BEGIN PRIVATE KEY-----\n%%%\n-----END PRIVATE KEY-----\n", "not base64"),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "not a private key"),
        ] {
            let error = #expect(throws: JOSEError.self) { try PrivateKey(pem: text) }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "it was read")")
        }
    }
}
