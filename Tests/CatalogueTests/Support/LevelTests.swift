import Catalogue
import Conformance
import Foundation
import Testing

/// Whether the requirements of checks agree with the sentences that they quote.
@Suite("Levels and citations", .timeLimit(.minutes(5)))
struct LevelTests {
    private static let reasons: [(check: CheckID, because: String)] = {
        let url = ClientTable.repository.appendingPathComponent("Tests/Fixtures/levels.tsv")
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst()
            .map { line in
                let cells = line.components(separatedBy: "\t")
                return (CheckID(cells[0]), cells.count > 1 ? cells[1] : "")
            }
    }()

    @Test("the requirement of a check matches its quotation, or has a documented reason", arguments: Catalogue.all)
    func graded(check: Check) {
        guard check.citation.isQuotation, !Self.reasons.contains(where: { $0.check == check.id }) else { return }
        let words = Set(check.citation.words.split { !$0.isLetter }.map(String.init))
        let demands = !words.isDisjoint(with: ["MUST", "REQUIRED", "SHALL"])
        let advises = !words.isDisjoint(with: ["SHOULD", "RECOMMENDED", "MAY", "OPTIONAL"])
        let isError = check.requirement == .must || check.requirement == .platform
        if demands { #expect(isError, "\(check): “\(check.citation.words)”") }
        if advises, !demands { #expect(check.requirement != .must, "\(check): “\(check.citation.words)”") }
    }

    @Test("every reason is a sentence about an existing check")
    func reasons() {
        #expect(!Self.reasons.isEmpty)
        let known = Set(Catalogue.all.map(\.id))
        for (check, because) in Self.reasons {
            #expect(known.contains(check), "\(check)")
            #expect(because.hasSuffix(".") && because.count > 30, "\(check)")
        }
        #expect(Set(Self.reasons.map(\.check)).count == Self.reasons.count)
    }

    private static let forScripts =
        "The Token Endpoint, UserInfo Endpoint, jwks_uri endpoint, Dynamic Client Registration Endpoint, and any other "
        + "endpoints directly accessed by Clients SHOULD support the use of Cross-Origin Resource Sharing (CORS) [CORS]"

    /// Verbatim sentences of the specifications, for checks whose quotation once differed.
    @Test(
        "the quotation is part of the specification",
        arguments: [
            (
                "userinfo.signed.has-issuer", "5.3.2",
                "If signed, the UserInfo Response MUST contain the Claims iss (issuer) and aud (audience) as members. "
                    + "The iss value MUST be the OP's Issuer Identifier URL."
            ),
            ("userinfo.signed.has-audience", "5.3.2", "The aud value MUST be or include the RP's Client ID value."),
            (
                "authorization.nonce.missing-is-refused-in-hybrid", "3.3.2.1",
                "nonce REQUIRED if the Response Type of the request is code id_token or code id_token token and OPTIONAL "
                    + "when the Response Type of the request is code token."
            ),
            (
                "logout.back-channel.sid-is-known", "2.1",
                "If supported, the sid Claim is also included in ID Tokens issued by the OP."
            ),
            (
                "logout.redirect.holds-nothing-more", "2",
                "If included in the logout request, the OP passes this value back to the RP using the state parameter when "
                    + "redirecting the User Agent back to the RP."
            ),
            (
                "authorization.ui-locales.is-accepted", "15.1",
                "Note that the minimum level of support required for these parameters is simply to have their use not "
                    + "result in errors."
            ),
            (
                "authorization.code.is-in-fragment", "5",
                "the default Response Mode for this Response Type is the fragment encoding and the query encoding MUST NOT "
                    + "be used."
            ),
            (
                "authorization.response-mode.query-carries-no-tokens", "5",
                "the default Response Mode for this Response Type is the fragment encoding and the query encoding MUST NOT "
                    + "be used."
            ),
            (
                "keys.use.is-stated-beside-encryption-keys", "3",
                "When both signing and encryption keys are made available, a use (public key use) parameter value is "
                    + "REQUIRED for all keys in the referenced JWK Set to indicate each key's intended usage."
            ),
            (
                "keys.x5u.uses-https", "4.6",
                "an HTTP GET request to retrieve the certificate MUST use TLS [RFC2818] [RFC5246]"
            ),
            (
                "keys.rsa.modulus-is-odd", "3.1",
                "In a valid RSA public key, the RSA modulus n is a product of u distinct odd primes r_i"
            ),
            (
                "keys.rsa.exponent-is-odd", "3.1",
                "the RSA public exponent e is an integer between 3 and n - 1 satisfying GCD(e,\\lambda(n)) = 1"
            ),
            (
                "discovery.url-members.consist-of-uri-characters", "2",
                "A URI is composed from a limited set of characters consisting of digits, letters, and a few graphic symbols."
            ),
            (
                "token.refresh.access-token-is-usable", "6",
                "The requested scope MUST NOT include any scope not originally granted by the resource owner, and if omitted "
                    + "is treated as equal to the scope originally granted by the resource owner."
            ),
            (
                "token.private-key-jwt.is-accepted", "3",
                "JSON array containing a list of Client Authentication methods supported by this Token Endpoint."
            ),
            (
                "discovery.introspection-endpoint.uses-https", "2",
                "The introspection endpoint MUST be protected by a transport-layer security mechanism as described in Section 4."
            ),
            (
                "discovery.other-endpoints.use-https", "3.1",
                "All requests from the device MUST use the Transport Layer Security (TLS) protocol [RFC8446] and implement "
                    + "the best practices of BCP 195 [RFC7525]."
            ),
            ("platform.spa.keys.is-open-to-scripts", "3", forScripts),
            ("platform.spa.token.is-open-to-scripts", "3", forScripts),
            (
                "platform.spa.discovery.is-open-to-scripts", "4",
                "The openid-configuration endpoint SHOULD support the use of Cross-Origin Resource Sharing (CORS) [CORS] "
                    + "and/or other methods as appropriate"
            ),
            (
                "discovery.end-session-endpoint.uses-https", "2.1",
                "This URL MUST use the https scheme and MAY contain port, path, and query parameter components."
            ),
        ]
    )
    func quoted(id: String, section: String, sentence: String) throws {
        let check = try #require(Catalogue.all.first { $0.id == CheckID(id) })
        #expect(check.citation.section == section)
        #expect(sentence.contains(check.citation.words), "“\(check.citation.words)”")
    }
}
