import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

enum WellFormed {
    /// Whether a parser that is not ours reads the document to its end.
    static func isXML(_ text: String) -> Bool {
        XMLParser(data: Data(text.utf8)).parse()
    }
}
