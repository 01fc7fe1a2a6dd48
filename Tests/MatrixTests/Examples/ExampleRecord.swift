import Catalogue
import Conformance
import Foundation
import Preflight
import ReferenceProvider
import Synchronization

/// The committed findings that `checks explain` shows: what the first fault of every check leads to.
///
/// The matrix's own runs are compared with it, so that it costs nothing; with `OIDC_PREFLIGHT_RECORD=1` they are
/// written down instead.
enum ExampleRecord {
    static let file = repository.appendingPathComponent("Sources/Preflight/Explanations/examples.tsv")
    static let isRecording = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_RECORD"] == "1"
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let lines = Mutex(read())

    /// Whether a check has no example yet or has this one; while recording, it has it then.
    static func holds(_ line: String, of check: CheckID) throws -> Bool {
        try lines.withLock { lines in
            let isTheSame = lines[check].map { words($0) == words(line) }
            guard isRecording, isTheSame != true else { return isTheSame ?? true }
            lines[check] = line
            try write(lines)
            return true
        }
    }

    /// A line without what may differ from run to run: words with digits in them, and long random ones.
    ///
    /// `Settling` makes the examples presentable; a duration at the edge of its rounding must not make one stale.
    private static func words(_ line: String) -> String {
        line.replacing(/[A-Za-z0-9_\-.]*\d[A-Za-z0-9_\-.]*/, with: "#")
            .replacing(/[A-Za-z0-9_\-]{16,}/) { word in
                word.output.contains(where: \.isUppercase) && word.output.contains(where: \.isLowercase)
                    ? "#" : word.output
            }
    }

    /// The checks that the file holds, in its order.
    static var checks: [CheckID] {
        text.split(separator: "\n").dropFirst()
            .compactMap { $0.split(separator: "\t").first.map { CheckID(String($0)) } }
    }

    /// Whether it is this fault whose finding stands for the check.
    static func isShownBy(_ fault: Fault) -> Bool { Fault.all.first { $0.trips == fault.trips }?.id == fault.id }

    private static var text: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    private static func read() -> [CheckID: String] {
        let lines = text.split(separator: "\n").dropFirst().map(String.init)
        return Dictionary(lines.map { (CheckID(String($0.prefix { $0 != "\t" })), $0) }) { first, _ in first }
    }

    /// In the catalogue's order, without checks that are gone.
    private static func write(_ lines: [CheckID: String]) throws {
        let text = ([Example.heading] + Catalogue.all.compactMap { lines[$0.id] }).joined(separator: "\n") + "\n"
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
}
