/// Removes the parts of a page that browsers do not show and that slow down the parser.
///
/// libxml2 compares each attribute of a tag with those before it, so 50,000 in one tag take seconds, on every sign-in of a run.
enum HTMLTrimming {
    /// Bytes of a page that are read; sign-in pages have a tenth of it.
    static let mostBytes = 1 << 20
    /// Attributes of a tag that are read.
    static let mostAttributes = 200
    /// Tags of a page that are read.
    static let mostTags = 50_000

    /// The page as far as it is read.
    static func trimmed(_ page: [UInt8]) -> [UInt8] {
        let page = page.count > mostBytes ? Array(page.prefix(mostBytes)) : page
        var result: [UInt8] = []
        result.reserveCapacity(page.count)
        var index = 0
        var tags = 0
        while index < page.count {
            guard let start = page[index...].firstIndex(of: UInt8(ascii: "<")) else { break }
            result += page[index..<start]
            if page[start...].starts(with: "<!--".utf8) {
                index = end(of: "-->", in: page, from: start + 4)
                result += page[start..<index]
                continue
            }
            tags += 1
            guard tags <= mostTags else { return result }
            let tag = Tag(page, at: start)
            result += page[start..<tag.endOfRead]
            if tag.endOfRead < tag.end { result.append(UInt8(ascii: ">")) }
            index = tag.end
            if let closing = tag.rawTextEnd {
                let last = endOfRawText(closing, in: page, from: index)
                result += page[index..<last]
                index = last
            }
        }
        return index < page.count ? result + page[index...] : result
    }

    /// Behind the mark, or at the page's end.
    private static func end(of mark: String, in page: [UInt8], from start: Int) -> Int {
        let mark = Array(mark.utf8)
        var index = start
        while index + mark.count <= page.count {
            if page[index] == mark[0], page[index..<(index + mark.count)].elementsEqual(mark) {
                return index + mark.count
            }
            index += 1
        }
        return page.count
    }

    /// The position of the closing tag of a script or a style: nothing before it is a tag.
    private static func endOfRawText(_ closing: [UInt8], in page: [UInt8], from start: Int) -> Int {
        var index = start
        while index + closing.count <= page.count {
            if page[index] == UInt8(ascii: "<"), page[index..<(index + closing.count)].map({ $0 | 0x20 }) == closing {
                return index
            }
            index += 1
        }
        return page.count
    }
}

/// One tag of a page.
private struct Tag {
    /// Behind the tag.
    var end: Int
    /// The end of the part that is read: the tag's end, or the end of its last attribute that is read.
    var endOfRead: Int
    /// The beginning of the closing tag, in lower case, of an element whose content contains no tags.
    var rawTextEnd: [UInt8]?

    init(_ page: [UInt8], at start: Int) {
        let name = page[(start + 1)...].prefix(8).prefix { (0x61...0x7A).contains($0 | 0x20) }.map { $0 | 0x20 }
        let word = String(decoding: name, as: UTF8.self)
        if word == "script" || word == "style" { rawTextEnd = Array("</".utf8).map { $0 | 0x20 } + name }
        var index = start + 1
        var attributes = 0
        var cut: Int?
        var quote: UInt8?
        var wasSpace = false
        while index < page.count {
            let byte = page[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                break
            } else if (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")) && attributes > 0 {
                quote = byte
            } else if wasSpace, !Self.isSpace(byte), byte != UInt8(ascii: "=") {
                attributes += 1
                if attributes > HTMLTrimming.mostAttributes, cut == nil { cut = index }
            }
            wasSpace = quote == nil && (Self.isSpace(byte) || byte == UInt8(ascii: "/"))
            index += 1
        }
        end = min(index + 1, page.count)
        endOfRead = cut ?? end
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) }
}
