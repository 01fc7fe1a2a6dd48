import CommandTable
import Testing

@Suite("Reading a command line", .timeLimit(.minutes(5)))
struct ReadingTests {
    @Test(
        "the value of an option is the next word or follows =, at any position",
        arguments: [
            ["--size", "large", "circle", "--output", "o"], ["--size=large", "circle", "--output=o"],
            ["circle", "--output", "o", "--size", "large"], ["circle", "--size=large", "--output", "o"],
            ["--output", "o", "--size", "large", "--", "circle"],
        ]
    )
    func forms(words: [String]) throws {
        let invocation = try #require(Sample.invocation(["draw"] + words))
        #expect(invocation[Sample.size] == .large)
        #expect(invocation[Sample.output] == "o")
        #expect(invocation[Sample.shape] == "circle")
        #expect(invocation[Sample.title] == nil)
        #expect(!invocation[Sample.quiet])
    }

    @Test("a missing argument has its default, nil, or an empty list")
    func defaults() throws {
        let invocation = try #require(Sample.invocation(["draw", "circle", "--output", "o"]))
        #expect(invocation[Sample.size] == nil)
        #expect(invocation[Sample.count] == 1)
        #expect(invocation[Sample.colors] == [])
        #expect(invocation[Sample.key] == nil)
    }

    @Test(
        "a value may start with a dash or contain =",
        arguments: [
            (["--color", "-"], "-"), (["--color", "-3"], "-3"), (["--color", "a=b"], "a=b"), (["--color=a=b"], "a=b"),
            (["--color=--quiet"], "--quiet"), (["--color", "-q uiet"], "-q uiet"), (["--color", "Grün"], "Grün"),
        ]
    )
    func values(words: [String], value: String) throws {
        let invocation = try #require(Sample.invocation(["draw", "circle", "--output", "o"] + words))
        #expect(invocation[Sample.colors] == [value])
    }

    @Test("repeatable options keep their order, and a flag may be repeated")
    func repetition() throws {
        let words = ["draw", "--color", "red", "-", "--quiet", "--output=o", "--color=green", "--quiet"]
        let invocation = try #require(Sample.invocation(words))
        #expect(invocation[Sample.colors] == ["red", "green"])
        #expect(invocation[Sample.shape] == "-")
        #expect(invocation[Sample.quiet])
    }

    @Test("after -- nothing is an option")
    func operandsOnly() throws {
        let invocation = try #require(Sample.invocation(["draw", "--output", "o", "--", "--size", "-h"]))
        #expect(invocation[Sample.shape] == "--size")
        #expect(invocation[Sample.title] == "-h")
    }

    @Test("a variable supplies a missing option, and an empty variable is ignored")
    func environment() throws {
        let words = ["draw", "circle", "--output", "o"]
        #expect(try #require(Sample.invocation(words, ["SAMPLE_KEY": "k"]))[Sample.key] == "k")
        #expect(try #require(Sample.invocation(words, ["SAMPLE_KEY": ""]))[Sample.key] == nil)
        #expect(try #require(Sample.invocation(words + ["--key=x"], ["SAMPLE_KEY": "k"]))[Sample.key] == "x")
    }

    @Test(
        "every option has a variable with values separated by white space or 1 and 0 for a flag; the command line takes precedence"
    )
    func variables() throws {
        let set = [
            "SAMPLE_OUTPUT": "o", "SAMPLE_COLOR": " red\n green ", "SAMPLE_QUIET": "TRUE", "SAMPLE_COUNT": "3",
            "SAMPLE_SIZE": "large", "SAMPLE_AS": "png=a b", "SAMPLE_SHAPE": "square", "SAMPLE_HELP": "1",
        ]
        let invocation = try #require(Sample.invocation(["draw", "circle"], set))
        #expect(invocation[Sample.output] == "o" && invocation[Sample.colors] == ["red", "green"])
        #expect(invocation[Sample.quiet] && invocation[Sample.count] == 3 && invocation[Sample.size] == .large)
        #expect(invocation[Sample.format] == "png=a b")
        #expect(invocation.variables["--color"] == "SAMPLE_COLOR" && invocation.variables["SHAPE"] == nil)
        let typed = try #require(Sample.invocation(["draw", "circle", "--color", "blue", "--count=1"], set))
        #expect(typed[Sample.colors] == ["blue"] && typed[Sample.count] == 1)
        #expect(typed.variables["--count"] == nil)
        for off in ["0", "false"] {
            let silent = try #require(Sample.invocation(["draw", "circle"], set.merging(["SAMPLE_QUIET": off]) { $1 }))
            #expect(!silent[Sample.quiet])
        }
        // An operand is typed, and so is what must be meant each time; unless the operand says otherwise.
        #expect(!Sample.problems(["draw"], set).isEmpty)
        let shape: Argument<String> = .operand(.text("SHAPE"), "What.").orVariable
        let loud: Argument<Bool> = .flag("--loud", group: "G", "Loud.").onCommandLineAlone
        let program = Command("p", "P.", examples: [], arguments: [shape, loud], run: { _ in })
        let request = try program.read(
            [],
            prefix: "SAMPLE_",
            environment: { ["SAMPLE_SHAPE": "disc", "SAMPLE_LOUD": "1"][$0] },
            nearest: Sample.nearest
        )
        guard case .run(_, let read) = request else {
            Issue.record("\(request)")
            return
        }
        #expect(read[shape] == "disc" && !read[loud])
    }

