import Foundation
import OtherPrograms
import TestSupport
import Testing

/// The pages show the actual output of the program.
@Suite("Outputs of the documentation, Samples", .phase(.programs), .timeLimit(.minutes(5)))
struct DocumentedOutputSamplesTests {
    @Test("every output on a page equals the output of its command", arguments: ConsolePage.files)
    func outputs(file: String) async throws {
        var page = try ConsolePage(file: file)
        let committed = try String(contentsOf: CommittedFile.root.appendingPathComponent(file), encoding: .utf8)
        try #require(page.text == committed, "\(file) cannot be read as a page with outputs")
        var begin = 0
        while begin < page.pieces.count {
            // A provider serves the blocks up to the next comment.
            let rest = page.pieces[(begin + 1)...]
            let end = rest.firstIndex { if case .provider = $0 { true } else { false } } ?? page.pieces.count
            let pieces = Array(page.pieces[begin..<end])
            page.pieces.replaceSubrange(begin..<end, with: try await Self.run(pieces))
            begin = end
        }
        try CommittedFile.expect(page.text, in: file)
    }

    /// The pieces with the outputs of their commands; with those that are there where they say the same.
    private static func run(_ pieces: [ConsolePage.Piece]) async throws -> [ConsolePage.Piece] {
        guard case .provider(let arguments, _) = pieces.first else { return try await run(pieces, beside: nil) }
        let result = Results()
        try await ReferenceServer.run(arguments) { server in
            await result.keep(try await run(pieces, beside: server))
        }
        return await result.pieces
    }

    private static func run(
        _ pieces: [ConsolePage.Piece],
        beside server: ReferenceServer?
    ) async throws -> [ConsolePage.Piece] {
        let folder = try TemporaryFolder()
        let port = server.flatMap { $0.issuer.split(separator: ":").last }.map { String($0.prefix { $0.isNumber }) }
        if let server {
            for name in ["preflight.yaml", "ca.pem"] {
                let text = try? server.read(name).replacing(server.folder + "/", with: "")
                if let text { _ = try folder.file(name, text) }
            }
        }
        let path = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
        let variables = ["PATH": path + ":/usr/bin:/bin", "COLUMNS": "80", "NO_COLOR": "1"] as [String: String?]
        var results: [ConsolePage.Piece] = []
        for piece in pieces {
            guard case .block(let commands) = piece else {
                results.append(piece)
                continue
            }
            var block: [ConsolePage.Command] = []
            for var command in commands {
                let line = port.map { command.line.replacing(ConsolePage.address, with: "127.0.0.1:\($0)") }
                let outcome = try await OtherProgram.run(
                    "sh",
                    ["-c", line ?? command.line],
                    environment: (server?.environment ?? [:]).merging(variables) { $1 },
                    in: folder.path
                )
                let reported = outcome.text.isEmpty ? outcome.errors : outcome.text
                let output = ConsoleOutput.named(reported, port: port, folder: folder.path)
                let isSame = ConsoleOutput.comparable(output) == ConsoleOutput.comparable(command.output)
                if !isSame { command.output = output.hasSuffix("\n") || output.isEmpty ? output : output + "\n" }
                block.append(command)
            }
            results.append(.block(block))
        }
        return results
    }

    /// Carries the pieces out of the closure beside the server.
    private actor Results {
        private(set) var pieces: [ConsolePage.Piece] = []

        func keep(_ pieces: [ConsolePage.Piece]) { self.pieces = pieces }
    }

    @Test("the pages that promise outputs have them")
    func pagesAreThere() {
        let expected = ["README.md", "First-Run", "Reading-a-Report", "What-a-Run-Does", "Proxies-and-Authorities"]
        for page in expected { #expect(ConsolePage.files.contains { $0.contains(page) }, "\(page) shows no output") }
    }
}
