package import JSONTree
import Transport

/// The requests to send for a page without a form, whose script sends them in a browser.
package struct RequestStep: Sendable, Hashable {
    /// The conditions that identify the page.
    package struct Page: Sendable, Hashable {
        /// The path of its address, in which `*` matches any text.
        package var path: String
        /// Names that the query of its address must all have.
        package var query: [String]

        package init(path: String, query: [String] = []) {
            self.path = path
            self.query = query
        }

        func matches(_ url: WebURL) -> Bool {
            let names = Set(url.queryParameters.items.map(\.name))
            return query.allSatisfy(names.contains) && Self.matches(Array(url.path.utf8)[...], Array(path.utf8)[...])
        }

        /// Matches the parts between stars from left to right, which takes no more than the product of the lengths.
        private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
            let parts = pattern.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            guard let first = parts.first, let last = parts.last, parts.count > 1 else { return text == pattern }
            guard text.count >= first.count + last.count, text.starts(with: first),
                text.suffix(last.count).elementsEqual(last)
            else { return false }
            var rest = text.dropFirst(first.count).dropLast(last.count)
            for part in parts.dropFirst().dropLast() where !part.isEmpty {
                guard let found = rest.firstRange(of: part) else { return false }
                rest = rest[found.upperBound...]
            }
            return true
        }
    }

    /// A name and its value, in a header or a form.
    package struct Field: Sendable, Hashable {
        package var name: String
        var template: Template

        package init(name: String, template: Template) {
            self.name = name
            self.template = template
        }
    }

    package enum Body: Sendable, Hashable {
        case none
        /// `application/x-www-form-urlencoded`.
        case form([Field])
        /// `application/json`.
        case json(JSONTemplate)
    }

    package struct Request: Sendable, Hashable {
        package var method: String
        /// An address, absolute or relative to the page's.
        package var url: Template
        package var headers: [Field]
        package var body: Body
        /// The statuses that let the step go on; empty for all of 200 to 299.
        var expected: [Int]

        package init(
            method: String,
            url: Template,
            headers: [Field] = [],
            body: Body = .none,
            expected: [Int] = []
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.expected = expected
        }
    }

    /// The continuation of the sign-in after all requests have been sent.
    package enum Next: Sendable, Hashable {
        /// With the authorization request, once more.
        case retry
        /// To the Location of the last answer.
        case follow
        /// At an address, absolute or relative to the page's.
        case address(Template)
    }

    package var page: Page
    package var requests: [Request]
    package var next: Next

    package init(page: Page, requests: [Request], next: Next = .retry) {
        self.page = page
        self.requests = requests
        self.next = next
    }
}

/// A JSON value whose texts may contain placeholders.
package indirect enum JSONTemplate: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: JSONTemplate

        package init(name: String, value: JSONTemplate) {
            self.name = name
            self.value = value
        }
    }

    case object([Member])
    case array([JSONTemplate])
    case text(Template)
    /// A number, a truth value or null.
    case literal(JSON)
}

extension RequestStep.Request {
    /// A request as it is sent, and as it may be recorded; its address is not resolved yet.
    struct Rendered {
        var sent: HTTPRequest
        var recorded: HTTPRequest
        /// The names of the fields that contain a credential.
        var filled: [String] = []
        var carriesPassword = false
    }

    func rendered(_ values: TemplateValues) throws(TemplateValues.Missing) -> Rendered {
        let address = try url.address(values)
        var rendered = Rendered(
            sent: HTTPRequest(method: method, url: address.sent),
            recorded: HTTPRequest(method: method, url: address.recorded)
        )
        for field in headers {
            let value = try field.template.text(values)
            // A value from the provider must not begin another header line.
            rendered.append(field.name, Self.oneLine(value.sent), recorded: Self.oneLine(value.recorded))
        }
        switch body {
        case .none: break
        case .form(let fields):
            var sent = FormParameters()
            var recorded = FormParameters()
            for field in fields {
                let value = try field.template.text(values)
                rendered.note(field.name, field.template)
                sent.append(field.name, value.sent)
                recorded.append(field.name, value.recorded)
            }
            rendered.setBody(sent.serialized, recorded: recorded.serialized, "application/x-www-form-urlencoded")
        case .json(let template):
            let (sent, recorded) = try template.rendered(values, name: "", &rendered)
            rendered.setBody(sent.serialized(), recorded: recorded.serialized(), "application/json")
        }
        return rendered
    }

