import Conformance
import JOSE
import Transport

/// A host and port that the run contacts over https.
struct HostPlace: Sendable, Hashable {
    var host: String
    var port: Int

    /// `nil` for anything but an https URL.
    init?(_ text: String) {
        guard let url = WebURL(text), url.scheme == "https" else { return nil }
        host = url.host
        port = url.effectivePort
    }

    /// The address of the host itself.
    var origin: String { port == 443 ? "https://\(host)/" : "https://\(host):\(port)/" }
}

/// Observations about each https host of a run.
struct HostLog: Sendable {
    struct Entry: Sendable {
        var tls: Transport.TLSFacts?
        var failure: TransportFailure?
        var strictTransportSecurity: String?
        var hasAnswered = false
    }

    private var entries: [HostPlace: Entry] = [:]

    subscript(place: HostPlace) -> Entry? { entries[place] }

    /// Records an exchange; a completed handshake outweighs a failure, and the first one counts.
    mutating func note(_ exchange: HTTPExchange) {
        guard let place = HostPlace(exchange.request.url) else { return }
        if case .cancelled = exchange.failure?.cause { return }
        var entry = entries[place] ?? Entry()
        if let tls = exchange.tls, entry.tls == nil || entry.failure != nil {
            entry.tls = tls
            entry.failure = exchange.response == nil ? exchange.failure : nil
        } else if entry.tls == nil, entry.failure == nil, exchange.response == nil {
            entry.failure = exchange.failure
        }
        entry.hasAnswered = entry.hasAnswered || exchange.response != nil
        entry.strictTransportSecurity =
            entry.strictTransportSecurity ?? exchange.response?.header("Strict-Transport-Security")
        entries[place] = entry
    }
}

extension HostLog.Entry {
    /// The handshake as evidence; absent when no TLS connection came about for another reason than TLS itself.
    func facts(reading read: ([[UInt8]]) -> CertificateReadings.Chain) -> Observation<Conformance.TLSFacts> {
        let chain = read(tls?.chain ?? [])
        if let failure, let (refusal, detail) = Self.refusal(failure.cause, version: tls?.version) {
            return .observed(
                TLSFacts(
                    version: tls?.version,
                    chain: chain.facts,
                    verification: .refused(reason: refusal, detail: detail)
                )
            )
        }
        if let failure, case .tlsHandshake = failure.cause { return .absent("\(failure)") }
        guard let tls else { return .absent(failure.map(String.init(describing:)) ?? "no TLS connection was made") }
        return .observed(
            TLSFacts(
                version: tls.version,
                chain: chain.facts,
                verification: .verified,
                usedPrivateAuthority: chain.isPrivate
            )
        )
    }

    private static func refusal(
        _ cause: TransportFailure.Cause,
        version: String?
    ) -> (Conformance.TLSFacts.Refusal, String)? {
        switch cause {
        case .certificateRefused(let problem): (refusal(problem), problem.summary)
        // A connection that ends before a certificate arrives shows only the failure's message.
        case .tlsHandshake(let reason): isTooOld(version) || isAboutVersion(reason) ? (.protocolTooOld, reason) : nil
        default: nil
        }
    }

    private static func refusal(_ problem: CertificateProblem) -> Conformance.TLSFacts.Refusal {
        switch problem {
        case .expired: .expired
        case .notYetValid: .notYetValid
        case .selfSigned, .untrustedRoot, .unknownAuthority: .untrusted
        case .intermediateMissing: .intermediateMissing
        case .wrongHost: .hostNameMismatch
        case .other: .other
        }
    }

    /// The server chose this version, so it has nothing newer; what then broke the handshake off is a consequence.
    private static func isTooOld(_ version: String?) -> Bool {
        version.map { ["SSLv3", "TLSv1", "TLSv1.1"].contains($0) } ?? false
    }

    /// OpenSSL's words for a peer that speaks no version as new as ours: our own error, or the peer's alert.
    private static func isAboutVersion(_ reason: String) -> Bool {
        let words = reason.lowercased()
        return words.contains("unsupported protocol") || words.contains("alert protocol version")
            || words.contains("version too low")
    }
}

extension CertificateFacts {
    /// The data that checks read from a certificate; an unreadable one leaves only its fingerprint.
    init(der: [UInt8]) {
        let sha256 = Hexadecimal.text(of: Hashes.sha256(der))
        guard let certificate = try? Certificate.parse(der: der) else {
            self.init(
                subject: "unreadable certificate",
                issuer: "",
                names: [],
                notBefore: 0,
                notAfter: 0,
                sha256: sha256,
                isSelfSigned: false
            )
            return
        }
        self.init(
            subject: certificate.subject,
            issuer: certificate.issuer,
            names: certificate.dnsNames + certificate.ipAddresses,
            notBefore: certificate.notBefore,
            notAfter: certificate.notAfter,
            sha256: sha256,
            isSelfSigned: certificate.isSelfSigned
        )
    }
}
