import Foundation

/// A page of the documentation with what a terminal showed: command lines, and the program's real output.
///
/// Such a block begins with three backticks and `console`; its commands begin with `$ `. The comment
/// `<!-- provider: ARGUMENTS -->` before a block says which reference provider runs beside it and what follows. It writes
/// `preflight.yaml` and `ca.pem`, and its secrets are in the environment.
struct ConsolePage {
    /// A piece of the page, in order; together they are the page.
    enum Piece {
        case text(String)
        case provider(arguments: [String], line: String)
        case block([Command])
    }

    /// A command line with what the page says that it prints.
    struct Command {
        let line: String
        var output: String
    }

    /// How the pages name the provider, whatever port it has in a test.
    static let address = "127.0.0.1:44300"

    let file: String
    var pieces: [Piece]

    init(file: String) throws {
        self.file = file
        let text = try String(contentsOf: CommittedFile.root.appendingPathComponent(file), encoding: .utf8)
        pieces = []
        var commands: [Command]?
        for line in text.components(separatedBy: "\n") {
            if let open = commands {
                if line == "```" { pieces.append(.block(open)) }
                commands = line == "```" ? nil : Self.reading(line, after: open)
            } else if line == "```console" {
                commands = []
            } else if let match = line.wholeMatch(of: #/<!-- provider:(.*) -->/#) {
                pieces.append(.provider(arguments: match.1.split(separator: " ").map(String.init), line: line))
            } else {
                pieces.append(.text(line))
            }
        }
    }

    /// The commands of a block with one line more: a command, the rest of one that ends with a backslash, or its output.
    private static func reading(_ line: String, after commands: [Command]) -> [Command] {
        if line.hasPrefix("$ ") { return commands + [Command(line: String(line.dropFirst(2)), output: "")] }
        guard var last = commands.last else { return commands }
        if last.line.hasSuffix("\\"), last.output.isEmpty {
            last = Command(line: last.line + "\n" + line, output: "")
        } else {
            last.output += line + "\n"
        }
        return commands.dropLast() + [last]
    }

    /// Every page of the root and of `Documentation` itself that has such a block.
    static let files: [String] = ["", "Documentation/"]
        .flatMap { folder in
            let path = CommittedFile.root.appendingPathComponent(folder).path
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            return names.filter { $0.hasSuffix(".md") }.sorted().map { folder + $0 }
        }
        .filter { file in
            let url = CommittedFile.root.appendingPathComponent(file)
            return (try? String(contentsOf: url, encoding: .utf8))?.contains("\n```console\n") == true
        }

    var text: String {
        pieces.map { piece in
            switch piece {
            case .text(let line), .provider(_, let line): line
            case .block(let commands):
                "```console\n" + commands.map { "$ \($0.line)\n\($0.output)" }.joined() + "```"
            }
        }
        .joined(separator: "\n")
    }
}

/// Replaces values that change between runs, so that outputs can be compared.
enum ConsoleOutput {
    /// The output with the pages' address in the place of the real one.
    static func named(_ output: String, port: String?, folder: String) -> String {
        let text = port.map { output.replacing("127.0.0.1:\($0)", with: ConsolePage.address) } ?? output
        return text.replacing(folder + "/", with: "")
    }

    /// The output without counts of requests, times, dates and random values.
    static func comparable(_ output: String) -> String {
        output.replacing(#/[0-9,]+ requests/#, with: "N requests")
            // How many scenarios had started when the first one failed varies.
            .replacing(#/[0-9]+ checks inconclusive/#, with: "N checks inconclusive")
            .replacing(#/[0-9]+(\.[0-9]+)? (s|ms|seconds?)\b/#, with: "N s")
            .replacing(#/[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:]{5,8}Z?)?/#, with: "DATE")
            .replacing(#/[A-Za-z0-9_-]{43}/#, with: "RANDOM")
    }
}
