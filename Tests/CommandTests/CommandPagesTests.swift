import Foundation
import OtherPrograms
import TestSupport
import Testing

/// The generated pages of the program's commands.
@Suite("Pages of the command line", .timeLimit(.minutes(5)))
struct CommandPagesTests {
    /// The names that lead to each command, from the page of all commands.
    private static func commands() async throws -> [String] {
        let page = try await Program.run(["manual", "--markdown"]).output
        let names = page.matches(of: #/\n\| \[`([^`]+)`/#).map { String($0.output.1) }
        #expect(names.count > 25)
        return names
    }

    @Test("the help of each command fits the terminal, and equals that of `help COMMAND`", arguments: [40, 80])
    func help(width: Int) async throws {
        for command in [""] + (try await Self.commands()) {
            let words = command.split(separator: " ").map(String.init)
            let environment = ["COLUMNS": "\(width)"]
            let result = try await Program.run(words + ["--help"], environment: environment)
            #expect(result.code == 0 && result.errors.isEmpty, "\(command)")
            let asked = try await Program.run(["help"] + words, environment: environment)
            #expect(asked.output == result.output, "\(command)")
            for line in result.output.split(separator: "\n") where line.contains(where: \.isLetter) {
                // A single word that is longer cannot be broken.
                let isOneWord = line.drop { $0 == " " }.split(separator: " ").filter { $0 != "\\" }.count == 1
                #expect(line.count <= width || isOneWord, "\(line)")
            }
        }
    }

    @Test("groff understands the manual page of every command", .oracle(.program("groff")))
    func manual() async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(["manual", "--pages", folder.path])
        #expect(result.code == 0, "\(result.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let expected = ([""] + (try await Self.commands()))
            .map { (["oidc-preflight"] + $0.split(separator: " ")).joined(separator: "-") + ".1" }
        #expect(files == expected.sorted())
        let judged = try await OtherProgram.run("groff", ["-man", "-ww", "-z", "-Kutf8"] + files, in: folder.path)
        #expect(judged.code == 0 && judged.errors.isEmpty, "\(judged.errors)")
    }
}