    @Test("the default command accepts its options without its name")
    func defaultCommand() throws {
        for words in [["shapes"], ["shapes", "--size", "small"], ["shapes", "list", "--size=small", "a", "b"]] {
            guard case .success(.run(let command, let invocation)) = Sample.read(words) else {
                Issue.record("\(words)")
                continue
            }
            #expect(command.name == "list")
            #expect(invocation[Sample.size] == (words.count > 1 ? .small : nil))
            #expect(invocation[Sample.names] == (words.count > 3 ? ["a", "b"] : []))
        }
    }

    @Test(
        "help and version work at every level despite other mistakes",
        arguments: [
            ([], "sample"), (["--help"], "sample"), (["-h"], "sample"), (["help"], "sample"),
            (["help", "help"], "sample"), (["draw", "-h"], "draw"),
            (["draw", "--wrong", "--help"], "draw"), (["help", "draw"], "draw"),
            (["draw", "--size", "--help"], "draw"),
            (["shapes", "--help"], "shapes"), (["help", "shapes"], "shapes"), (["help", "shapes", "show"], "show"),
            (["shapes", "help", "show"], "show"), (["shapes", "list", "--help"], "list"), (["--version"], nil),
            (["draw", "--version"], nil), (["inner", "--help"], "inner"),
        ] as [([String], String?)]
    )
    func help(words: [String], page: String?) {
        switch Sample.read(words) {
        case .success(.help(let path)): #expect(path.last?.name == page)
        case .success(.version): #expect(page == nil)
        default: Issue.record("\(words)")
        }
    }

    @Test("--help has no effect after -- or as a value")
    func noHelp() throws {
        #expect(Sample.invocation(["draw", "--output=--help", "--", "--help"]) != nil)
    }
}

@Suite("Usage errors", .timeLimit(.minutes(5)))
struct UsageErrorTests {
    private static let right = ["draw", "circle", "--output", "o"]

    @Test(
        "a mistake is reported in one sentence with the fix",
        arguments: [
            (["darw"], "unknown command “darw”; known commands: draw, shapes"),
            (["drawing"], "unknown command “drawing”; did you mean “draw”?"),
            (["help", "drawing"], "unknown command “drawing”; did you mean “draw”?"),
            (["shapes", "lost"], "shapes has no command “lost”; known commands: list, show"),
            (["--quiet"], "unknown option --quiet; it must follow a command: draw"),
            (["--wrong"], "unknown option --wrong"), (["-v"], "unknown option -v; did you mean --version?"),
            (right + ["--wrong"], "draw has no option --wrong"),
            (right + ["--inner-most"], "draw has no option --inner-most"),
            (right + ["--sizes", "large"], "draw has no option --sizes; did you mean --size?"),
            (right + ["--si", "large"], "draw has no option --si; did you mean --size?"),
            (right + ["--co=x"], "draw has no option --co; did you mean --color or --count?"),
            (right + ["-size", "large"], "draw has no option -size; did you mean --size?"),
            (right + ["-quiet"], "draw has no option -quiet; did you mean --quiet?"),
            (
                ["shapes", "show", "circle", "--size", "large"],
                "shapes show has no option --size; it is an option of draw or shapes list"
            ),
            (right + ["--size"], "--size needs a value: --size SIZE"),
            (right + ["--size", "--quiet"], "--size needs a value; if the value is “--quiet”, write --size=--quiet"),
            (right + ["--size="], "--size is empty; if the value comes from a variable, the variable is not set"),
            (right + ["--key", ""], "--key is empty; if the value comes from a variable, the variable is not set"),
            (right + ["--size", "larger"], "--size: “larger” is not one of small or large; did you mean “large”?"),
            (right + ["--count", "-1"], "--count: “-1” is not an integer from 1 to 9; leave it out for one"),
            (right + ["--count", "three"], "--count: “three” is not an integer from 1 to 9"),
            (right + ["--wait", "0"], "--wait: “0” is not a positive number of seconds"),
            (right + ["--wait", "inf"], "--wait: “inf” is not a positive number of seconds"),
            (right + ["--quiet=yes"], "--quiet takes no value, but was given “yes”"),
            (right + ["--size", "large", "--size=small"], "--size is given twice but takes one value"),
            (right + ["a", "b"], "unexpected argument “b”: draw takes only SHAPE and TITLE"),
            (["inner", "now"], "unexpected argument “now”: inner takes no operands"),
            (["draw", "--output", "o"], "SHAPE is missing: what to draw"),
            (["draw", "circle"], "--output FILE is missing: the file to write"),
            (["draw", "circle", "title", "o.png"], "“o.png” is not an operand; did you mean --output o.png?"),
            (["draw", "circle", "--outputs", "o.png"], "draw has no option --outputs; did you mean --output?"),
            (right + ["--count", "9", "--quiet"], "nine are never quiet"),
            (right + ["--shape", "x"], "draw has no option --shape: write SHAPE without an option name"),
            (right + ["--\u{1B}[2J"], "draw has no option --\u{FFFD}[2J"),
            (
                ["draw", "--output", "o", "a", "b", String(repeating: "x", count: 90)],
                "unexpected argument “\(String(repeating: "x", count: 60))…”: draw takes only SHAPE and TITLE"
            ),
        ]
    )
    func mistakes(words: [String], problem: String) {
        #expect(Sample.problems(words) == [problem])
    }

