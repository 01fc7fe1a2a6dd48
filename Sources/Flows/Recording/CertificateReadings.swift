import Conformance
import FoundationEssentials
import JOSE
import Synchronization

/// What certificates say, kept for runs that meet the same ones.
///
/// To read a certificate takes a signature's verification, and the issuers of a fleet lie on few hosts.
package final class CertificateReadings: Sendable {
    /// What a host showed, and what is said of it.
    struct Chain: Sendable {
        let facts: [CertificateFacts]
        /// Whether an authority of the file vouches for it.
        let isPrivate: Bool
    }

    private struct Question: Hashable {
        let chain: [[UInt8]]
        let authorityFile: String?
    }

    /// Chains that are remembered before all are forgotten; each has a few thousand octets.
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
            // What stands before the first certificate is dropped, nothing included.
            .split(separator: "-----BEGIN CERTIFICATE-----", omittingEmptySubsequences: false).dropFirst()
            .compactMap { block in
                let body = block.prefix { $0 != "-" }.filter { !$0.isWhitespace }
                return try? Certificate.parse(x5c: body)
            }
        authorities.withLock { $0[path] = certificates }
        return certificates
    }
}
