import COpenSSL

/// The fingerprint of RSA keys made by a flawed library (CVE-2017-15361, "ROCA"), which can be factored.
///
/// Such a modulus is, modulo each small prime, a power of 65537; for a sound key this happens for all 38 primes at once
/// with a probability below one in a hundred million.
enum ROCA {
    private static let primes: [UInt32] = [
        3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
        109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
    ]

    static func fits(_ modulus: [UInt8]) -> Bool {
        primes.allSatisfy { prime in
            let rest = BigNumber.remainder(modulus, by: prime)
            var power: UInt32 = 1
            for _ in 0..<prime {
                if power == rest { return true }
                power = power * (65_537 % prime) % prime
            }
            return false
        }
    }
}

extension PublicKey {
    /// Whether this is an RSA key with the fingerprint of CVE-2017-15361.
    package var hasROCAFingerprint: Bool {
        handle.integer(OSSL_PKEY_PARAM_RSA_N).map(ROCA.fits) ?? false
    }
}
