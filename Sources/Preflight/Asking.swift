internal import Conformance

/// What is sent to see whether a check holds, in words.
enum Asking {
    /// A sentence a need, those of static documents first.
    static func sentences(_ needs: Set<Need>) -> [String] {
        needs.isEmpty ? ["nothing: the configuration alone is read"] : needs.sorted().map(sentence)
    }

    private static func sentence(_ need: Need) -> String {
        switch need {
        case .discovery: "GET of the discovery document"
        case .publication: "GET of the discovery document, though the flows do without it"
        case .keys: "GET of the key set"
        case .again: "both documents a second time"
        case .agents(let document): "GET of \(document.name) as a client without a name and as a browser"
        case .addresses: "GET of the documents from every address of their hosts, where there are several"
        case .scripts: "GET of both documents with Origin, and a CORS preflight at the UserInfo endpoint"
        case .hosts: "a TLS connection to every host"
        case .flows: "every configured flow with a sign-in"
        case .oauth1(.temporaryCredentials): "requests for temporary credentials of OAuth 1.0, right and wrong ones"
        case .oauth1(.signIns): "two sign-ins by OAuth 1.0, and wrong token requests after them"
        case .probe(let id): titles[id] ?? "the scenario \(id)"
        }
    }

    private static let titles = Dictionary(Scenario.catalogue.map { ($0.id, $0.title) }) { first, _ in first }
}
