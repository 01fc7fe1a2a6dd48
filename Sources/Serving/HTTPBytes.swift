/// The classes of bytes in HTTP/1.1.
enum HTTPBytes {
    static let tab = UInt8(ascii: "\t")
    static let lf = UInt8(ascii: "\n")
    static let cr = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let colon = UInt8(ascii: ":")

    private static let tokens: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        let others = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        for byte in others.utf8 { table[Int(byte)] = true }
        return table
    }()

    /// `tchar` of RFC 9110 section 5.6.2.
    static func isToken(_ byte: UInt8) -> Bool { tokens[Int(byte)] }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// Bytes allowed in a line: visible ones, non-ASCII, space and tab.
    static func isText(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == tab }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// Without the optional whitespace around it (RFC 9110 section 5.6.3).
    var trimmedOWS: Self {
        var rest = self
        while let first = rest.first, first == HTTPBytes.space || first == HTTPBytes.tab { rest.removeFirst() }
        while let last = rest.last, last == HTTPBytes.space || last == HTTPBytes.tab { rest.removeLast() }
        return rest
    }
}

extension String {
    /// The members of a list value of a field, in lower case (RFC 9110 section 5.6.1).
    var listMembers: [String] {
        lowercased().utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0.trimmedOWS)) }
    }
}
