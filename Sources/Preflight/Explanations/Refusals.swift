import CTexts
package import Conformance
import Judgement

/// How real client libraries and platforms reacted to a fault that a check detects.
///
/// The record is generated from the measurements in `Tests/Fixtures/clients.tsv`; a test fails if it is stale.
package struct Refusals: Sendable, Hashable {
    /// The flow of the sign-in.
    package enum Variant: String, Sendable, Hashable, CaseIterable {
        /// A sign-in with the code flow, as in the client's quick start.
        case code
        /// Another flow.
        case otherFlow

        var phrase: String {
            switch self {
            case .code: "in an ordinary sign-in with the code flow"
            case .otherFlow: "in the implicit or the hybrid flow"
            }
        }
    }

    /// The clients whose sign-in ended at the same step.
    package struct ClientsByStep: Sendable, Hashable {
        /// `discovery`, `authorization`, `callback`, `token`, `id_token`, `userinfo`; `browser` if it never came back.
        package let step: String
        let clients: [String]

        package init(step: String, clients: [String]) {
            self.step = step
            self.clients = clients
        }

        /// The step, before the names of the clients.
        fileprivate var place: String {
            switch step {
            case "authorization": "at the authorization request"
            case "callback": "at the authorization response"
            case "token": "at the token endpoint"
            case "id_token": "at the ID Token"
            case "userinfo": "at UserInfo"
            case "browser": "before the browser came back"
            default: "at \(step)"
            }
        }
    }

    let check: CheckID
    let variant: Variant
    /// The number of tested clients.
    let tried: Int
    /// The clients that did not sign in; empty if all did.
    let endings: [ClientsByStep]

    package init(check: CheckID, variant: Variant, tried: Int, endings: [ClientsByStep]) {
        self.check = check
        self.variant = variant
        self.tried = tried
        self.endings = endings
    }

    package static let all: [Refusals] = Table.rows(of: CTextTable_refusals()).compactMap(Refusals.init)

    private static let byCheck = Dictionary(grouping: all, by: \.check)

    package static func of(_ check: CheckID) -> [Refusals] { byCheck[check] ?? [] }

    /// The first line of the record.
    package static let heading = "check\tmanner\ttried\trefused by"

    /// A line of the record: `discovery go-oidc nimbus, id_token authlib` in the last cell.
    package var line: String {
        let refused = endings.map { ([$0.step] + $0.clients).joined(separator: " ") }
        return [check.rawValue, variant.rawValue, "\(tried)", refused.joined(separator: ", ")].joined(separator: "\t")
    }

    /// The clients that reject the fault, by step, in one sentence.
    var sentence: String {
        guard !endings.isEmpty else {
            return "none of the \(tried) tested client libraries and platforms, \(variant.phrase)"
        }
        let count = endings.reduce(0) { $0 + $1.clients.count }
        return "\(count) of \(tried) tested client libraries and platforms, \(variant.phrase): "
            + endings.map { "\($0.place) \($0.clients.joined(separator: ", "))" }.joined(separator: "; ")
    }

    private init?(_ cells: [String]) {
        guard cells.count == 4, let variant = Variant(rawValue: cells[1]), let tried = Int(cells[2]) else { return nil }
        let endings = cells[3].split(separator: ", ")
            .map { group in
                let words = group.split(separator: " ").map(String.init)
                return ClientsByStep(step: words.first ?? "", clients: Array(words.dropFirst()))
            }
        self.init(check: CheckID(cells[0]), variant: variant, tried: tried, endings: endings)
    }
}
