internal import JOSE
internal import JSONTree

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Verifies one ID Token again and again, its key parsed once, and prints verifications per CPU second.
///
/// `run.sh` divides by what `openssl speed` verifies on the same machine in the same run.
@main
enum Verification {
    private static let claims = """
        {"iss":"https://idp.example.com","sub":"248289761001","aud":"my-client","nonce":"n-0S6_WzA2Mj",\
        "exp":1311281970,"iat":1311280970,"auth_time":1311280969,"email":"user@example.com","email_verified":true}
        """

    static func main() throws {
        for (name, kind, algorithm) in [
            ("RS256", PrivateKey.Kind.rsa(bits: 2048), JWSAlgorithm.rs256),
            ("ES256", .ec(.p256), .es256),
            ("EdDSA", .ed25519, .edDSA),
        ] {
            let key = try PrivateKey.generate(kind)
            let token = try JWS.sign(Array(claims.utf8), with: key, algorithm: algorithm)
            print("\(name) \(try rate(token, key.publicKey))")
        }
    }

    /// Verifications per CPU second over about two seconds.
    private static func rate(_ token: String, _ key: PublicKey) throws -> Int {
        for _ in 0..<200 { try JWS.parse(compact: token).verify(with: key) }
        let begin = cpuSeconds()
        var count = 0
        repeat {
            for _ in 0..<200 { try JWS.parse(compact: token).verify(with: key) }
            count += 200
        } while cpuSeconds() - begin < 2
        return Int(Double(count) / (cpuSeconds() - begin))
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
