import CShims

/// Names of RSA key values that OpenSSL's headers spell by concatenation.
enum KeyParameter {
    static let factor1 = String(cString: preflight_rsa_factor1)
    static let factor2 = String(cString: preflight_rsa_factor2)
    static let exponent1 = String(cString: preflight_rsa_exponent1)
    static let exponent2 = String(cString: preflight_rsa_exponent2)
    static let coefficient1 = String(cString: preflight_rsa_coefficient1)
}
