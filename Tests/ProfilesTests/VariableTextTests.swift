import OtherPrograms
import Profiles
import Testing

@Suite("Variables in a file", .timeLimit(.minutes(5)))
struct VariableTextTests {
    /// The value that a file has with these variables, or the problem that it reports.
    private func read(_ value: String, _ variables: [String: String]) -> Result<String?, ConfigurationError> {
        Result { () throws(ConfigurationError) in
            let names = variables.keys.sorted()
            let root = try StrictYAML.document(Array("a: \(value)\n".utf8), file: "f", hasVariables: true)
                .mapping(variables: Variables(value: { variables[$0] }, names: { names }))
            let text = root["a"]?.string()
            try root.reader.finish()
            return text
        }
    }

    private static let variables = [
        "HOST": "idp.example", "EMPTY": "", "OTHER": "${HOST}", "_N1": "1", "YAML": "[a, b]", "BRACE": "}",
        "QUOTE": "it's \"x\"",
    ]

    private static let texts = [
        "https://${HOST}/x", "${HOST}", "${HOST}${HOST}", "${EMPTY:-none}", "${GONE:-a b}", "${GONE:-}x",
        "${HOST:-other}",
        "${OTHER}", "${_N1}", "${YAML}", "a$b", "$", "a $ b", "${BRACE}", "${QUOTE}", "x${GONE:-$}y",
    ]

    @Test("${NAME} is replaced as in a shell", arguments: texts)
    func shell(text: String) async throws {
        var environment: [String: String?] = Self.variables.mapValues { .some($0) }
        environment["GONE"] = .some(nil)
        let expected = try await OtherProgram.run(
            "sh",
            ["-c", "printf %s \"\(text.replacing("a$b", with: "a\\$b"))\""],
            environment: environment
        )
        #expect(expected.code == 0, "\(expected.errors)")
        #expect(read("\"\(text)\"", Self.variables) == .success(expected.text))
    }

    @Test(
        "$${ is an escape, and the value of a variable is always a text",
        arguments: [
            ("$${HOST}", "${HOST}"), ("a$${b", "a${b"), ("$$${HOST}", "$${HOST}"),
            ("$${HOST} ${HOST}", "${HOST} idp.example"),
            ("${NULL}", "null"), ("${TILDE}", "~"), ("'${HOST}'", "idp.example"), ("\"${GONE:-}\"", ""),
        ]
    )
    func literal(text: String, expected: String) {
        let variables = Self.variables.merging(["NULL": "null", "TILDE": "~"]) { $1 }
        #expect(read(text, variables) == .success(expected))
    }

    @Test(
        "a variable that cannot be replaced is reported with its position",
        arguments: [
            (
                "${HOTS}",
                "f:1:4: “a”: the variable HOTS is not set: export it, or give a default with ${HOTS:-…}; did you mean HOST, "
                    + "which is set?"
            ),
            (
                "x${EMPTY}",
                "f:1:4: “a”: the variable EMPTY is empty: export it, or give a default with ${EMPTY:-…}"
            ),
            ("${HOST", "f:1:4: “a”: “${” has no closing “}”; for a literal ${ write $${"),
            (
                "${1X}",
                "f:1:4: “a”: “${1X}” is not a variable: write ${NAME} or ${NAME:-text}, or $${ for a literal ${"
            ),
            (
                "${HOST:?x}",
                "f:1:4: “a”: “${HOST:?x}” is not a variable: write ${NAME} or ${NAME:-text}, or $${ for a literal ${"
            ),
            ("${}", "f:1:4: “a”: “${}” is not a variable: write ${NAME} or ${NAME:-text}, or $${ for a literal ${"),
            ("${A:-${B}}", "f:1:4: “a”: “${A:-${B}}” has a variable as its default: write a plain text there"),
            ("{ b: ${HOST} }", "inside { } and [ ], put a variable in quotes: \"${NAME}\""),
            ("[${HOST}]", "inside { } and [ ], put a variable in quotes: \"${NAME}\""),
        ]
    )
    func mistakes(text: String, message: String) {
        guard case .failure(let error) = read(text, Self.variables) else {
            Issue.record("it was read")
            return
        }
        #expect("\(error)".contains(message), "\(error)")
        #expect(error.problems.count == 1)
    }

    @Test("a wrong value is reported with its variable, and is not shown if the variable is secret")
    func wrongValues() throws {
        let variables = ["NUMBER": "many", "API_KEY": "hunter2-very-long", "MY_PASSWORD": "hunter2"]
        let root =
            try StrictYAML.document(
                Array("a: ${NUMBER}\nb: ${API_KEY}\nc: x${MY_PASSWORD}\n".utf8),
                file: "f",
                hasVariables: true
            )
            .mapping(variables: Variables(value: { variables[$0] }))
        #expect(root["a"]?.number() == nil && root["b"]?.boolean() == nil)
        root["c"]?.report("“\(root["c"]?.string() ?? "")” will not do")
        let error = #expect(throws: ConfigurationError.self) { try root.reader.finish() }
        let reported = "\(error.map { "\($0)" } ?? "")"
        #expect(
            reported.contains("“a” must be a non-negative number, not “many”; the value comes from ${NUMBER}"),
            "\(reported)"
        )
        #expect(reported.contains("the value of the variable API_KEY is invalid for “b”"), "\(reported)")
        #expect(!reported.contains("hunter2"), "\(reported)")
    }

    @Test("a text is unchanged if variables are disabled")
    func none() throws {
        #expect(try StrictYAML.parse("a: ${HOST}\n", file: "f")["a"]?.string() == "${HOST}")
    }
}