    /// Whether a user's credentials are in it, wherever that is.
    var containsCredentials: Bool { templates.contains(where: \.containsCredentials) }

    /// Whether a one-time code is in it.
    var containsCode: Bool { templates.contains(where: \.containsCode) }

    /// The names of the variables in its values.
    var variables: [String] { templates.flatMap(\.variables) }

    private var templates: [Template] {
        let ofBody =
            switch body {
            case .none: [Template]()
            case .form(let fields): fields.map(\.template)
            case .json(let json): json.templates
            }
        return [url] + headers.map(\.template) + ofBody
    }

    /// Whether the answer lets the step go on; a status that is followed must be a redirect.
    func accepts(_ status: Int, isFollowed: Bool) -> Bool {
        if !expected.isEmpty { return expected.contains(status) }
        return (isFollowed ? 300...399 : 200...299).contains(status)
    }

    /// The expected statuses in words.
    func expectation(isFollowed: Bool) -> String {
        if !expected.isEmpty { return expected.map(String.init).joined(separator: " or ") }
        return isFollowed ? "a redirect" : "200 to 299"
    }

    private static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}

extension RequestStep.Request.Rendered {
    fileprivate mutating func append(_ name: String, _ value: String, recorded shown: String) {
        sent.headers.append(HTTPField(name: name, value: value))
        recorded.headers.append(HTTPField(name: name, value: shown))
    }

    fileprivate mutating func setBody(_ text: String, recorded shown: String, _ type: String) {
        sent.body = Array(text.utf8)
        recorded.body = Array(shown.utf8)
        if sent.header("Content-Type") == nil { append("Content-Type", type, recorded: type) }
    }

    /// Notes a field that contains a credential.
    fileprivate mutating func note(_ name: String, _ template: Template) {
        if template.containsCredentials { filled.append(name) }
        if template.placeholders.contains(.password) { carriesPassword = true }
    }
}

extension JSONTemplate {
    fileprivate func rendered(
        _ values: TemplateValues,
        name: String,
        _ request: inout RequestStep.Request.Rendered
    ) throws(TemplateValues.Missing) -> (sent: JSON, recorded: JSON) {
        switch self {
        case .literal(let value): return (value, value)
        case .text(let template):
            request.note(name, template)
            let text = try template.text(values)
            return (.string(text.sent), .string(text.recorded))
        case .array(let elements):
            var sent: [JSON] = []
            var recorded: [JSON] = []
            for element in elements {
                let value = try element.rendered(values, name: name, &request)
                sent.append(value.sent)
                recorded.append(value.recorded)
            }
            return (.array(sent), .array(recorded))
        case .object(let members):
            var sent: [JSONObject.Member] = []
            var recorded: [JSONObject.Member] = []
            for member in members {
                let value = try member.value.rendered(values, name: member.name, &request)
                sent.append(JSONObject.Member(name: member.name, value: value.sent))
                recorded.append(JSONObject.Member(name: member.name, value: value.recorded))
            }
            return (.object(JSONObject(sent)), .object(JSONObject(recorded)))
        }
    }

    /// Every text with placeholders in it.
    var templates: [Template] {
        switch self {
        case .literal: []
        case .text(let template): [template]
        case .array(let elements): elements.flatMap(\.templates)
        case .object(let members): members.flatMap(\.value.templates)
        }
    }
}

extension HTTPRequest {
    /// The value of the first header of that name, in any letter case.
    func header(_ name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }
}
