import JOSE
import Serving
import Synchronization

/// The providers' server certificates: one authority per process, one certificate per kind of fault.
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
    private static let identities = Mutex<[Kind: ServerIdentity]>([:])

    private struct Kind: Hashable {
        var certificate: Hooks.ServerCertificate
        var versions: Hooks.TLSVersions
    }

    /// The root certificate, in PEM, to trust for any provider of this process over https.
    static func authorityPEM() throws -> String { try trusted.get().root.certificate.pem }

    /// A server identity; created once per kind.
    static func identity(
        _ certificate: Hooks.ServerCertificate,
        _ versions: Hooks.TLSVersions
    ) throws -> ServerIdentity {
        let kind = Kind(certificate: certificate, versions: versions)
        return try identities.withLock { known in
            if let identity = known[kind] { return identity }
            let identity = try make(kind)
            known[kind] = identity
            return identity
        }
    }

    private static func make(_ kind: Kind) throws -> ServerIdentity {
        let issued = try issue(kind.certificate)
        let chain = kind.certificate == .intermediateMissing ? [issued.certificate] : issued.chain
        return try ServerIdentity(
            chain: chain.map(\.der),
            privateKey: try issued.key.der(),
            versions: kind.versions == .obsolete ? .tls10 ... .tls11 : .tls12 ... .tls13
        )
    }

    private static func issue(_ kind: Hooks.ServerCertificate) throws(JOSEError) -> IssuedCertificate {
        let authority = try (kind == .untrusted ? untrusted : trusted).get().intermediate
        let isElsewhere = kind == .wrongName
        let validity =
            switch kind {
            case .expired: validity(from: -20, to: -2)
            case .expiresSoon: validity(from: -20, to: 5)
            case .notYetValid: validity(from: 2, to: 90)
            case .good, .wrongName, .commonNameOnly, .untrusted, .intermediateMissing: validity(from: -1, to: 90)
            }
        if kind == .commonNameOnly { return try authority.issue(commonName: "127.0.0.1", validity: validity) }
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
