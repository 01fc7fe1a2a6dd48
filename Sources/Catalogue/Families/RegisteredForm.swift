import Conformance
import JSONTree

/// Rules for the signature and encryption algorithms that a client registered, for ID Tokens and UserInfo.
enum RegisteredForm {
    /// A signature by an algorithm other than the registered one.
    ///
    /// - Parameters:
    ///   - what: The words before `_signed_response_alg` (Registration section 2).
    ///   - name: The signed object with its verb: `The ID Token is`.
    ///   - fix: The change to make, as a sentence.
    static func otherAlgorithm<Value>(
        _ subject: RegisteredResponse<Value>,
        _ what: String,
        _ header: JSONObject?,
        _ name: String,
        fix: String
    ) -> Finding? {
        let registered = subject.text("\(what)_signed_response_alg")
        let found = header?["alg"]
        guard found?.stringValue != registered else { return nil }
        return Finding(
            "\(name) not signed with the algorithm that the client registered.",
            at: "alg",
            expected: registered,
            found: Finding.shown(found, beside: registered ?? ""),
            fix: fix
        )
    }

    /// Differences between the JWE header and the registered values.
    static func differences<Value>(
        _ subject: RegisteredResponse<Value>,
        _ what: String,
        _ token: TokenFacts
    ) -> [Finding] {
        let header = TokenFacts.object(token.encryption?.header) ?? [:]
        // A128CBC-HS256 is the default of enc (Registration section 2).
        let enc = subject.text("\(what)_encrypted_response_enc") ?? "A128CBC-HS256"
        let registered = [("alg", subject.text("\(what)_encrypted_response_alg")), ("enc", enc)]
        return registered.filter { header[$0.0]?.stringValue != $0.1 }
            .map { name, value in
                Finding(
                    "The \(name) of the JWE is not the value that the client registered.",
                    at: name,
                    expected: value,
                    found: Finding.shown(header[name], beside: value ?? ""),
                    fix: "Encrypt with the client's \(what)_encrypted_response_\(name)."
                )
            }
    }

    /// Why the JWE could not be decrypted.
    static func failure(_ token: TokenFacts, _ what: String) -> Finding? {
        token.encryption?.failure
            .map { failure in
                Finding(
                    "The encrypted \(what) cannot be decrypted with the client's private key.",
                    expected: "a JWE encrypted to a key in the client's jwks",
                    found: failure.shown(),
                    fix: "Encrypt to the key in the client's jwks whose kty fits the algorithm and whose use is enc."
                )
            }
    }
}
