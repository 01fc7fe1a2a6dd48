import COpenSSL

/// The hash functions that JOSE and X.509 fingerprints use.
package enum HashAlgorithm: String, Sendable, Hashable, CaseIterable {
    case sha1 = "SHA-1"
    case sha256 = "SHA-256"
    case sha384 = "SHA-384"
    case sha512 = "SHA-512"
    /// With 114 bytes of output, as Ed448 uses it (RFC 8032 section 5.2).
    case shake256 = "SHAKE256"

    /// The length of the output in bytes.
    var length: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        case .shake256: 114
        }
    }

    /// The name by which OpenSSL fetches it.
    var openSSLName: String {
        switch self {
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha384: "SHA384"
        case .sha512: "SHA512"
        case .shake256: "SHAKE256"
        }
    }

    /// The digest, fetched once for the process.
    var digest: OpaquePointer? { FetchedDigest.all[self]?.pointer }

    /// The hash of the bytes.
    package func hash(_ bytes: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: length)
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestInit_ex2(context, digest, nil) == 1, EVP_DigestUpdate(context, bytes, bytes.count) == 1 else {
            return failure()
        }
        let done =
            self == .shake256
            ? EVP_DigestFinalXOF(context, &output, output.count) : EVP_DigestFinal_ex(context, &output, nil)
        return done == 1 ? output : failure()
    }

    /// OpenSSL can refuse a hash only where a site's policy disables it; an empty hash then matches nothing.
    private func failure() -> [UInt8] {
        OpenSSLError.discard()
        return []
    }
}

/// A digest of OpenSSL, kept for the life of the process.
///
/// `@unchecked Sendable`: OpenSSL documents fetched algorithms as immutable and shareable between threads.
private struct FetchedDigest: @unchecked Sendable {
    let pointer: OpaquePointer?

    static let all: [HashAlgorithm: FetchedDigest] = Dictionary(
        uniqueKeysWithValues: HashAlgorithm.allCases.map {
            ($0, FetchedDigest(pointer: EVP_MD_fetch(nil, $0.openSSLName, nil)))
        }
    )
}
