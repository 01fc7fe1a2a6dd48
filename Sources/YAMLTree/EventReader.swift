import CLibyaml

/// libyaml's events, one after the other, as Swift values: no C memory outlives a call.
struct EventReader: ~Copyable {
    struct Event {
        let kind: Kind
        let place: YAML.Place
        var anchor: String?
        var tag: String?

        /// Whether other nodes stand within the one that begins here.
        var opensNode: Bool {
            switch kind {
            case .sequenceStart, .mappingStart: true
            default: false
            }
        }
    }

    enum Kind {
        case documentStart
        case documentEnd
        case streamStart
        case streamEnd
        case alias(String)
        case scalar(String, YAML.Style)
        case sequenceStart
        case sequenceEnd
        case mappingStart
        case mappingEnd
    }

    /// On the heap, for libyaml keeps its address.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter bytes: UTF-8, without a byte order mark, and not empty; they must outlive the reader.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw YAMLError(reason: .outOfMemory, place: .start)
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
        self.parser = parser
        self.bytes = bytes
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// The next event; it must not be called after an error or the end of the stream.
    func next() throws(YAMLError) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw error() }
        defer { yaml_event_delete(&event) }
        let place = YAML.Place(event.start_mark)
        switch event.type {
        case YAML_STREAM_START_EVENT: return Event(kind: .streamStart, place: place)
        case YAML_DOCUMENT_START_EVENT: return Event(kind: .documentStart, place: place)
        case YAML_DOCUMENT_END_EVENT: return Event(kind: .documentEnd, place: place)
        case YAML_ALIAS_EVENT: return Event(kind: .alias(Self.text(event.data.alias.anchor) ?? ""), place: place)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            // An escape can put U+0000 into a text, so its length counts.
            let text = String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length),
                as: UTF8.self
            )
            return Event(
                kind: .scalar(text, YAML.Style(scalar.style)),
                place: place,
                anchor: Self.text(scalar.anchor),
                tag: Self.text(scalar.tag)
            )
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            return Event(
                kind: .sequenceStart,
                place: place,
                anchor: Self.text(start.anchor),
                tag: Self.text(start.tag)
            )
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            return Event(
                kind: .mappingStart,
                place: place,
                anchor: Self.text(start.anchor),
                tag: Self.text(start.tag)
            )
        case YAML_SEQUENCE_END_EVENT: return Event(kind: .sequenceEnd, place: place)
        case YAML_MAPPING_END_EVENT: return Event(kind: .mappingEnd, place: place)
        default: return Event(kind: .streamEnd, place: place)
        }
    }

    private static func text(_ characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        characters.map { String(cString: $0) }
    }

    private func error() -> YAMLError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
        switch parser.pointee.error {
        case YAML_MEMORY_ERROR: return YAMLError(reason: .outOfMemory, place: .start)
        // The byte reader has no lines: it reports the number of bytes before the invalid one.
        case YAML_READER_ERROR:
            let before = bytes.prefix(parser.pointee.problem_offset)
            return YAMLError(reason: .syntax(problem), place: .end(of: before))
        // At the end of a text that ends within a line libyaml begins another one, which is not there.
        default:
            let place = min(YAML.Place(parser.pointee.problem_mark), .end(of: bytes))
            return YAMLError(reason: .syntax(problem), place: place)
        }
    }
}

extension YAML.Place {
    static let start = YAML.Place(line: 1, column: 1)

    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: mark.line + 1, column: mark.column + 1)
    }

    /// The place after these bytes, which are UTF-8.
    package static func end(of bytes: some Collection<UInt8>) -> YAML.Place {
        var (line, column) = (1, 1)
        var previous: Unicode.Scalar?
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": (line, column) = (line + 1, 1)
            default: column += 1
            }
            previous = scalar
        }
        return YAML.Place(line: line, column: column)
    }
}

extension YAML.Style {
    fileprivate init(_ style: yaml_scalar_style_t) {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: self = .literal
        case YAML_FOLDED_SCALAR_STYLE: self = .folded
        default: self = .plain
        }
    }
}