    @Test(
        "all mistakes are reported at once",
        arguments: [
            (right + ["--sizes", "large", "--count", "x"], 2), (right + ["--quit", "--wait=-1", "--layers"], 3),
            (["draw"], 2), (["draw", "--size", "--cuont", "3", "circle"], 3),
        ]
    )
    func several(words: [String], count: Int) {
        let problems = Sample.problems(words)
        #expect(problems.count == count, "\(problems)")
    }

    @Test("a wrong value of a variable names the variable")
    func environment() {
        let words = ["draw", "circle", "--output", "o"]
        for (name, value, problem) in [
            ("SAMPLE_COUNT", "12", "SAMPLE_COUNT: “12” is not an integer from 1 to 9; leave it out for one"),
            ("SAMPLE_SIZE", "smal", "SAMPLE_SIZE: “smal” is not one of small or large; did you mean “small”?"),
            ("SAMPLE_QUIET", "yes", "SAMPLE_QUIET: “yes” is neither 1 nor 0, which turn --quiet on and off"),
        ] {
            #expect(Sample.problems(words, [name: value]) == [problem])
        }
        let program = Command(
            "p",
            "P.",
            examples: [],
            arguments: [Sample.count, Sample.quiet],
            objections: { _ in ["--count and --quiet-ly: leave --count out"] },
            run: { _ in }
        )
        let error = #expect(throws: UsageError.self) {
            try program.read(["--quiet"], prefix: "P_", environment: { ["P_COUNT": "2"][$0] }, nearest: Sample.nearest)
        }
        #expect(error?.problems == ["--count and --quiet-ly: leave --count out (--count comes from P_COUNT)"])
    }

    @Test("an unknown variable with the program's prefix is reported with a suggestion")
    func unknownVariables() {
        let names = ["SAMPLE_COLR", "SAMPLE_COLOR", "SAMPLE_QUIET", "SAMPLE_TEST", "SAMPLE_ZZ", "SAMPLE_HELP", "PATH"]
        let reported = Sample.program.unknownVariables(
            names,
            prefix: "SAMPLE_",
            besides: ["SAMPLE_TEST"],
            nearest: Sample.nearest
        )
        #expect(
            reported == [
                "the environment variable SAMPLE_COLR is ignored; did you mean SAMPLE_COLOR?",
                "the environment variable SAMPLE_HELP is ignored: it matches no option",
                "the environment variable SAMPLE_ZZ is ignored: it matches no option",
            ]
        )
    }

    @Test("the message ends with the usage line and the help command")
    func text() {
        guard case .failure(let error) = Sample.read(["draw", "--sice", "large"]) else {
            Issue.record("no mistake was found")
            return
        }
        #expect(
            error.text == """
                sample: draw has no option --sice
                sample: --output FILE is missing: the file to write
                usage: sample draw --output FILE [OPTION]... SHAPE [TITLE]
                help:  sample draw --help
                """
        )
    }
}
