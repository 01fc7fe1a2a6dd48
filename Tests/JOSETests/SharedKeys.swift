import JOSE

/// RSA keys that are generated once for all tests, because each takes a while.
enum SharedKeys {
    private static let first = Result { () throws(JOSEError) in try PrivateKey.generate(.rsa(bits: 2_048)) }
    private static let second = Result { () throws(JOSEError) in try PrivateKey.generate(.rsa(bits: 2_048)) }

    static func rsa() throws -> PrivateKey { try first.get() }
    static func otherRSA() throws -> PrivateKey { try second.get() }
}
