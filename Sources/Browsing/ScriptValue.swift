import JSONTree

/// Values on their way into a script and out of it, as WebDriver BiDi writes them (section 7.6.2, script.LocalValue and
/// script.RemoteValue); elements are references.
enum ScriptValue {
    static func sent(_ value: JSON) -> JSON {
        switch value {
        case .null: ["type": "null"]
        case .bool: ["type": "boolean", "value": value]
        case .integer, .bigInteger, .real: ["type": "number", "value": value]
        case .string: ["type": "string", "value": value]
        case .array(let items): ["type": "array", "value": .array(items.map(sent))]
        case .object(let object):
            if let reference = value[ElementReference.key] {
                ["sharedId": reference]
            } else {
                [
                    "type": "object",
                    "value": .array(object.members.map { .array([.string($0.name), sent($0.value)]) }),
                ]
            }
        }
    }

    static func received(_ value: JSON) -> JSON {
        switch value["type"]?.stringValue {
        case "string", "boolean", "number": value["value"] ?? .null
        case "array": .array((value["value"]?.arrayValue ?? []).map(received))
        case "node":
            value["sharedId"].map { .object(JSONObject([.init(name: ElementReference.key, value: $0)])) } ?? .null
        default: .null
        }
    }
}
