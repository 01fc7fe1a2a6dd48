internal import Conformance
internal import JSONTree
internal import Profiles

/// The JSON Schema of `preflight.yaml`, for completion and validation in editors.
///
/// JSON Schema draft-07, because yaml-language-server supports later drafts only in part. It is generated from ``Keys``, which the
/// reader uses too. `config check` validates the rest, such as variables that must be set.
package enum ConfigurationSchema {
    /// Its file, from the root of the repository.
    package static let path = "preflight.schema.json"

    /// The address in the first line of a file from `init`.
    package static let address = Publication.content(of: path)

    /// Indented by two spaces, with a final line feed.
    package static var text: String { root.serialized(pretty: true) + "\n" }

    private static var root: JSONObject {
        let properties = (Keys.all + [Keys.targets])
            .map { key in
                key.name == Keys.targets.name ? targets : member(key, .common)
            }
        return [
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$id": .string(address),
            "title": "Configuration of oidc-preflight",
            "description": "The issuer, the registered client, and how a test user signs in.",
            "type": "object",
            "properties": .object(JSONObject(properties)),
            "additionalProperties": false,
            // With targets, required keys may be in a target or in the common part.
            "if": ["not": ["required": [.string(Keys.targets.name)]]],
            "then": .object(demands(Keys.all) ?? [:]),
            "definitions": [
                "variable": variable,
                "secret": secret,
                "check": .object(word(Keys.Waiver.check)),
                "target": .object(mapping(Keys.all, .part)),
            ],
        ]
    }

    private static var targets: JSONObject.Member {
        let schema: JSON = [
            "description": .string(Keys.targets.help),
            "type": "object",
            "minProperties": 1,
            "propertyNames": ["pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$", "maxLength": 60],
            "additionalProperties": ["anyOf": [["$ref": "#/definitions/target"], ["type": "null"]]],
        ]
        return JSONObject.Member(name: Keys.targets.name, value: schema)
    }

    private static let variablePattern = "\\$\\{\(VariableText.namePattern)(:-[^}]*)?\\}"

    private static var variable: JSON {
        [
            "description":
                "${NAME} is replaced by an environment variable, ${NAME:-text} by the text if the variable is not set.",
            "type": "string",
            "pattern": .string(variablePattern),
        ]
    }

    /// A source of a secret, never the secret itself.
    private static var secret: JSON {
        let source = { (key: ConfigurationKey) -> JSON in
            let properties = JSONObject([member(key, .common)])
            return [
                "type": "object", "properties": .object(properties), "required": [.string(key.name)],
                "additionalProperties": false,
            ]
        }
        return [
            "anyOf": [
                source(Keys.Secret.env), source(Keys.Secret.file),
                ["type": "string", "pattern": .string("^\\$\\{\(VariableText.namePattern)\\}$")],
            ]
        ]
    }

    // MARK: Keys

    /// The position of a mapping, which determines whether required keys must be in it.
    private enum Mode {
        /// At the top level, where targets may add missing keys; ``demands(_:)`` adds the requirements without targets.
        case common
        /// In a target, which may also remove common values.
        case part
        /// In a list, which is never merged.
        case whole
    }

    private static func member(_ key: ConfigurationKey, _ mode: Mode) -> JSONObject.Member {
        let schema = key.name == Keys.Waiver.check.name ? ["$ref": "#/definitions/check"] : schema(key.kind, mode)
        let help: JSONObject = ["description": .string(key.help)]
        // A target may remove a common value.
        let whole: JSONObject = mode == .part ? ["anyOf": [.object(schema), ["type": "null"]]] : wrapped(schema)
        return JSONObject.Member(name: key.name, value: .object(help.merging(whole)))
    }

    /// Draft-07 ignores siblings of a reference.
    private static func wrapped(_ schema: JSONObject) -> JSONObject {
        schema.has("$ref") ? ["allOf": [.object(schema)]] : schema
    }

    private static func word(_ key: ConfigurationKey) -> JSONObject { schema(key.kind, .whole) }

    private static func mapping(_ keys: [ConfigurationKey], _ mode: Mode) -> JSONObject {
        let schema: JSONObject = [
            "type": "object",
            "properties": .object(JSONObject(keys.map { member($0, mode) })),
            "additionalProperties": false,
        ]
        let required = keys.filter(\.isRequired).map { JSON.string($0.name) }
        return mode == .whole && !required.isEmpty ? schema.merging(["required": .array(required)]) : schema
    }

    /// The required keys, recursively; `nil` for none.
    private static func demands(_ keys: [ConfigurationKey]) -> JSONObject? {
        let required = keys.filter { $0.isRequired && $0.waiver == nil }.map { JSON.string($0.name) }
        let waived = keys.filter(\.isRequired).compactMap(Self.waived)
        let inner = keys.compactMap { key -> JSONObject.Member? in
            guard let demands = demands(key.kind) else { return nil }
            return JSONObject.Member(name: key.name, value: .object(demands))
        }
        if required.isEmpty, waived.isEmpty, inner.isEmpty { return nil }
        var schema: JSONObject = required.isEmpty ? [:] : ["required": .array(required)]
        if !waived.isEmpty { schema = schema.merging(["allOf": .array(waived)]) }
        if !inner.isEmpty { schema = schema.merging(["properties": .object(JSONObject(inner))]) }
        return schema
    }

    /// Requires a key, or the sibling that makes it optional; the value of a variable is unknown.
    private static func waived(_ key: ConfigurationKey) -> JSON? {
        guard let waiver = key.waiver else { return nil }
        let value: JSON = ["anyOf": [["const": .string(waiver.value)], ["$ref": "#/definitions/variable"]]]
        return [
            "anyOf": [
                ["required": [.string(key.name)]],
                [
                    "required": [.string(waiver.key)],
                    "properties": .object(JSONObject([.init(name: waiver.key, value: value)])),
                ],
            ]
        ]
    }

    private static func demands(_ kind: ConfigurationKind) -> JSONObject? {
        switch kind {
        case .mapping(let keys): demands(keys)
        case .pairs(_, let value): demands(value).map { ["additionalProperties": .object($0)] }
        default: nil
        }
    }

    // MARK: Values

    private static func schema(_ kind: ConfigurationKind, _ mode: Mode) -> JSONObject {
        switch kind {
        case .text(nil, let examples):
            return texts.merging(self.examples(examples))
        case .text(let pattern?, let examples):
            let written: JSONObject = ["type": "string", "pattern": .string(pattern)]
            return any([written.merging(self.examples(examples))])
        case .word(let words, let others):
            let offered: JSONObject = ["enum": .array(words.map(JSON.string))]
            return any(others.isEmpty ? [offered] : [offered, ["enum": .array(others.map(JSON.string))]])
        case .boolean: return any([["type": "boolean"], ["enum": ["true", "false"]]])
        case .number(let least):
            return any([["type": "number", "minimum": .real(least)], ["type": "string", "pattern": "^[0-9.]+$"]])
        case .wholeNumber(let range):
            let bounds: JSONObject = [
                "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                "maximum": .integer(Int64(range.upperBound)),
            ]
            return any([bounds, ["type": "string", "pattern": .string(digits(range))]])
        case .duration:
            let written: JSONObject = ["type": "string", "pattern": "^[0-9.]+(s|ms)?$", "examples": ["10s", "1500ms"]]
            return any([written, ["type": "number", "minimum": 0]])
        case .secret: return ["$ref": "#/definitions/secret"]
        case .list(let element): return ["type": "array", "items": .object(schema(element, .whole))]
        case .oneOrList(let element):
            return [
                "anyOf": [
                    .object(schema(element, .whole)), ["type": "array", "items": .object(schema(element, .whole))],
                ]
            ]
        case .either(let one, let other):
            return ["anyOf": [.object(schema(one, mode)), .object(schema(other, mode))]]
        case .mapping(let keys): return mapping(keys, mode)
        case .oneOf(let mappings): return ["anyOf": .array(mappings.map { .object(mapping($0, .whole)) })]
        case .pairs(let names, let value):
            let inner = schema(value, mode)
            let values: JSON = mode == .part ? ["anyOf": [.object(inner), ["type": "null"]]] : .object(inner)
            let any: JSONObject = ["type": "object", "additionalProperties": values]
            return isAnyText(names) ? any : any.merging(["propertyNames": .object(schema(names, .whole))])
        case .json: return ["type": ["object", "array"]]
        }
    }

    /// A pattern for the numbers of a short range; any digits for a long one.
    private static func digits(_ range: ClosedRange<Int>) -> String {
        guard range.count <= 1_000 else { return "^[0-9]+$" }
        var ends: [(tens: Int, last: [Int])] = []
        for number in range {
            if ends.last?.tens == number / 10 {
                ends[ends.count - 1].last.append(number % 10)
            } else {
                ends.append((number / 10, [number % 10]))
            }
        }
        let parts = ends.map { tens, last in
            (tens > 0 ? "\(tens)" : "") + "[\(last.first ?? 0)-\(last.last ?? 9)]"
        }
        return "^(?:\(parts.joined(separator: "|")))$"
    }

    /// The types that the reader accepts as text.
    private static let texts: JSONObject = ["type": ["string", "number", "boolean"]]

    private static func examples(_ words: [String]) -> JSONObject {
        words.isEmpty ? [:] : ["examples": .array(words.map(JSON.string))]
    }

    /// One of these, or a variable.
    private static func any(_ schemas: [JSONObject]) -> JSONObject {
        ["anyOf": .array(schemas.map { .object($0) } + [["$ref": "#/definitions/variable"]])]
    }

    private static func isAnyText(_ kind: ConfigurationKind) -> Bool {
        if case .text(nil, _) = kind { true } else { false }
    }
}
