import Conformance
import Foundation
import OtherPrograms
import Preflight
import Profiles
import ReportRecord
import TestSupport
import Testing

private let environment = Environment(
    variable: { ["SET": "x", "OIDC_CLIENT_SECRET": "s", "OIDC_PASSWORD": "p"][$0] },
    readFile: { $0 == "f.txt" ? .success(Array("f".utf8)) : .failure(FileError(path: $0, reason: "no such file")) }
)

/// The problems reported by the reader.
private func problems(_ text: String) throws -> [String] {
    do throws(ConfigurationError) {
        _ = try ConfigurationReader(environment).readAll(text.utf8, file: "f", checks: PreflightRun.checks.map(\.id))
        return []
    } catch {
        return error.problems.map(\.message)
    }
}

/// The reader and the schema must accept the same keys.
@Suite("Schema of the configuration", .timeLimit(.minutes(5)))
struct ConfigurationSchemaTests {
    /// A right value.
    private static func sample(_ kind: ConfigurationKind) -> String {
        switch kind {
        case .text(nil, _): "https://a.example"
        case .text(_?, let examples): "\"\(examples.first ?? "x")\""
        case .word(let words, _): "\"\(words.first ?? "x")\""
        case .boolean: "true"
        case .number, .wholeNumber: "1"
        case .duration: "1s"
        case .secret: "{ env: SET }"
        case .list(let element): "[\(sample(element))]"
        case .oneOrList(let element): sample(element)
        case .either(let one, _): sample(one)
        case .mapping(let keys): mapping(keys)
        case .oneOf(let mappings): mapping(mappings.first ?? [])
        case .pairs: "{}"
        case .json: "{}"
        }
    }

    /// A mapping with what must be in it, and more.
    private static func mapping(_ keys: [ConfigurationKey], _ more: String = "", besides other: String = "") -> String {
        let required = keys.filter { $0.isRequired && $0.name != other }.map { "\($0.name): \(sample($0.kind))" }
        return "{ \((required + (more.isEmpty ? [] : [more])).joined(separator: ", ")) }"
    }

    private static let values = [
        "x", "5", "-1", "1.5", "true", "~", "\"\"", "\"5\"", "[]", "[x]", "[{}]", "{}", "{ zzz: 1 }", "\"${SET}\"",
        "\"${SET}x\"",
        "{ env: SET }", "{ file: f.txt }", "{ env: SET, file: f.txt }", "10s", "2027-03-31", "openid", "code",
        "token id_token",
        "client_secret_post", "ES256", "issuer", "/x", "200", "./mine.yaml", "POST", "discovery.issuer.uses-https",
    ]

    /// A file for every key and every value, right and wrong, at every place that the keys lead to.
    private static func files(_ keys: [ConfigurationKey], _ around: @escaping (String) -> String) -> [String] {
        let unknown = around(mapping(keys, "zzz: 1"))
        return [unknown]
            + keys.flatMap { key in
                let missing = key.isRequired ? [around(mapping(keys, besides: key.name))] : []
                return missing
                    + files(key.kind) { value in around(mapping(keys, "\(key.name): \(value)", besides: key.name)) }
            }
    }

    private static func files(_ kind: ConfigurationKind, _ around: @escaping (String) -> String) -> [String] {
        values.map(around)
            + {
                switch kind {
                case .list(let element): files(element) { around("[\($0)]") }
                case .oneOrList(let element): files(element) { around("[\($0)]") } + files(element, around)
                case .either(let one, let other): files(one, around) + files(other, around)
                case .mapping(let keys): files(keys, around)
                case .oneOf(let mappings): mappings.flatMap { files($0, around) }
                case .pairs(_, let value): files(value) { around("{ id_token: \($0) }") }
                default: []
                }
            }()
    }

    private static let jsonschema = Oracle.python("jsonschema", "yaml")

    @Test("the reader and jsonschema accept the same values at every key", .oracle(jsonschema))
    func agreement() async throws {
        let python = try await Self.jsonschema.path()
        let texts =
            Self.files(Keys.all) { $0 }
            + Self.files(Keys.all) { "{ issuer: https://b.example, targets: { a: \($0) } }" }
        #expect(texts.count > 4_000)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "configurations-\(UUID().uuidString)"
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        for text in texts + Self.documented { try ConfigurationRecord.keep(text, try problems(text), in: folder) }
        let script = Self.root.appendingPathComponent("Scripts/validate-configurations.py").path
        let outcome = try await OtherProgram.run(python, [script, folder.path])
        #expect(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
    }

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The examples of the documentation that are whole configurations.
    private static let documented: [String] = {
        let folder = root.appendingPathComponent("Documentation").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted()
            .flatMap { name in
                let text = (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
                return text.matches(of: #/```yaml\n(?<yaml>(?:(?!```)[\s\S])*?)```/#).map { String($0.output.yaml) }
                    .filter { text in
                        let first = text.split(separator: "\n").first { !$0.hasPrefix("#") } ?? ""
                        return text.contains("issuer:") && Keys.all.contains { first.hasPrefix($0.name + ":") }
                    }
            }
    }()

    @Test("the documentation's examples are right but for files and variables that are not here")
    func documentation() throws {
        #expect(Self.documented.count >= 3)
        for text in Self.documented {
            let wrong = try problems(text)
                .filter { !$0.contains("is not set") && !$0.contains("no such file") && !$0.contains("cannot be read") }
            #expect(wrong == [], "\(text)")
        }
    }

    /// The keys that the reader names where none is near an unknown one.
    private func known(_ text: String) throws -> [String] {
        let reported = try problems(text)
            .compactMap { $0.firstMatch(of: #/(?:unknown key “zzz”|none of the keys)[^;]*; known here: (.*)/#) }
        return reported.first.map { String($0.output.1).components(separatedBy: ", ") } ?? []
    }

    @Test("the reader uses exactly the keys of the table")
    func keys() throws {
        var count = 0
        func compare(_ keys: [ConfigurationKey], _ around: @escaping (String) -> String, besides: [String] = []) throws
        {
            count += 1
            let text = around(Self.mapping(keys, "zzz: 1"))
            #expect(Set(try known(text)) == Set(keys.map(\.name) + besides), "\(text)")
            for key in keys {
                let inner = { (value: String) in around(Self.mapping(keys, "\(key.name): \(value)", besides: key.name))
                }
                try compare(key.kind, inner)
            }
        }
        func compare(_ kind: ConfigurationKind, _ around: @escaping (String) -> String) throws {
            switch kind {
            case .mapping(let keys): try compare(keys, around)
            case .list(let element): try compare(element) { around("[\($0)]") }
            case .oneOrList(let element): try compare(element, around)
            case .oneOf(let mappings):
                for (index, keys) in mappings.enumerated() {
                    let others = mappings.enumerated().filter { $0.offset != index }.flatMap { $0.element.map(\.name) }
                    try compare(keys, around, besides: others)
                }
            case .pairs(_, let value): try compare(value) { around("{ code: \($0) }") }
            default: break
            }
        }
        try compare(Keys.all, { $0 }, besides: ["targets"])
        #expect(count == 23)
    }
}
