import Conformance
import FoundationEssentials
import OtherPrograms
import ReferenceProvider

/// Directories for the files of third-party programs that test the provider.
enum Programs {
    /// A temporary directory for a test's files.
    static func inDirectory<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "provider-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        return try await body(directory)
    }
}

/// curl with a cookie jar, which follows no redirects.
struct Curl {
    let authorityFile: String
    let jar: String

    init(_ provider: ReferenceProvider, in directory: URL) throws {
        authorityFile = directory.appending(path: "ca.pem").path
        jar = directory.appending(path: "jar").path
        try provider.certificateAuthorityPEM.write(toFile: authorityFile, atomically: true, encoding: .utf8)
    }

    struct Answer {
        var status: Int
        var headers: [Field]
        var body: String

        func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    }

    struct Failure: Error, CustomStringConvertible {
        var code: Int
        var errors: String
        var description: String { "curl \(code): \(errors)" }
    }

    func send(_ url: String, _ arguments: [String] = []) async throws -> Answer {
        let fixed = ["-sS", "-i", "--cacert", authorityFile, "--cookie", jar, "--cookie-jar", jar, "--max-time", "20"]
        // curl encodes spaces in a Location that it follows, and not in its arguments.
        let outcome = try await OtherProgram.run("curl", fixed + arguments + [url.replacing(" ", with: "%20")])
        guard outcome.code == 0 else { throw Failure(code: outcome.code, errors: outcome.errors) }
        // The header lines end with CR LF, which is one Character in Swift.
        let text = outcome.text
        guard let end = text.firstRange(of: "\r\n\r\n") else { throw Failure(code: 0, errors: "no head: \(text)") }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let headers = lines.dropFirst()
            .compactMap { line -> Field? in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let value = String(line[line.index(after: colon)...]).trimmingASCIISpace
                return Field(String(line[..<colon]), value)
            }
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return Answer(status: status ?? 0, headers: headers, body: String(text[end.upperBound...]))
    }
}
