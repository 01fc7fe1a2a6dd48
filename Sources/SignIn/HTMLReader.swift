import CLibxml2

/// Reads pages with libxml2's HTML parser, which repairs broken markup, into `HTMLPage`.
///
/// The parser fetches nothing, and bounds the depth of a page by itself. The walk below does not recurse.
package enum HTMLReader {
    /// Reads a page from its bytes; an encoding that HTTP names wins over the page's own.
    ///
    /// A page of more than 1 MiB, and what is in excess of 200 attributes in a tag or of 50,000 tags, is not read.
    ///
    /// - Parameter selectors: The elements to mark in ``HTMLPage/met`` and ``HTMLControl/met``.
    package static func read(
        _ page: [UInt8],
        charset: String? = nil,
        selectors: [CSSSelector] = []
    ) -> HTMLPage {
        let bytes = HTMLTrimming.trimmed(page)
        // The library would print its encoding messages, whatever the options; the setting is this thread's.
        xmlSetStructuredErrorFunc(nil) { _, _ in }
        // Without any hint the parser takes Latin-1; today's pages are UTF-8.
        let encoding = charset ?? (String(validating: bytes, as: UTF8.self) == nil ? nil : "UTF-8")
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue
        let document = bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return htmlReadMemory(start, Int32(buffer.count), nil, encoding, Int32(options))
        }
        guard let document else { return HTMLPage() }
        defer { xmlFreeDoc(document) }
        var walk = HTMLWalk(selectors)
        walk.visit(xmlDocGetRootElement(document))
        return walk.finished()
    }
}

/// One pass over the parsed page.
private struct HTMLWalk {
    private typealias Node = UnsafeMutablePointer<_xmlNode>

    private var page = HTMLPage()
    private var text = ""
    private var textBesideNoScript = ""
    private var openNoScripts = 0
    private var labels: [(target: String, text: String)] = []
    /// Controls whose `form` attribute names a form, which may come later in the page.
    private var strays: [(form: String, control: HTMLControl)] = []
    private var openForm: Int?
    private var selectors: SelectorWalk

    init(_ selectors: [CSSSelector]) {
        self.selectors = SelectorWalk(selectors)
    }

    /// Walks the tree in document order, and reports each element's begin and end.
    mutating func visit(_ root: UnsafeMutablePointer<_xmlNode>?) {
        guard let root else { return }
        var node = root
        while true {
            var descends = begin(node)
            if node.pointee.children == nil { descends = false }
            if descends, let child = node.pointee.children {
                node = child
                continue
            }
            end(node)
            while node.pointee.next == nil {
                guard node != root, let parent = node.pointee.parent, parent.pointee.type == XML_ELEMENT_NODE else {
                    return
                }
                node = parent
                end(node)
            }
            guard node != root, let next = node.pointee.next else { return }
            node = next
        }
    }

    mutating func finished() -> HTMLPage {
        for (identifier, control) in strays {
            if let index = page.forms.firstIndex(where: { $0.identifier == identifier }) {
                page.forms[index].controls.append(control)
            }
        }
        for label in labels where !label.target.isEmpty {
            for form in page.forms.indices {
                for index in page.forms[form].controls.indices
                where page.forms[form].controls[index].identifier == label.target
                    && page.forms[form].controls[index].label.isEmpty
                {
                    page.forms[form].controls[index].label = label.text
                }
            }
        }
        page.text = Self.collapsed(text)
        page.textBesideNoScript = Self.collapsed(textBesideNoScript)
        return page
    }

