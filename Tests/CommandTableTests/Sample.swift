import CommandTable

enum Size: String, CaseIterable, Sendable {
    case small
    case large
}

/// A small program with one of everything.
enum Sample {
    static let size: Argument<Size?> = .option(
        "--size",
        .word("SIZE"),
        group: "DRAWING",
        "How large.",
        fallback: "as the paper has it"
    )
    static let count: Argument<Int> = .option(
        "--count",
        .integer(in: 1...9, alternative: "; leave it out for one"),
        group: "LIMITS",
        default: 1,
        "How many."
    )
    static let seconds: Argument<Double?> = .option(
        "--wait",
        .decimal("SECONDS", isAboveZero: true),
        group: "LIMITS",
        "Wait so long."
    )
    static let colors: Argument<[String]> = .repeated(
        "--color",
        .text("NAME", completion: .words { [Candidate("red"), Candidate("green", "as grass")] }),
        group: "DRAWING",
        "With these colours."
    )
    static let lists: Argument<String?> = .option(
        "--layers",
        .text("NAME,…", completion: Completion(candidates: { ["a", "b"].map { Candidate($0) } }, isList: true)),
        group: "DRAWING",
        "Only these; several by commas."
    )
    static let output: Argument<String> = .required("--output", .file(), group: "OUTPUT", "The file to write.")
    static let format: Argument<String?> = .option(
        "--as",
        .text("FORMAT=FILE", completion: .words { [Candidate("png="), Candidate("svg=")] }),
        group: "OUTPUT",
        "Another form."
    )
    static let folder: Argument<String?> = .option(
        "--folder",
        .text("FOLDER", completion: .folders),
        group: "OUTPUT",
        "A folder."
    )
    static let key: Argument<String?> = .option("--key", .text("KEY"), group: "OUTPUT", "Signs it.")
    static let quiet: Argument<Bool> = .flag("--quiet", group: "OUTPUT", "Say nothing.")
    static let shape: Argument<String> = .operand(.text("SHAPE"), "What to draw.")
    static let title: Argument<String?> = .operand(optional: .text("TITLE"), "What stands below.")
    static let names: Argument<[String]> = .operands(.text("NAME"), "Whose.")

    static let draw = Command(
        "draw",
        "Draw a shape.",
        text: ["It is drawn once, and then it is there. That is all, and it is said at some length here."],
        examples: [
            .init("sample draw circle --output circle.png", "a circle"),
            .init("sample draw square --output square.png --color red --color green --layers a,b --count 4 --quiet"),
        ],
        arguments: [size, colors, lists, count, seconds, output, format, folder, key, quiet, shape, title],
        objections: { invocation in
            invocation[count] == 9 && invocation[quiet] ? ["nine are never quiet"] : []
        },
        run: { _ in }
    )
    static let list = Command(
        "list",
        "List the shapes.",
        examples: [.init("sample shapes list --size large")],
        arguments: [size, names],
        run: { _ in }
    )
    static let show = Command(
        "show",
        "Show one.",
        examples: [.init("sample shapes show circle")],
        arguments: [shape],
        run: { _ in }
    )
    static let shapes = Command(
        "shapes",
        "List the shapes, or show one.",
        examples: [.init("sample shapes")],
        subcommands: [list, show],
        fallback: "list"
    )
    static let inner = Command("inner", "Not for everybody.", examples: [], isHidden: true, run: { _ in })
    static let program = Command(
        "sample",
        "Draws shapes.",
        examples: [.init("sample draw circle --output circle.png")],
        sections: [
            .init("EXIT CODES", ["One number, one meaning."], terms: [("0", "drawn"), ("64", "not understood")])
        ],
        subcommands: [draw, shapes, inner]
    )

    /// The first that shares three letters at the beginning.
    static let nearest: WordGuess = { word, candidates in
        word.count < 3 ? nil : candidates.first { $0.hasPrefix(word.prefix(3)) }
    }

    static func read(_ words: [String], _ environment: [String: String] = [:]) -> Result<Request, UsageError> {
        Result { () throws(UsageError) in
            try program.read(words, prefix: "SAMPLE_", environment: { environment[$0] }, nearest: nearest)
        }
    }

    static func invocation(_ words: [String], _ environment: [String: String] = [:]) -> Invocation? {
        guard case .success(.run(_, let invocation)) = read(words, environment) else { return nil }
        return invocation
    }

    static func problems(_ words: [String], _ environment: [String: String] = [:]) -> [String] {
        guard case .failure(let error) = read(words, environment) else { return [] }
        return error.problems
    }
}
