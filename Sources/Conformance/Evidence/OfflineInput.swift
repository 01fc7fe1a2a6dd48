/// Input to check without a run: it has no tier.
package enum OfflineInput: String, Sendable, Hashable {
    case documents = "documents from files"
    case token = "one ID Token"

    /// Why a check says nothing of it.
    static let notAbout = Reason("not about the given input", .notAbout)
    static let needsARun: Reason = "only a run against the provider can check this"
}

extension Evidence {
    /// `nil` for evidence of a run.
    package var offlineInput: OfflineInput? {
        if run(StepResults.offlineInput) != nil { return .token }
        let isFromFiles = [discovery.value, keys.value]
            .contains { document in
                guard case .file = document?.origin else { return false }
                return true
            }
        return isFromFiles ? .documents : nil
    }
}
