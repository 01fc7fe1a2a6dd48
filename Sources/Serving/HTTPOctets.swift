/// The classes of bytes in HTTP/1.1.
enum HTTPOctets {
    static let tab = UInt8(ascii: "\t")
    static let lf = UInt8(ascii: "\n")
    static let cr = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let colon = UInt8(ascii: ":")

    private static let tokens: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        let others = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        for octet in others.utf8 { table[Int(octet)] = true }
        return table
    }()

    /// `tchar` of RFC 9110 section 5.6.2.
    static func isToken(_ octet: UInt8) -> Bool { tokens[Int(octet)] }

    static func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }

    static func isHexadecimalDigit(_ octet: UInt8) -> Bool {
        isDigit(octet) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(octet | 0x20)
    }

    /// Bytes allowed in a line: visible ones, non-ASCII, space and tab.
    static func isText(_ octet: UInt8) -> Bool { octet >= 0x20 && octet != 0x7F || octet == tab }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// Without the optional whitespace around it (RFC 9110 section 5.6.3).
    var trimmedOWS: Self {
        var rest = self
        while let first = rest.first, first == HTTPOctets.space || first == HTTPOctets.tab { rest.removeFirst() }
        while let last = rest.last, last == HTTPOctets.space || last == HTTPOctets.tab { rest.removeLast() }
        return rest
    }
}

extension String {
    /// The members of a list value of a field, in lower case (RFC 9110 section 5.6.1).
    var listMembers: [String] {
        lowercased().utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0.trimmedOWS)) }
    }
}
