/// A selector of the small subset of CSS that works on a page without a browser (Selectors Level 4).
///
/// Elements, `*`, `#id`, `.class` and attributes, nested (a space) or as children (`>`).
package struct CSSSelector: Sendable, Hashable {
    /// The selector as it was written.
    package let text: String
    let compounds: [Compound]

    /// The supported syntax, for messages.
    package static let understood =
        "an element, #id, .class, [name], [name=value] (also ~=, ^=, $=, *=), nested with a space or >"

    private static let mostCompounds = 16
    private static let longest = 500

    package struct Mistake: Error, Hashable {
        package let reason: String
    }

    /// The conditions on one element.
    struct Compound: Sendable, Hashable {
        var element: String?
        var attributes: [Attribute] = []
        /// Whether the element before it must be its parent, not only an ancestor.
        var isChild = false

        var isEmpty: Bool { element == nil && attributes.isEmpty }
    }

    struct Attribute: Sendable, Hashable {
        enum Comparison: String, Sendable, Hashable {
            case present = ""
            case equals = "="
            case hasWord = "~="
            case begins = "^="
            case ends = "$="
            case contains = "*="
        }

        var name: String
        var comparison: Comparison
        var value: String

        /// Whether an attribute meets the condition; a missing attribute never does, and an empty text is never a prefix.
        func isMet(by text: String?) -> Bool {
            guard let text else { return false }
            switch comparison {
            case .present: return true
            case .equals: return text == value
            case .hasWord: return text.split(whereSeparator: \.isWhitespace).contains(Substring(value))
            case .begins: return !value.isEmpty && text.hasPrefix(value)
            case .ends: return !value.isEmpty && text.hasSuffix(value)
            case .contains: return !value.isEmpty && text.contains(value)
            }
        }
    }

    package init(_ text: String) throws(Mistake) {
        self.text = text
        guard text.count <= Self.longest else {
            throw Mistake(reason: "it is longer than \(Self.longest) characters")
        }
        var reader = Reader(rest: text[...])
        compounds = try reader.compounds()
        guard compounds.count <= Self.mostCompounds else {
            throw Mistake(reason: "it names more than \(Self.mostCompounds) nested elements")
        }
    }

    private struct Reader {
        var rest: Substring

        mutating func compounds() throws(Mistake) -> [Compound] {
            var found: [Compound] = []
            var isChild = false
            skipBlanks()
            while true {
                var compound = try self.compound()
                guard !compound.isEmpty else {
                    guard let sign = rest.first else {
                        throw Mistake(reason: found.isEmpty ? "it is empty" : "nothing follows the last sign")
                    }
                    throw Self.mistake(about: sign)
                }
                compound.isChild = isChild
                found.append(compound)
                let hadBlank = skipBlanks()
                guard let sign = rest.first else { return found }
                isChild = sign == ">"
                if isChild {
                    rest.removeFirst()
                    skipBlanks()
                } else if !hadBlank {
                    throw Self.mistake(about: sign)
                }
            }
        }

        private mutating func compound() throws(Mistake) -> Compound {
            var compound = Compound()
            if rest.first == "*" {
                rest.removeFirst()
                compound.element = "*"
            } else if let name = name() {
                compound.element = name.lowercased()
            }
            while let sign = rest.first, "#.[".contains(sign) {
                rest.removeFirst()
                if sign == "[" {
                    compound.attributes.append(try attribute())
                    continue
                }
                guard let name = name() else { throw Mistake(reason: "a name must follow “\(sign)”") }
                compound.attributes.append(
                    Attribute(
                        name: sign == "#" ? "id" : "class",
                        comparison: sign == "#" ? .equals : .hasWord,
                        value: name
                    )
                )
            }
            return compound
        }

        private mutating func attribute() throws(Mistake) -> Attribute {
            skipBlanks()
            guard let name = name()?.lowercased() else { throw Mistake(reason: "a name must follow “[”") }
            skipBlanks()
            if rest.first == "]" {
                rest.removeFirst()
                return Attribute(name: name, comparison: .present, value: "")
            }
            guard !rest.isEmpty else { throw Mistake(reason: "“[” is not closed") }
            let sign = String(rest.prefix { $0 != "=" }) + "="
            guard sign.count <= 2, rest.contains("="), let comparison = Attribute.Comparison(rawValue: sign) else {
                throw Mistake(reason: "“\(rest.prefix(2))” is not an attribute operator")
            }
            rest = rest.dropFirst(sign.count)
            skipBlanks()
            let value: String
            if let quote = rest.first, quote == "\"" || quote == "'" {
                rest.removeFirst()
                guard let end = rest.firstIndex(of: quote) else {
                    throw Mistake(reason: "a quotation mark is not closed")
                }
                value = String(rest[..<end])
                rest = rest[rest.index(after: end)...]
            } else {
                value = String(rest.prefix { $0 != "]" && !$0.isWhitespace })
                rest = rest.dropFirst(value.count)
            }
            skipBlanks()
            guard rest.first == "]" else { throw Mistake(reason: "“[” is not closed") }
            rest.removeFirst()
            return Attribute(name: name, comparison: comparison, value: value)
        }

        private mutating func name() -> String? {
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            rest = rest.dropFirst(name.count)
            return name.isEmpty ? nil : String(name)
        }

        @discardableResult
        private mutating func skipBlanks() -> Bool {
            let count = rest.count
            rest = rest.drop(while: \.isWhitespace)
            return rest.count < count
        }

        private static func mistake(about sign: Character) -> Mistake {
            Mistake(reason: "“\(sign)” is not supported there")
        }
    }
}

/// Which selectors each element of a page matches, computed in one pass over the page.
///
/// The work per element grows with the selectors only, not with the page.
struct SelectorWalk {
    let selectors: [CSSSelector]
    /// For each open element and each selector, how many of its compounds match.
    private var open: [[Match]] = []

    private struct Match {
        /// Bit i: the compounds up to the i-th match, the last one at this element.
        var here: UInt32 = 0
        /// The same for any ancestor.
        var around: UInt32 = 0
    }

    init(_ selectors: [CSSSelector]) {
        self.selectors = selectors
    }

    /// Enters an element, and returns the selectors that it matches.
    mutating func enter(_ element: String, attribute: (String) -> String?) -> Set<CSSSelector> {
        guard !selectors.isEmpty else { return [] }
        var states: [Match] = []
        var met: Set<CSSSelector> = []
        for (place, selector) in selectors.enumerated() {
            let parent = open.last?[place] ?? Match()
            var state = Match(here: 0, around: parent.around | parent.here)
            for (index, compound) in selector.compounds.enumerated() {
                let isInPlace =
                    index == 0 || ((compound.isChild ? parent.here : state.around) & (1 << UInt32(index - 1))) != 0
                guard isInPlace, compound.element.map({ $0 == "*" || $0 == element }) ?? true,
                    compound.attributes.allSatisfy({ $0.isMet(by: attribute($0.name)) })
                else { continue }
                state.here |= 1 << UInt32(index)
            }
            if state.here & (1 << UInt32(selector.compounds.count - 1)) != 0 { met.insert(selector) }
            states.append(state)
        }
        open.append(states)
        return met
    }

    /// Leaves the element that was entered last.
    mutating func leave() {
        if !open.isEmpty { open.removeLast() }
    }
}
