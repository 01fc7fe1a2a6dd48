/// On which line of a JSON text each value begins.
package enum JSONLines {
    /// The line of every value, from 1, by its JSON pointer (RFC 6901); an object's member begins with its name.
    ///
    /// For a text that is not JSON, as much as its brackets and names show. Of several members with one name the first is
    /// returned. At most 100,000 values, and none after one that is nested deeper than 64 levels, which no document is.
    package static func of(_ bytes: [UInt8]) -> [String: Int] {
        var scan = Scan(bytes)
        scan.run()
        return scan.lines
    }

    private struct Scan {
        /// An object or array that is open.
        private struct Frame {
            var pointer: String
            /// The next element of an array; `nil` in an object.
            var index: Int?
            /// The value that the next byte of a value belongs to; `nil` if a name is expected.
            var value: String?
        }

        private let bytes: [UInt8]
        private var place = 0
        private var line = 1
        private var frames: [Frame] = []
        private(set) var lines: [String: Int] = [:]
        private static let most = 100_000
        private static let deepest = 64

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func run() {
            while place < bytes.count, lines.count < Self.most, frames.count <= Self.deepest {
                let byte = bytes[place]
                switch byte {
                case UInt8(ascii: "\n"): line += 1
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    let pointer = begin()
                    let isArray = byte == UInt8(ascii: "[")
                    frames.append(
                        Frame(pointer: pointer, index: isArray ? 0 : nil, value: isArray ? pointer + "/0" : nil)
                    )
                case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = frames.popLast()
                case UInt8(ascii: ","): next()
                case UInt8(ascii: ":"): break
                case UInt8(ascii: "\""):
                    let text = string()
                    if let frame = frames.last, frame.value == nil, frame.index == nil {
                        let pointer = frame.pointer + "/" + text.replacing("~", with: "~0").replacing("/", with: "~1")
                        frames[frames.count - 1].value = pointer
                        note(pointer)
                    } else {
                        _ = begin()
                    }
                default: _ = begin()
                }
                place += 1
            }
        }

        /// Takes note of the value that begins here.
        private mutating func begin() -> String {
            let pointer = frames.last.map { $0.value ?? $0.pointer } ?? ""
            note(pointer)
            return pointer
        }

        private mutating func note(_ pointer: String) {
            if lines[pointer] == nil { lines[pointer] = line }
        }

        /// After a comma: the array's next element, or the object's next name.
        private mutating func next() {
            guard var frame = frames.popLast() else { return }
            frame.index = frame.index.map { $0 + 1 }
            frame.value = frame.index.map { "\(frame.pointer)/\($0)" }
            frames.append(frame)
        }

        /// Reads a string up to its closing mark, on which the scan stays.
        private mutating func string() -> String {
            let start = place
            place += 1
            var hasEscapes = false
            while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
                if bytes[place] == UInt8(ascii: "\n") { line += 1 }
                if bytes[place] == UInt8(ascii: "\\") {
                    hasEscapes = true
                    place += 1
                }
                place += 1
            }
            let end = min(place, bytes.count)
            let raw = bytes[min(start + 1, end)..<end]
            guard hasEscapes else { return String(decoding: raw, as: UTF8.self) }
            let quoted = [UInt8(ascii: "["), UInt8(ascii: "\"")] + raw + [UInt8(ascii: "\""), UInt8(ascii: "]")]
            return (try? JSONDocument.parse(quoted))?.root.arrayValue?.first?.stringValue
                ?? String(decoding: raw, as: UTF8.self)
        }
    }
}
