package import CTexts

/// Tab-separated values with one line of headings, the format of the project's tables.
package enum Table {
    package static func rows(of text: CText) -> [[String]] {
        let bytes = UnsafeBufferPointer(start: text.bytes, count: text.count)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }
}
