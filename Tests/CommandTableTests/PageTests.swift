import CommandTable
import Testing

@Suite("Pages", .timeLimit(.minutes(5)))
struct PageTests {
    private static let draw = Sample.program.trail(["sample", "draw"])

    @Test("help starts with examples, followed by usage, text, operands and option groups")
    func help() {
        #expect(
            Self.draw.help(width: 80) == #"""
                Draw a shape.

                EXAMPLES
                  sample draw circle --output circle.png
                      a circle
                  sample draw square --output square.png --color red --color green \
                      --layers a,b --count 4 --quiet

                USAGE
                  sample draw --output FILE [OPTION]... SHAPE [TITLE]

                It is drawn once, and then it is there. That is all, and it is said at some
                length here.

                OPERANDS
                  SHAPE             What to draw.
                  TITLE             What stands below.

                DRAWING
                  --size SIZE       How large. One of small, large. Default: as the paper has
                                    it.
                  --color NAME      With these colours. Repeatable.
                  --layers NAME,…   Only these; several by commas.

                LIMITS
                  --count NUMBER    How many. Default: 1.
                  --wait SECONDS    Wait so long.

                OUTPUT
                  --output FILE     The file to write.
                  --as FORMAT=FILE  Another form.
                  --folder FOLDER   A folder.
                  --key KEY         Signs it.
                  --quiet           Say nothing.

                GENERAL
                  -h, --help        Print this help.
                  --version         Print the version.

                """#
        )
    }

    @Test("no line exceeds the width of the terminal", arguments: [36, 40, 60, 63, 64, 80, 100])
    func widths(width: Int) {
        for (names, command) in Sample.program.everyCommand() {
            let page = Sample.program.trail(names).help(width: width)
            for line in page.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
            #expect(page.contains(command.summary) || width < 60)
        }
        #expect(!Sample.program.trail(["sample"]).help(width: width).contains("inner"))
    }

    @Test("a manual page escapes roff requests")
    func roff() {
        let odd: Argument<Bool> = .flag("--odd", group: "ODD \"ONES\"", #".so /etc/passwd is \fBnot\fP read"#)
        let command = Command(
            "odd",
            "'Odd' words.",
            text: [".so is text"],
            examples: [.init("odd --odd")],
            arguments: [odd],
            run: { _ in }
        )
        let page = [command].manualPage(source: "odd 1")
        let requests = page.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
        let names = Set(requests.map { $0.prefix { $0 != " " } })
        let allowed = [".TH", ".SH", ".PP", ".TP", ".B", ".nf", ".fi", ".RS", ".RE", ".nh", ".ad"]
        #expect(names.isSubset(of: allowed.map { $0[...] }), "\(names)")
        #expect(page.contains(#"\&.so /etc/passwd is \efBnot\efP read"#))
        #expect(page.contains(#".SH "ODD \(dqONES\(dq""#))
    }

    @Test("the documentation page contains every visible command and its options")
    func markdown() {
        let page = Sample.program.markdownPage(introduction: "All of them.")
        #expect(page.contains("| [`shapes show`](#shapes-show) | Show one. |"))
        #expect(page.contains("| `--size SIZE` | How large. One of small, large. Default: as the paper has it. |"))
        #expect(page.contains("## Exit codes\n\nOne number, one meaning."))
        #expect(!page.contains("inner"))
    }

    @Test(
        "a long line continues below its last column, and a command stays whole",
        arguments: [
            (
                "    action   Configure client.authentication: client_secret_post",
                [
                    "    action   Configure", "             client.authentication:",
                    "             client_secret_post",
                ]
            ),
            (
                "  authorization request  FAILED     The request is rejected.",
                ["  authorization request  FAILED     The", "    request is rejected."]
            ),
            ("Next, run: oidc-preflight check --config preflight.yaml", nil), ("short", nil),
        ] as [(String, [String]?)]
    )
    func columns(line: String, expected: [String]?) {
        #expect(line.wrappedInColumns(to: 40) == expected ?? [line])
    }
}

@Suite("Shell completion candidates", .timeLimit(.minutes(5)))
struct OfferTests {
    @Test(
        "commands, options, values, lists and values after =",
        arguments: [
            ([""], ["draw", "shapes", "help"]), (["d"], ["draw"]), (["help", ""], ["draw", "shapes"]),
            (["help", "shapes", "s"], ["show"]), (["shapes", ""], ["list", "show", "help"]),
            (["shapes", "--s"], ["--size"]), (["draw", "--co"], ["--color", "--count"]),
            (["draw", "--count", "1", "--co"], ["--color"]), (["draw", "--color", "red", "--colo"], ["--color"]),
            (["draw", "--h"], ["--help"]), (["draw", "--size", ""], ["small", "large"]),
            (["draw", "--size", "l"], ["large"]),
            (["draw", "--size=l"], ["--size=large"]), (["draw", "--color", "g"], ["green"]),
            (["draw", "--layers", "a,"], ["a,b"]), (["draw", "--layers=b,"], ["--layers=b,a"]),
            (["draw", "--as", "p"], ["png="]), (["draw", "--as", "png=x"], []), (["draw", "--", "--s"], []),
            (["draw", "a", "b", "--quie"], ["--quiet"]), (["wrong", ""], ["draw", "shapes", "help"]),
            ([], ["draw", "shapes", "help"]), (["draw", "--key", ""], []),
        ]
    )
    func words(words: [String], expected: [String]) {
        #expect(Offer(for: words, of: Sample.program).candidates.map(\.text) == expected)
    }

    @Test(
        "the shell completes files and folders",
        arguments: [
            (["draw", "--output", ""], true, false), (["draw", "--output=x"], true, false),
            (["draw", "--as", "png="], true, false), (["draw", "--as=svg=a"], true, false),
            (["draw", "--folder", ""], false, true), (["draw", "--as", ""], false, false),
            (["draw", ""], false, false),
        ]
    )
    func files(words: [String], files: Bool, folders: Bool) {
        let offer = Offer(for: words, of: Sample.program)
        #expect(offer.takesFiles == files)
        #expect(offer.takesFolders == folders)
    }

    @Test("the output for the scripts has one word per line, with its summary after a tab")
    func text() {
        #expect(Offer(for: ["draw", "--color", ""], of: Sample.program).text == "red\ngreen\tas grass\n")
        #expect(Offer(for: ["draw", "--output", ""], of: Sample.program).text == ":files\n")
    }
}
