import JSONTree
import Transport

/// How Firefox is made to tell of addresses of an application's own scheme.
///
/// Where it knows no program for a scheme, it tells nothing of such an address. So it is told that a web page takes them, at a host that
/// there is not, and the request for that page is withheld as those for redirect URIs are.
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

    /// The address that was gone to, where a page asks for another than the application's; else the address as it is.
    static func address(behind url: String) -> String {
        guard url.hasPrefix(beginning), let query = url.firstRange(of: "?") else { return url }
        return FormParameters(parsing: String(url[query.upperBound...]))["uri"] ?? url
    }
}
