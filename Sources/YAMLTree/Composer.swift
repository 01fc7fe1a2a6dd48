/// Makes the tree from the events, within the limits.
struct Composer: ~Copyable {
    private typealias Event = EventReader.Event

    private let events: EventReader
    private let limits: YAML.Limits
    /// How many nodes the tree has so far.
    private var count = 0
    private var anchors: [String: Anchor] = [:]

    /// The node of an anchor.
    private struct Anchor {
        let place: YAML.Place
        /// `nil` while the node is being read.
        var node: Measured?
    }

    /// A node with its size, for aliases to count.
    private struct Measured {
        let node: YAML
        let size: Size
    }

    private struct Size {
        /// How many nodes it is, itself included.
        var count = 1
        /// How deep sequences and mappings nest in it, itself included.
        var depth: Int
    }

    init(_ events: consuming EventReader, limits: YAML.Limits) {
        self.events = events
        self.limits = limits
    }

    /// The root of the only document.
    mutating func document() throws(YAMLError) -> YAML {
        var root: YAML?
        while true {
            let event = try events.next()
            switch event.kind {
            case .documentStart:
                guard root == nil else { throw YAMLError(reason: .secondDocument, place: event.place) }
                root = try node(try events.next(), within: 0).node
            case .streamEnd:
                guard let root else { throw YAMLError(reason: .empty, place: event.place) }
                return root
            default: break
            }
        }
    }

    /// The node that begins with the event.
    ///
    /// - Parameter depth: In how many sequences and mappings it stands; that bounds the recursion.
    private mutating func node(_ event: Event, within depth: Int) throws(YAMLError) -> Measured {
        if case .alias(let name) = event.kind { return try alias(name, event.place, within: depth) }
        try add(1, event.place)
        if event.opensNode, depth >= limits.depth {
            throw YAMLError(reason: .tooDeep(limit: limits.depth), place: event.place)
        }
        if let anchor = event.anchor { anchors[anchor] = Anchor(place: event.place) }
        var size = Size(depth: event.opensNode ? 1 : 0)
        let content: YAML.Content
        switch event.kind {
        case .sequenceStart:
            _ = try tag(of: event, among: [.seq])
            content = .sequence(try sequence(&size, within: depth + 1))
        case .mappingStart:
            _ = try tag(of: event, among: [.map])
            content = .mapping(try mapping(&size, within: depth + 1))
        case .scalar(let text, let style):
            let tag = try tag(of: event, among: [.str, .null, .bool, .int, .float])
            content = .scalar(YAML.Scalar(text: text, style: style, tag: tag))
        default: throw YAMLError(reason: .syntax("a value is missing"), place: event.place)
        }
        let result = Measured(node: YAML(content: content, place: event.place), size: size)
        // The name may have been given again within; an alias means the last node that began with it.
        if let anchor = event.anchor, anchors[anchor]?.place == event.place { anchors[anchor]?.node = result }
        return result
    }

    private mutating func sequence(_ size: inout Size, within depth: Int) throws(YAMLError) -> [YAML] {
        var elements: [YAML] = []
        while true {
            let event = try events.next()
            if case .sequenceEnd = event.kind { return elements }
            elements.append(try child(event, &size, within: depth))
        }
    }

    private mutating func mapping(_ size: inout Size, within depth: Int) throws(YAMLError) -> [YAML.Entry] {
        var entries: [YAML.Entry] = []
        var places: [KeyIdentity: YAML.Place] = [:]
        while true {
            let event = try events.next()
            if case .mappingEnd = event.kind { return entries }
            let key = try child(event, &size, within: depth)
            if let scalar = key.scalar, scalar.text == "<<", !scalar.isText {
                throw YAMLError(reason: .mergeKey, place: event.place)
            }
            if let first = places.updateValue(event.place, forKey: KeyIdentity(key)) {
                throw YAMLError(reason: .duplicateKey(key.scalar?.text ?? "…", first: first), place: event.place)
            }
            let value = try child(try events.next(), &size, within: depth)
            entries.append(YAML.Entry(key: key, value: value))
        }
    }

    /// A node within a sequence or mapping, which grows by it.
    private mutating func child(_ event: Event, _ parent: inout Size, within depth: Int) throws(YAMLError) -> YAML {
        let child = try node(event, within: depth)
        parent.count += child.size.count
        parent.depth = max(parent.depth, child.size.depth + 1)
        return child.node
    }

    // MARK: Anchors, aliases, tags

    private mutating func alias(
        _ name: String,
        _ place: YAML.Place,
        within depth: Int
    ) throws(YAMLError) -> Measured {
        guard let anchor = anchors[name] else { throw YAMLError(reason: .unknownAlias(name), place: place) }
        guard let node = anchor.node else {
            throw YAMLError(reason: .endlessAlias(name, anchor: anchor.place), place: place)
        }
        try add(node.size.count, place)
        guard depth + node.size.depth <= limits.depth else {
            throw YAMLError(reason: .tooDeep(limit: limits.depth), place: place)
        }
        return node
    }

    private mutating func add(_ nodes: Int, _ place: YAML.Place) throws(YAMLError) {
        count += nodes
        guard count <= limits.nodes else { throw YAMLError(reason: .tooManyNodes(limit: limits.nodes), place: place) }
    }

    private func tag(of event: Event, among fitting: [YAML.Tag]) throws(YAMLError) -> YAML.Tag? {
        guard let text = event.tag else { return nil }
        let name = text.hasPrefix(YAML.Tag.namespace) ? text.dropFirst(YAML.Tag.namespace.count) : nil
        guard let tag = name.flatMap({ YAML.Tag(rawValue: String($0)) }) else {
            let short = name.map { "!!\($0)" } ?? (text.hasPrefix("!") ? text : "!<\(text)>")
            throw YAMLError(reason: .foreignTag(short), place: event.place)
        }
        guard fitting.contains(tag) else { throw YAMLError(reason: .misplacedTag("!!\(tag)"), place: event.place) }
        return tag
    }
}

/// The identity of a key: its content, code point by code point, however it is written.
private indirect enum KeyIdentity: Hashable {
    case scalar([UInt8])
    case sequence([KeyIdentity])
    case mapping([KeyIdentity: KeyIdentity])

    init(_ key: YAML) {
        switch key.content {
        case .scalar(let scalar): self = .scalar(Array(scalar.text.utf8))
        case .sequence(let elements): self = .sequence(elements.map { KeyIdentity($0) })
        case .mapping(let entries):
            self = .mapping(
                Dictionary(uniqueKeysWithValues: entries.map { (KeyIdentity($0.key), KeyIdentity($0.value)) })
            )
        }
    }
}
