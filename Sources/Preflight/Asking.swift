internal import Conformance

/// What is sent to see whether a check holds, in words.
enum Asking {
    /// A sentence a need, those of static documents first.
    static func sentences(_ needs: Set<Need>) -> [String] {
        needs.isEmpty ? ["nothing: the configuration alone is read"] : needs.sorted().map(\.about.sentence)
    }
}