    /// Takes a node in; false when its children are of no interest.
    private mutating func begin(_ node: Node) -> Bool {
        if node.pointee.type == XML_TEXT_NODE {
            text += Self.characters(node)
            if openNoScripts == 0 { textBesideNoScript += Self.characters(node) }
            return false
        }
        guard node.pointee.type == XML_ELEMENT_NODE else { return false }
        let name = Self.name(node)
        let met = selectors.enter(name) { Self.attribute($0, of: node) }
        page.met.formUnion(met)
        if name.contains("-") { page.customNames.insert(name) }
        var attribute = node.pointee.properties
        while let current = attribute {
            let name = String(cString: current.pointee.name)
            if name.contains("-"), !name.hasPrefix("data-"), !name.hasPrefix("aria-") { page.customNames.insert(name) }
            attribute = current.pointee.next
        }
        if Self.isCaptcha(node, name) { page.hasCaptcha = true }
        if Self.isOfBotWall(node, name) { page.isOfBotWall = true }
        switch name {
        case "script":
            page.hasScript = true
            if page.scripts.count < Self.mostScripts { page.scripts.append(Self.script(node)) }
            return false
        case "style", "template": return false
        case "title":
            page.title = Self.collapsed(Self.content(node))
            return false
        case "base": page.baseReference = page.baseReference ?? Self.attribute("href", of: node)
        case "meta": takeMeta(node)
        case "body": page.onload = Self.attribute("onload", of: node)
        case "noscript":
            openNoScripts += 1
            takeNoScript(node)
        case "form":
            openForm = page.forms.count
            page.forms.append(Self.form(node))
        case "a": addLink(node)
        case "label":
            labels.append((Self.attribute("for", of: node) ?? "", Self.collapsed(Self.content(node))))
        case "input", "select", "textarea", "button":
            add(Self.control(node, name: name), met, of: node)
            if name == "button" { text += " " + Self.content(node) + " " }
            return false
        case "br", "p", "div", "li", "td", "tr", "h1", "h2", "h3", "h4": text += " "
        default: break
        }
        if Self.isAlert(node) {
            let alert = Self.collapsed(Self.content(node)).bounded(200)
            if !alert.isEmpty, page.alerts.count < 5, !page.alerts.contains(alert) { page.alerts.append(alert) }
        }
        return true
    }

    private mutating func end(_ node: Node) {
        guard node.pointee.type == XML_ELEMENT_NODE else { return }
        selectors.leave()
        text += " "
        if openNoScripts == 0 { textBesideNoScript += " " }
        if Self.name(node) == "form" { openForm = nil }
        if Self.name(node) == "noscript" { openNoScripts -= 1 }
    }

    /// A link's script is not evaluated.
    private mutating func addLink(_ node: Node) {
        guard page.links.count < Self.mostLinks, let reference = Self.attribute("href", of: node),
            !reference.isEmpty, !reference.hasPrefix("#"), !reference.lowercased().hasPrefix("javascript:")
        else { return }
        let element = Self.attribute("data-preflight-element", of: node).flatMap { Int($0) }
        let words = Self.collapsed(Self.content(node)).bounded(200)
        page.links.append(HTMLLink(reference: reference, words: words, element: element))
    }

    /// A choice among accounts has few.
    private static let mostLinks = 200

    private mutating func add(_ control: HTMLControl, _ met: Set<CSSSelector>, of node: Node) {
        var control = control
        control.met = met
        if control.label.isEmpty, let label = Self.ancestor("label", of: node) {
            control.label = Self.collapsed(Self.content(label))
        }
        if let owner = Self.attribute("form", of: node) {
            strays.append((owner, control))
        } else if let openForm {
            page.forms[openForm].controls.append(control)
        }
    }

    /// More are of no interest: the first that may run decides.
    private static let mostScripts = 100

    private mutating func takeMeta(_ node: Node) {
        // Browsers read a policy in the head alone (HTML Standard, Content security policy state).
        if Self.attribute("http-equiv", of: node)?.lowercased() == "content-security-policy",
            Self.ancestor("body", of: node) == nil, let policy = Self.attribute("content", of: node)
        {
            page.policies.append(policy)
        }
        guard Self.attribute("http-equiv", of: node)?.lowercased() == "refresh",
            Self.ancestor("noscript", of: node) == nil
        else {
            return
        }
        page.refresh = page.refresh ?? Self.attribute("content", of: node).flatMap { HTMLPage.Refresh($0) }
    }

    /// Pages that need JavaScript say so in `noscript`, or lead away from there.
    private mutating func takeNoScript(_ node: Node) {
        let words = Self.content(node).lowercased()
        let leadsAway = Self.descendants(node)
            .contains { child in
                Self.name(child) == "meta" && Self.attribute("http-equiv", of: child)?.lowercased() == "refresh"
            }
        let mentions = words.contains("javascript") || words.contains("java script")
        if leadsAway || mentions { page.requestsScript = true }
    }
}

extension HTMLWalk {
    private static func script(_ node: Node) -> HTMLScript {
        HTMLScript(nonce: attribute("nonce", of: node), reference: attribute("src", of: node), code: content(node))
    }

