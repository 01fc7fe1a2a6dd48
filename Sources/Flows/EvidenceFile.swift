package import Conformance
import FoundationEssentials

/// The reason why a file cannot be read as evidence.
package enum EvidenceFormatError: Error, Sendable, Hashable, CustomStringConvertible {
    /// It is not the JSON that an evidence file is; the detail names the place.
    case unreadable(String)
    /// It was written in a version of the format that is not read.
    case otherFormat(found: Int)

    package var description: String {
        switch self {
        case .unreadable(let detail): "this is not an evidence file: \(detail)"
        case .otherFormat(let found):
            "the evidence is in format \(found), and this version reads format \(Evidence.currentFormat): "
                + "use the version of the tool that wrote it, or collect it again"
        }
    }
}

extension Evidence {
    /// The evidence as a JSON text with sorted members: the same evidence is the same file.
    package func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// Reads a file that ``encoded()`` wrote, in this version or in one that wrote the same format.
    package static func decode(_ bytes: [UInt8]) throws(EvidenceFormatError) -> Evidence {
        if let excess = EvidenceBounds.excess(of: bytes) { throw .unreadable(excess) }
        do {
            let decoder = JSONDecoder()
            let data = Data(bytes)
            let header = try decoder.decode(Header.self, from: data)
            guard header.format == currentFormat else {
                throw EvidenceFormatError.otherFormat(found: header.format)
            }
            return try decoder.decode(Evidence.self, from: data)
        } catch let error as EvidenceFormatError {
            throw error
        } catch let error as DecodingError {
            throw .unreadable(describe(error))
        } catch {
            throw .unreadable("\(error)")
        }
    }

    private struct Header: Decodable {
        var format: Int
    }

    private static func describe(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context):
            "\(place(context.codingPath)) has no member \(key.stringValue.quoted)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(place(context.codingPath)): \(context.debugDescription.shown())"
        case .dataCorrupted(let context):
            "\(place(context.codingPath)): \(context.debugDescription.shown())"
        @unknown default: "it could not be decoded"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "the document" : path.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }.joined()
    }
}
