import CLibxml2

/// One XML document, written by libxml2 into memory; the only owner of both handles.
///
/// Characters that XML 1.0 does not allow (section 2.2: most control characters, U+FFFE, U+FFFF) are written as `\u{1B}`, so the
/// document is well-formed for any input.
struct XMLWriter: ~Copyable {
    /// Both are nil only if memory is exhausted; then nothing is written.
    private let buffer: xmlBufferPtr?
    private let writer: xmlTextWriterPtr?

    init() {
        buffer = xmlBufferCreate()
        writer = buffer.flatMap { xmlNewTextWriterMemory($0, 0) }
        xmlTextWriterSetIndent(writer, 1)
        xmlTextWriterSetIndentString(writer, "  ")
        xmlTextWriterStartDocument(writer, "1.0", "UTF-8", nil)
    }

    deinit {
        // The writer flushes into the buffer when freed, so it is freed first.
        xmlFreeTextWriter(writer)
        xmlBufferFree(buffer)
    }

    /// An element with its attributes in order, and the content that `body` writes.
    func element(
        _ name: String,
        _ attributes: [(String, String)] = [],
        _ body: (borrowing XMLWriter) -> Void = { _ in }
    ) {
        xmlTextWriterStartElement(writer, name)
        for (name, value) in attributes {
            xmlTextWriterWriteAttribute(writer, name, Self.legal(value))
        }
        body(self)
        xmlTextWriterEndElement(writer)
    }

    /// Character data; libxml2 escapes special characters, including the end of a CDATA section.
    func text(_ text: String) {
        xmlTextWriterWriteString(writer, Self.legal(text))
    }

    /// Ends the document and returns its text, which ends with a line feed.
    consuming func finish() -> String {
        xmlTextWriterEndDocument(writer)
        guard let bytes = xmlBufferContent(buffer) else { return "" }
        let length = Int(xmlBufferLength(buffer))
        let text = String(decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self)
        return text.hasSuffix("\n") ? text : text + "\n"
    }

    /// The elements that `body` writes into a root element, indented as in it, without its tags.
    static func content(of root: String, _ body: (borrowing XMLWriter) -> Void) -> String {
        let xml = XMLWriter()
        xml.element(root, [], body)
        let text = xml.finish()
        // Neither tag can be part of a value, in which `<` is escaped.
        guard let start = text.firstRange(of: "<\(root)>\n"), let end = text.firstRange(of: "</\(root)>")
        else { return "" }
        return String(text[start.upperBound..<end.lowerBound])
    }

    private static func legal(_ text: String) -> String {
        if text.unicodeScalars.allSatisfy(isLegal) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isLegal(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return result
    }

    private static func isLegal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
