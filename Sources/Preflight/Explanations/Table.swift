import CTexts

/// Tab-separated values with one line of headings, the format of the records in this folder.
enum Table {
    static func rows(of text: CText) -> [[String]] {
        let octets = UnsafeBufferPointer(start: text.octets, count: text.count)
        return String(decoding: octets, as: UTF8.self).split(separator: "\n").dropFirst()
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }
}
