internal import Conformance
internal import JOSE
internal import JSONTree

/// Additional data of a report: source files and expiry times.
extension PreflightRun {
    /// The source files of the evidence and the configuration.
    func sources(of evidence: Evidence) -> Report.Sources {
        var sources = Report.Sources()
        sources.configuration = configuration.places
        sources.discovery = Self.source(evidence.discovery)
        sources.keys = Self.source(evidence.keys)
        return sources
    }

    /// The file of a document; `nil` for standard input.
    private static func source(_ document: Observation<Document>) -> Report.DocumentSource? {
        guard let document = document.value, case .file(let name) = document.origin, name != standardInput else {
            return nil
        }
        return Report.DocumentSource(file: name, lines: JSONLines.of(document.body.bytes ?? []))
    }

    /// The name of a document from standard input.
    package static let standardInput = "standard input"
}

extension Lifetimes {
    /// A limit, because the provider determines the number.
    private static let mostKeys = 100

    /// The certificates of all contacted hosts, and the published keys.
    init(_ evidence: Evidence) {
        self.init()
        certificates = evidence.hosts.compactMap { host in
            host.tls.value?.chain.first
                .map { own in
                    Certificate(host: "\(host.host):\(host.port)", notBefore: own.notBefore, notAfter: own.notAfter)
                }
        }
        let set = evidence.keys.value?.body.json?["keys"]?.arrayValue ?? []
        keys = set.prefix(Self.mostKeys).enumerated()
            .compactMap { index, key in
                guard let key = key.objectValue else { return nil }
                let own = key["x5c"]?.arrayValue?.first?.stringValue
                    .flatMap { try? JOSE.Certificate.parse(x5c: $0) }
                return Key(
                    index: index,
                    kid: key["kid"]?.stringValue,
                    type: key["kty"]?.stringValue,
                    algorithm: key["alg"]?.stringValue,
                    use: key["use"]?.stringValue,
                    notBefore: own?.notBefore,
                    notAfter: own?.notAfter
                )
            }
    }
}
