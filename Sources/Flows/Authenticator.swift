package import Conformance
package import JOSE
import Transport

/// An authenticator app's data about an account: a shared secret, and the parameters of its codes (RFC 6238).
package struct Authenticator: Sendable {
    /// The hash of HMAC, by the names that authenticator apps use.
    package enum Algorithm: String, Sendable, CaseIterable {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
        case sha512 = "SHA512"

        /// `sha-256` and `HmacSHA256` are the same.
        package init?(named text: String) {
            let plain = text.uppercased().filter { $0 != "-" && $0 != "_" }
            self.init(rawValue: plain.hasPrefix("HMAC") ? String(plain.dropFirst(4)) : plain)
        }

        var hash: HashAlgorithm {
            switch self {
            case .sha1: .sha1
            case .sha256: .sha256
            case .sha512: .sha512
            }
        }
    }

    /// An error that prevents the computation of codes; no message contains a character of the secret.
    package enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
        case notBase32(Base32Error)
        /// The secret is no longer than a code.
        case code
        /// An address that is not a TOTP secret: the problem.
        case address(String)
        /// A parameter that is invalid, or that contradicts the configuration: its name, and why.
        case value(name: String, String)

        package var description: String {
            switch self {
            case .notBase32(.empty): "it is empty"
            case .notBase32(.character(let place)):
                "it is not base32: character \(place) is not in A to Z or 2 to 7. Copy the secret "
                    + "shown beside the QR code, or the otpauth:// address in it"
            case .notBase32(.length(let count)):
                "it is not base32: a secret cannot have \(count) characters; a part of it may be missing"
            case .code: "it is a code and not the secret: copy the secret shown beside the QR code when an app is added"
            case .address(let why): why
            case .value(let name, let why): "its \(name) \(why)"
            }
        }
    }

    /// In base32: capital letters and digits only.
    package let secret: Secret
    package let algorithm: Algorithm
    package let digits: Int
    /// How many seconds a code lasts.
    package let period: Double
    /// The text that it was read from.
    let source: Secret
    private let key: [UInt8]

    /// Reads a secret as authenticator apps show it, or the `otpauth://totp/` address of a QR code, which has the parameters.
    ///
    /// Parameters in the configuration must agree with the address; the defaults are 6 digits, 30 seconds and SHA-1.
    package init(
        _ source: Secret,
        digits: Int? = nil,
        period: Double? = nil,
        algorithm: Algorithm? = nil
    ) throws(Problem) {
        let text = source.reveal().trimmingASCIISpace
        let address = text.contains("://") ? try Address(text) : nil
        self.source = source
        self.digits = try Self.agreed("digits", digits, address?.digits) ?? 6
        self.period = try Self.agreed("period", period, address?.period) ?? 30
        self.algorithm = try Self.agreed("algorithm", algorithm, address?.algorithm) ?? .sha1
        let secret = address?.secret ?? text
        let digitsAlone = secret.utf8.filter { $0 != 0x20 }
        if digitsAlone.count <= 8, digitsAlone.allSatisfy({ (0x30...0x39).contains($0) }), !digitsAlone.isEmpty {
            throw .code
        }
        do throws(Base32Error) {
            key = try Base32.decodeLeniently(secret)
        } catch {
            throw .notBase32(error)
        }
        self.secret = Secret(Base32.encode(key))
    }

    /// The code of a time step.
    package func code(of step: Int) -> Secret {
        Secret(OneTimePassword.code(step, key: key, digits: digits, hash: algorithm.hash) ?? "")
    }

    private static func agreed<Value: Equatable>(
        _ name: String,
        _ stated: Value?,
        _ read: Value?
    ) throws(Problem) -> Value? {
        if let stated, let read, stated != read {
            throw .value(name: name, "differs from the otpauth address: set it in only one place")
        }
        return stated ?? read
    }

    /// The URL that a QR code contains: `otpauth://totp/LABEL?secret=…&digits=6&period=30&algorithm=SHA1`.
    private struct Address {
        let secret: String
        let digits: Int?
        let period: Double?
        let algorithm: Algorithm?

        init(_ text: String) throws(Problem) {
            let scheme = "otpauth://"
            guard text.lowercased().hasPrefix(scheme) else {
                throw .address(
                    text.lowercased().hasPrefix("otpauth-migration:")
                        ? "an otpauth-migration address contains several accounts: set the secret of one account, or its "
                            + "otpauth://totp/ address"
                        : "it is an address that does not begin with otpauth://totp/"
                )
            }
            let rest = text.dropFirst(scheme.count)
            let kind = rest.prefix { $0 != "/" && $0 != "?" }.lowercased()
            guard kind == "totp" else {
                throw .address(
                    kind == "hotp"
                        ? "it is a secret for counter-based codes (hotp); only time-based codes (totp) are supported"
                        : "it is an address that does not begin with otpauth://totp/"
                )
            }
            let query = rest.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
            let values = FormParameters(parsing: query)
            guard let secret = values["secret"], !secret.isEmpty else {
                throw .address("it is an address without a secret")
            }
            self.secret = secret
            digits = try Self.value("digits", values["digits"]) { Int($0).flatMap(Authenticator.usable(digits:)) }
            period = try Self.value("period", values["period"]) {
                Int($0).flatMap { Authenticator.usable(period: Double($0)) }
            }
            algorithm = try Self.value("algorithm", values["algorithm"]) { Algorithm(named: $0) }
        }

        private static func value<Value>(
            _ name: String,
            _ text: String?,
            _ read: (String) -> Value?
        ) throws(Problem) -> Value? {
            guard let text, !text.isEmpty else { return nil }
            guard let value = read(text) else { throw .value(name: name, "has an unsupported value") }
            return value
        }
    }

    /// The number of digits, if it is one of RFC 6238's.
    package static func usable(digits: Int) -> Int? { OneTimePassword.digits.contains(digits) ? digits : nil }

    /// The seconds, if a code can last so long: five minutes at the most.
    package static func usable(period: Double) -> Double? { (1...300).contains(period) ? period : nil }
}