    private static func form(_ node: Node) -> HTMLForm {
        var form = HTMLForm()
        form.identifier = attribute("id", of: node) ?? ""
        form.action = trimmed(attribute("action", of: node) ?? "")
        form.method = attribute("method", of: node)?.lowercased() == "post" ? "POST" : "GET"
        if attribute("enctype", of: node)?.lowercased() == "multipart/form-data" {
            form.encoding = "multipart/form-data"
        }
        return form
    }

    private static let inputTypes: Set<String> = [
        "hidden", "text", "search", "tel", "url", "email", "password", "date", "month", "week", "time",
        "datetime-local", "number", "range", "color", "checkbox", "radio", "file", "submit", "image", "reset", "button",
    ]

    private static func control(_ node: Node, name element: String) -> HTMLControl {
        var control = HTMLControl()
        control.identifier = attribute("id", of: node) ?? ""
        control.name = attribute("name", of: node) ?? ""
        control.value = attribute("value", of: node) ?? ""
        control.autocomplete = attribute("autocomplete", of: node)?.lowercased() ?? ""
        control.placeholder = attribute("placeholder", of: node) ?? ""
        control.inputMode = attribute("inputmode", of: node)?.lowercased() ?? ""
        control.maxLength = attribute("maxlength", of: node).flatMap { Int($0) }
        control.pattern = (attribute("pattern", of: node) ?? "").bounded(100)
        control.accessibleName = attribute("aria-label", of: node) ?? ""
        control.isDisabled =
            attribute("disabled", of: node) != nil || ancestor("fieldset", of: node, with: "disabled") != nil
        control.isReadOnly = attribute("readonly", of: node) != nil
        control.isConcealed = isConcealed(node)
        control.isRequired =
            attribute("required", of: node) != nil || attribute("aria-required", of: node)?.lowercased() == "true"
        control.isChecked = attribute("checked", of: node) != nil
        control.formAction = attribute("formaction", of: node)
        control.formMethod = attribute("formmethod", of: node)
        control.element = attribute("data-preflight-element", of: node).flatMap { Int($0) }
        let type = attribute("type", of: node)?.lowercased() ?? ""
        switch element {
        case "select":
            control.type = "select"
            control.allowsSeveral = attribute("multiple", of: node) != nil
            control.options = descendants(node).filter { name($0) == "option" }
                .map { option in
                    HTMLControl.Option(
                        value: attribute("value", of: option) ?? collapsed(content(option)),
                        label: collapsed(content(option)),
                        isSelected: attribute("selected", of: option) != nil,
                        isDisabled: attribute("disabled", of: option) != nil
                    )
                }
        case "textarea":
            control.type = "textarea"
            let text = content(node)
            control.value = text.hasPrefix("\n") ? String(text.dropFirst()) : text
        case "button":
            control.type = ["reset", "button"].contains(type) ? type : "submit"
            control.label = collapsed(content(node))
            if control.label.isEmpty { control.label = control.accessibleName }
        default:
            // An unknown type means text (HTML Standard, the type attribute of input).
            control.type = inputTypes.contains(type) ? type : "text"
            if control.isButton { control.label = control.value }
            if control.type == "image" { control.label = attribute("alt", of: node) ?? "" }
            // A box without a value means "on" (HTML Standard, the value mode default/on).
            let isBox = control.type == "checkbox" || control.type == "radio"
            if isBox, attribute("value", of: node) == nil { control.value = "on" }
        }
        return control
    }

    /// Whether an element or one around it keeps a user from seeing it; style sheets are not read.
    private static func isConcealed(_ node: Node) -> Bool {
        var current: Node? = node
        while let element = current, element.pointee.type == XML_ELEMENT_NODE {
            let style = attribute("style", of: element)?.lowercased().filter { !$0.isWhitespace } ?? ""
            let isOut =
                attribute("aria-hidden", of: element)?.lowercased() == "true" && attribute("tabindex", of: node) == "-1"
            if attribute("hidden", of: element) != nil || isOut
                || attribute("inert", of: element) != nil
                || ["dialog", "details"].contains(name(element)) && attribute("open", of: element) == nil
                || ["display:none", "visibility:hidden", "left:-9999px"].contains(where: style.contains)
            {
                return true
            }
            current = element.pointee.parent
        }
        return false
    }

    /// Whether the element is marked as an alert or an error message.
    private static func isAlert(_ node: Node) -> Bool {
        if attribute("role", of: node) == "alert" { return true }
        guard name(node) != "body", name(node) != "html" else { return false }
        let marks = [attribute("class", of: node), attribute("id", of: node)].compactMap { $0?.lowercased() }
        guard !marks.isEmpty else { return false }
        return ["error", "alert", "danger", "invalid"].contains { word in marks.contains { $0.contains(word) } }
    }

