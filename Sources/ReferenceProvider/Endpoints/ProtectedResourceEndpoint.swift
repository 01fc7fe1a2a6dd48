import Conformance
import JSONTree

/// A protected resource that trusts the provider, and its metadata (RFC 9728); and the issuer of the users' addresses (RFC 7033).
extension Provider {
    private static let resourcePath = "/resource"
    private static let metadataPath = "/.well-known/oauth-protected-resource" + resourcePath

    private var origin: String { (isSecure ? "https://" : "http://") + Target.authority(of: issuer) }

    /// The response of the resource or of its metadata; `nil` for a request to another address.
    func answerOfResource(_ request: ProviderRequest) -> HTTPAnswer? {
        var answer: HTTPAnswer
        switch request.path {
        case Self.resourcePath:
            answer = .json([:], status: 401)
            answer.setHeader("WWW-Authenticate", "Bearer resource_metadata=\"\(origin)\(Self.metadataPath)\"")
        case Self.metadataPath:
            let servers: JSON = [.string(issuer)]
            answer = .json(["resource": .string(origin + Self.resourcePath), "authorization_servers": servers])
        case "/.well-known/webfinger":
            let link: JSON = ["rel": .string(WebFinger.relation), "href": .string(issuer)]
            answer = .json([
                "subject": .string(request.query.first { $0.name == "resource" }?.value ?? ""), "links": [link],
            ])
            hooks.webFinger(&answer)
            return answer
        default: return nil
        }
        hooks.protectedResource(request.path == Self.metadataPath, &answer)
        return answer
    }
}
