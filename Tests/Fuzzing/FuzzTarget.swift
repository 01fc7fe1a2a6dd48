package import FoundationEssentials

/// A parser of untrusted input, and its invariants.
package struct FuzzTarget: Sendable, CustomStringConvertible {
    package let name: String
    /// Valid texts.
    package let texts: [[UInt8]]
    /// Tokens of their language.
    package let pieces: [String]
    /// Why a result is impossible; `nil` if it is not.
    package let contradiction: @Sendable ([UInt8]) -> String?

    package var description: String { name }

    init(
        _ name: String,
        texts: [String],
        pieces: [String],
        _ contradiction: @escaping @Sendable ([UInt8]) -> String?
    ) {
        self.name = name
        self.texts = texts.map { Array($0.utf8) }
        self.pieces = pieces
        self.contradiction = contradiction
    }

    /// The time limit in seconds for a text of at most 60 kB, many times the usual time.
    package static let longest = 2.0

    package static let all: [FuzzTarget] =
        [.json, .jws, .jwe, .jwk, .certificate] + [.html, .cookies, .url, .parameters, .fields] + [.yaml]
        + [.secrets, .log, .documents, .evidence]

    /// Inputs that once broke the parser, from `Tests/Fixtures/fuzz/NAME`.
    package func found(in folder: URL) -> [(name: String, bytes: [UInt8])] {
        let place = folder.appendingPathComponent(name)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.sorted()
            .compactMap { file in
                FileManager.default.contents(atPath: place.appendingPathComponent(file).path).map { (file, Array($0)) }
            }
    }

    /// The problem with the result for a text, including its time; `nil` if there is none.
    package func problem(with text: [UInt8]) -> String? {
        let clock = ContinuousClock()
        let start = clock.now
        if let contradiction = contradiction(text) { return contradiction }
        let taken = start.duration(to: clock.now)
        return taken > .seconds(Self.longest) ? "it took \(taken)" : nil
    }

    /// A mutator of the target's texts and found cases.
    package func mutator(_ found: [(name: String, bytes: [UInt8])], seed: UInt64) -> Mutator {
        Mutator(texts: texts + found.map(\.bytes), pieces: pieces, seed: seed)
    }
}
