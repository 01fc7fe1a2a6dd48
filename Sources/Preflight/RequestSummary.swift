internal import Conformance

/// The requests of a check, in words.
enum RequestSummary {
    /// A sentence per need, static documents first.
    static func sentences(_ needs: Set<Need>) -> [String] {
        needs.isEmpty ? ["nothing: the check reads only the configuration"] : needs.sorted().map(\.context.sentence)
    }
}
