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

    /// Takes the members in order; of several with one name the last value wins, at the place of the first.
    package init(_ members: [Member] = []) {
        self.members = []
        self.members.reserveCapacity(members.count)
        // Most objects are small, and looking through a few names is cheaper than hashing them.
        if members.count <= 24 {
            for member in members { self[member.name] = member.value }
            return
        }
        var places: [[UInt8]: Int] = [:]
        for member in members {
            let key = Array(member.name.utf8)
            if let place = places[key] {
                self.members[place].value = member.value
            } else {
                places[key] = self.members.count
                self.members.append(member)
            }
        }
    }

    /// Takes members whose names are known to differ.
    init(distinct members: [Member]) {
        self.members = members
    }

    /// The value of a member; setting keeps its place or appends, setting nil removes it.
    package subscript(name: String) -> JSON? {
        get { place(of: name).map { members[$0].value } }
        set {
            switch (place(of: name), newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(name: name, value: value))
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
        members.firstIndex { $0.name.isIdenticalText(to: name) }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
