package import Foundation
import JSONTree
import Profiles
import Synchronization

/// Records every configuration that a test reads, with its problems, if the environment names a folder for them.
///
/// `Scripts/validate-configurations.py` validates the files against the schema for editors after the tests.
package enum ConfigurationRecord {
    private static let folder = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_REPORTS"]
        .flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
    private static let count = Mutex(0)

    /// Reads a text, and records it with the problems that were found.
    package static func keeping<Value>(_ text: String, _ read: () throws -> Value) throws -> Value {
        do {
            let value = try read()
            try keep(text, [], in: folder)
            return value
        } catch let error as ConfigurationError {
            try keep(text, error.problems.map(\.message), in: folder)
            throw error
        }
    }

    /// - Parameter folder: The folder; `nil` to record nothing.
    package static func keep(_ text: String, _ problems: [String], in folder: URL?) throws {
        guard let folder else { return }
        let number = count.withLock { count in
            count += 1
            return count
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tree: JSONObject = ["text": .string(text), "problems": .array(problems.map(JSON.string))]
        let name = "\(ProcessInfo.processInfo.processIdentifier)-\(number).configuration"
        try Data(tree.serialized().utf8).write(to: folder.appendingPathComponent(name))
    }
}
