internal import CommandTable
internal import Console

extension Terminal {
    /// Prints text in columns, broken at the width of a terminal; a pipe gets whole lines.
    static func printColumns(_ text: String) {
        let lines = isTerminal(output) ? text.wrappedInColumns(to: width(output)) : [text]
        print(lines.joined(separator: "\n"))
    }
}
