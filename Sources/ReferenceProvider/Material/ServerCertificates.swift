import JOSE
import NIOCore
import NIOSSL
import Synchronization

/// The certificates that providers show: one authority for the whole process, a certificate for each kind of fault.
enum ServerCertificates {
    private struct Authorities: Sendable {
        var root: CertificateAuthority
        var intermediate: CertificateAuthority

        init(_ name: String) throws(JOSEError) {
            let validity = ServerCertificates.validity(from: -30, to: 365)
            root = try CertificateAuthority.make(commonName: name, validity: validity)
            intermediate = try root.intermediate(commonName: name + ", intermediate", validity: validity)
        }
    }

    private static let trusted = Result { () throws(JOSEError) in try Authorities("Reference provider CA") }
    private static let untrusted = Result { () throws(JOSEError) in try Authorities("CA that nobody trusts") }
    private static let configurations = Mutex<[Kind: TLSConfiguration]>([:])

    private struct Kind: Hashable {
        var certificate: Seams.ServerCertificate
        var versions: Seams.TLSVersions
    }

    /// The root that one trusts to reach any provider of this process over https, in PEM.
    static func authorityPEM() throws -> String { try trusted.get().root.certificate.pem }

    /// What a server needs to show a certificate; made once for each kind.
    static func configuration(
        _ certificate: Seams.ServerCertificate,
        _ versions: Seams.TLSVersions
    ) throws -> TLSConfiguration {
        let kind = Kind(certificate: certificate, versions: versions)
        return try configurations.withLock { known in
            if let configuration = known[kind] { return configuration }
            let configuration = try make(kind)
            known[kind] = configuration
            return configuration
        }
    }

    private static func make(_ kind: Kind) throws -> TLSConfiguration {
        let issued = try issue(kind.certificate)
        let chain = kind.certificate == .intermediateMissing ? [issued.certificate] : issued.chain
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try chain.map { .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der)) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: try issued.key.der(), format: .der))
        )
        switch kind.versions {
        case .current: configuration.minimumTLSVersion = .tlsv12
        case .obsolete:
            configuration.minimumTLSVersion = .tlsv1
            configuration.maximumTLSVersion = .tlsv11
        }
        // A client that keeps idle connections reads no close_notify; stopping does not wait for its answer.
        configuration.shutdownTimeout = .milliseconds(10)
        return configuration
    }

    private static func issue(_ kind: Seams.ServerCertificate) throws(JOSEError) -> IssuedCertificate {
        let authority = try (kind == .untrusted ? untrusted : trusted).get().intermediate
        let isElsewhere = kind == .wrongName
        let validity =
            switch kind {
            case .expired: validity(from: -20, to: -2)
            case .expiresSoon: validity(from: -20, to: 5)
            case .notYetValid: validity(from: 2, to: 90)
            case .good, .wrongName, .untrusted, .intermediateMissing: validity(from: -1, to: 90)
            }
        return try authority.issue(
            dnsNames: isElsewhere ? ["elsewhere.example"] : ["localhost"] + Persona.hostNames,
            ipAddresses: isElsewhere ? [] : ["127.0.0.1"],
            commonName: isElsewhere ? "elsewhere.example" : "localhost",
            validity: validity
        )
    }

    /// A span of time around now, in days.
    private static func validity(from start: Double, to end: Double) -> ClosedRange<Double> {
        let now = Clock.now()
        return (now + start * 86_400)...(now + end * 86_400)
    }
}
