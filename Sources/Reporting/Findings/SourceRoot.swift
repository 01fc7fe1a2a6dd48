import Conformance

/// From where files are named: build servers name those of a checkout from its root, wherever a step runs in it.
package struct SourceRoot: Sendable, Hashable {
    /// Absolute; empty where nothing is known, and then files stay as they are named.
    package var workingFolder: String
    /// Absolute.
    package var root: String

    package init(workingFolder: String = "", root: String = "") {
        self.workingFolder = workingFolder
        self.root = root.isEmpty ? workingFolder : root
    }

    /// The file's path from the root; the absolute one where it lies elsewhere.
    ///
    /// An address stays what it is.
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

    /// Without `.`, and without `..` where it leads back.
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

/// Addresses as formats demand them (RFC 3986).
enum URIText {
    /// A path as a relative reference; an absolute one as a file's URI.
    static func ofFile(_ path: String) -> String {
        if path.contains("://") { return ofAddress(path) }
        let encoded = encoded(path, keeping: "/@!$&'()*+,;=")
        if path.hasPrefix("/") { return "file://" + encoded }
        // A colon in the first segment would be taken for a scheme (section 4.2).
        return encoded.isEmpty ? "." : encoded
    }

    /// An address as somebody wrote it, with all that no address can hold encoded.
    static func ofAddress(_ address: String) -> String {
        let bounded = address.prefix(octets: 2_000)
        let encoded = encoded(bounded, keeping: "/@!$&'()*+,;=:?#%")
        // A second fragment, or a percent sign that encodes nothing, is none of an address.
        let pieces = encoded.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = pieces.count == 2 ? pieces[0] + "#" + pieces[1].replacing("#", with: "%23") : pieces.first ?? ""
        return repaired(String(whole))
    }

    private static func encoded(_ text: String, keeping kept: String) -> String {
        var result = ""
        let letters = Set(("-._~" + kept).utf8)
        for octet in text.utf8 {
            switch octet {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: result.unicodeScalars.append(Unicode.Scalar(octet))
            case _ where letters.contains(octet): result.unicodeScalars.append(Unicode.Scalar(octet))
            default: result += "%" + (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static func repaired(_ text: String) -> String {
        var result = ""
        let octets = Array(text.utf8)
        let isDigit = { (place: Int) in place < octets.count && Character(Unicode.Scalar(octets[place])).isHexDigit }
        for (place, octet) in octets.enumerated() {
            let isStray = octet == UInt8(ascii: "%") && !(isDigit(place + 1) && isDigit(place + 2))
            result += isStray ? "%25" : String(Unicode.Scalar(octet))
        }
        return result
    }
}
