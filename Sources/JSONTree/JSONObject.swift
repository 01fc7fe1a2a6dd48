/// The members of a JSON object in their order, at most one for each name.
///
/// Equality regards the order: two objects with the same members in another order are two texts.
package struct JSONObject: Sendable, Hashable {
    /// One name and its value.
    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: JSON

        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }

        package static func == (left: Member, right: Member) -> Bool {
            left.name.isIdenticalText(to: right.name) && left.value == right.value
        }
    }

    package private(set) var members: [Member]
    /// The position of each name; `nil` if there are few, since searching these is cheaper than hashing them.
    private var places: [[UInt8]: Int]?

    private static let few = 24

    /// Takes the members in order; of several with one name the last value wins, at the place of the first.
    package init(_ members: [Member] = []) {
        self.members = []
        self.members.reserveCapacity(members.count)
        for member in members { self[member.name] = member.value }
    }

    /// Takes members whose names are known to differ.
    init(distinct members: [Member]) {
        self.members = members
        index()
    }

    /// The value of a member; setting keeps its place or appends, setting nil removes it.
    package subscript(name: String) -> JSON? {
        get { place(of: name).map { members[$0].value } }
        set {
            switch (place(of: name), newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil):
                members.remove(at: place)
                index()
            case (nil, let value?):
                members.append(Member(name: name, value: value))
                if places == nil { index() } else { places?[Array(name.utf8)] = members.count - 1 }
            case (nil, nil): break
            }
        }
    }

    package var names: [String] { members.map(\.name) }
    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }

    package func has(_ name: String) -> Bool { place(of: name) != nil }

    /// These members, then those of the other; the other's values win.
    package func merging(_ other: JSONObject) -> JSONObject { JSONObject(members + other.members) }

    private func place(of name: String) -> Int? {
        guard let places else { return members.firstIndex { $0.name.isIdenticalText(to: name) } }
        return places[Array(name.utf8)]
    }

    private mutating func index() {
        guard members.count > Self.few else {
            places = nil
            return
        }
        places = Dictionary(
            members.enumerated().map { (Array($0.element.name.utf8), $0.offset) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    package static func == (left: JSONObject, right: JSONObject) -> Bool { left.members == right.members }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(members)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
