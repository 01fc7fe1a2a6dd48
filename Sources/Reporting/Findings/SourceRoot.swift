/// The root of file names: build servers name files relative to the checkout, whatever the working folder of a step.
package struct SourceRoot: Sendable, Hashable {
    /// Absolute; if empty, file names stay unchanged.
    var workingFolder: String
    /// Absolute.
    package var root: String

    package init(workingFolder: String = "", root: String = "") {
        self.workingFolder = workingFolder
        self.root = root.isEmpty ? workingFolder : root
    }

    /// The file's path relative to the root; an absolute path if the file is elsewhere.
    ///
    /// A URL stays unchanged.
    package func path(of file: String) -> String {
        if file.contains("://") { return file }
        let isAbsolute = file.hasPrefix("/")
        guard isAbsolute || !workingFolder.isEmpty else { return Self.plain(file) }
        let whole = Self.plain(isAbsolute ? file : workingFolder + "/" + file)
        for folder in [root, workingFolder] where !folder.isEmpty {
            let start = Self.plain(folder)
            let prefix = start == "/" ? start : start + "/"
            if whole.hasPrefix(prefix) { return String(whole.dropFirst(prefix.count)) }
        }
        return whole
    }

    /// The path without `.`, and without `..` where that can be resolved.
    private static func plain(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") {
            switch part {
            case ".": continue
            case ".." where parts.last.map({ $0 != ".." }) ?? path.hasPrefix("/"): _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}

/// URIs as formats require them (RFC 3986).
enum URIText {
    /// A path as a relative reference; an absolute one as a file URI.
    static func ofFile(_ path: String) -> String {
        if path.contains("://") { return ofAddress(path) }
        let encoded = encoded(path, keeping: "/@!$&'()*+,;=")
        if path.hasPrefix("/") { return "file://" + encoded }
        // A colon in the first segment would be read as a scheme (section 4.2).
        return encoded.isEmpty ? "." : encoded
    }

    /// A URL with all invalid characters encoded.
    static func ofAddress(_ address: String) -> String {
        let bounded = address.prefix(bytes: 2_000)
        let encoded = encoded(bounded, keeping: "/@!$&'()*+,;=:?#%")
        // A second fragment, or a percent sign that encodes nothing, is invalid in a URL.
        let pieces = encoded.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = pieces.count == 2 ? pieces[0] + "#" + pieces[1].replacing("#", with: "%23") : pieces.first ?? ""
        return repaired(String(whole))
    }

    private static func encoded(_ text: String, keeping kept: String) -> String {
        var result = ""
        let letters = Set(("-._~" + kept).utf8)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: result.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where letters.contains(byte): result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static func repaired(_ text: String) -> String {
        var result = ""
        let bytes = Array(text.utf8)
        let isDigit = { (place: Int) in place < bytes.count && Character(Unicode.Scalar(bytes[place])).isHexDigit }
        for (place, byte) in bytes.enumerated() {
            let isStray = byte == UInt8(ascii: "%") && !(isDigit(place + 1) && isDigit(place + 2))
            result += isStray ? "%25" : String(Unicode.Scalar(byte))
        }
        return result
    }
}
