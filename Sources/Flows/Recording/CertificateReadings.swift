import Conformance
import FoundationEssentials
import JOSE
import Synchronization

/// A cache of parsed certificates, for runs that receive the same ones.
///
/// Reading a certificate requires a signature verification, and the issuers of a batch share few hosts.
package final class CertificateReadings: Sendable {
    /// The chain of a host, and its evaluation.
    struct Chain: Sendable {
        let facts: [CertificateFacts]
        /// Whether an authority of the file certifies it.
        let isPrivate: Bool
    }

    private struct Question: Hashable {
        let chain: [[UInt8]]
        let authorityFile: String?
    }

    /// The number of chains kept before all are dropped; each has a few thousand bytes.
    private static let most = 256

    private let authorities = Mutex<[String: [Certificate]]>([:])
    private let chains = Mutex<[Question: Chain]>([:])

    package init() {}

    /// - Parameters:
    ///   - chain: The certificates in DER, the server's own first.
    ///   - authorityFile: The file given with `--ca-file`.
    func reading(_ chain: [[UInt8]], authorityFile: String?) -> Chain {
        let question = Question(chain: chain, authorityFile: authorityFile)
        if let known = chains.withLock({ $0[question] }) { return known }
        let reading = Self.read(chain, authorityFile.map(certificates) ?? [])
        chains.withLock { chains in
            if chains.count >= Self.most { chains.removeAll() }
            chains[question] = reading
        }
        return reading
    }

    static func read(_ chain: [[UInt8]], _ authorities: [Certificate]) -> Chain {
        let last = authorities.isEmpty ? nil : chain.last.flatMap { try? Certificate.parse(der: $0) }
        return Chain(
            facts: chain.map(CertificateFacts.init(der:)),
            isPrivate: authorities.contains { authority in
                last.map { authority.der == $0.der || $0.isSigned(by: authority) } ?? false
            }
        )
    }

    /// The certificates of a file; what cannot be read there was reported by the transport.
    private func certificates(in path: String) -> [Certificate] {
        if let known = authorities.withLock({ $0[path] }) { return known }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return [] }
        let certificates = String(decoding: data, as: UTF8.self)
            // Text before the first certificate is dropped, even if empty.
            .split(separator: "-----BEGIN CERTIFICATE-----", omittingEmptySubsequences: false).dropFirst()
            .compactMap { block in
                let body = block.prefix { $0 != "-" }.filter { !$0.isWhitespace }
                return try? Certificate.parse(x5c: body)
            }
        authorities.withLock { $0[path] = certificates }
        return certificates
    }
}