    /// Whether an element is the script of a page that has a browser prove itself, and is nothing else.
    private static func isOfBotWall(_ node: Node, _ name: String) -> Bool {
        guard name == "script" else { return false }
        let source = attribute("src", of: node)?.lowercased() ?? ""
        return [
            "/challenge-platform/", "_incapsula_resource", "awswaf.com", "captcha-delivery.com", "/_px", "perimeterx",
        ]
        .contains { source.contains($0) }
    }

    /// Whether an element is the widget of a well-known CAPTCHA.
    private static func isCaptcha(_ node: Node, _ name: String) -> Bool {
        if name == "iframe" {
            let source = attribute("src", of: node)?.lowercased() ?? ""
            return ["captcha", "challenges.cloudflare.com"].contains { source.contains($0) }
        }
        let classes = attribute("class", of: node)?.lowercased().split { $0.isWhitespace } ?? []
        return classes.contains { ["g-recaptcha", "h-captcha", "cf-turnstile", "frc-captcha"].contains($0) }
    }

    private static func ancestor(_ element: String, of node: Node, with mark: String? = nil) -> Node? {
        var current = node.pointee.parent
        while let parent = current, parent.pointee.type == XML_ELEMENT_NODE {
            if name(parent) == element, mark.map({ attribute($0, of: parent) != nil }) ?? true { return parent }
            current = parent.pointee.parent
        }
        return nil
    }

    /// All elements below a node, in document order.
    private static func descendants(_ node: Node) -> [Node] {
        var found: [Node] = []
        var waiting = children(node)
        while let next = waiting.popLast() {
            found.append(next)
            waiting += children(next)
        }
        return found
    }

    /// The child elements, the last one first.
    private static func children(_ node: Node) -> [Node] {
        var found: [Node] = []
        var child = node.pointee.last
        while let current = child {
            if current.pointee.type == XML_ELEMENT_NODE { found.append(current) }
            child = current.pointee.prev
        }
        return found
    }

    private static func name(_ node: Node) -> String {
        node.pointee.name.map { String(cString: $0).lowercased() } ?? ""
    }

    /// The text of an attribute, empty for one without a value; the parser has already undone its entities.
    private static func attribute(_ name: String, of node: Node) -> String? {
        guard let attribute = xmlHasProp(node, name) else { return nil }
        var value = ""
        var piece = attribute.pointee.children
        while let current = piece {
            value += characters(current)
            piece = current.pointee.next
        }
        return value
    }

    /// The text within an element, without that of scripts and styles.
    private static func content(_ node: Node) -> String {
        var text = ""
        var waiting = [node]
        while let next = waiting.popLast() {
            if next.pointee.type != XML_ELEMENT_NODE {
                text += characters(next)
            } else if next == node || !["script", "style"].contains(name(next)) {
                var child = next.pointee.last
                while let current = child {
                    waiting.append(current)
                    child = current.pointee.prev
                }
            }
        }
        return text
    }

    /// The characters of a text node; empty for comments and other nodes.
    private static func characters(_ node: Node) -> String {
        guard node.pointee.type == XML_TEXT_NODE || node.pointee.type == XML_CDATA_SECTION_NODE else { return "" }
        return node.pointee.content.map { String(cString: $0) } ?? ""
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    private static func collapsed(_ text: String) -> String {
        text.split { $0.isWhitespace }.joined(separator: " ")
    }
}

extension HTMLPage.Refresh {
    /// Reads the value of a Refresh header or `meta` element: `SECONDS; url=REFERENCE`, nil without a reference.
    package init?(_ text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == ";" || $0 == "," }
        guard parts.count == 2, let seconds = Double(parts[0].filter { !$0.isWhitespace }) else { return nil }
        var reference = parts[1].drop { $0.isWhitespace }
        guard reference.prefix(3).lowercased() == "url" else { return nil }
        reference = reference.dropFirst(3).drop { $0.isWhitespace }
        guard reference.first == "=" else { return nil }
        reference = reference.dropFirst().drop { $0.isWhitespace }
        if let quote = reference.first, quote == "'" || quote == "\"" {
            reference = reference.dropFirst().prefix { $0 != quote }
        }
        guard !reference.isEmpty, seconds >= 0 else { return nil }
        self.init(seconds: seconds, reference: String(reference))
    }
}
