import JSONTree
import Transport

/// Makes Firefox report addresses of an application's own scheme.
///
/// If it knows no program for a scheme, it reports nothing about such an address. So a web page is registered for them, at a
/// host that does not exist, and the request for that page is withheld like those for redirect URIs.
enum FirefoxHandlers {
    /// Names that end so lead nowhere (RFC 6761 section 6.4).
    static let host = "redirect-uri.invalid"
    private static let beginning = "https://\(host)/?uri="

    /// The profile's `handlers.json`; an action of 2 is a program or a page that was chosen.
    static func file(_ schemes: Set<String>) -> String {
        let handlers = schemes.sorted()
            .map { scheme in
                let handler: JSON = ["name": "redirect URI", "uriTemplate": .string(beginning + "%s")]
                return JSONObject.Member(name: scheme, value: ["action": 2, "handlers": [handler]])
            }
        let file: JSON = [
            "defaultHandlersVersion": [:], "mimeTypes": [:], "schemes": .object(JSONObject(handlers)),
        ]
        return file.serialized()
    }

    /// The target address, if a page requests another than the application's; otherwise the address unchanged.
    static func address(behind url: String) -> String {
        guard url.hasPrefix(beginning), let query = url.firstRange(of: "?") else { return url }
        return FormParameters(parsing: String(url[query.upperBound...]))["uri"] ?? url
    }
}
