import Conformance
import OAuth1
import Testing

/// Known answers.
@Suite(.timeLimit(.minutes(5))) struct SignatureTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var method: String
        var url: String
        var parameters: [Field]
        var secrets: (client: String, token: String?)
        var signature: String
    }

    /// RFC 5849 section 1.2, the second and third request.
    static let photos: [Answer] = [
        Answer(
            testDescription: "RFC 5849 section 1.2, token credentials",
            method: "POST",
            url: "https://photos.example.net/token",
            parameters: [
                Field("oauth_consumer_key", "dpf43f3p2l4k3l03"), Field("oauth_token", "hh5s93j4hdidpola"),
                Field("oauth_signature_method", "HMAC-SHA1"), Field("oauth_timestamp", "137131201"),
                Field("oauth_nonce", "walatlh"), Field("oauth_verifier", "hfdp7dh39dks9884"),
            ],
            secrets: ("kd94hf93k423kf44", "hdhd0244k9j7ao03"),
            signature: "gKgrFCywp7rO0OXSjdot/IHF7IU="
        ),
        Answer(
            testDescription: "RFC 5849 section 1.2, photo",
            method: "GET",
            url: "http://photos.example.net/photos?file=vacation.jpg&size=original",
            parameters: [
                Field("oauth_consumer_key", "dpf43f3p2l4k3l03"), Field("oauth_token", "nnch734d00sl2jdk"),
                Field("oauth_signature_method", "HMAC-SHA1"), Field("oauth_timestamp", "137131202"),
                Field("oauth_nonce", "chapoH"),
            ],
            secrets: ("kd94hf93k423kf44", "pfkkdhi9sl3r4s00"),
            signature: "MdpQcU8iPSUjWoN/UDMsK2sui9I="
        ),
    ]

    static let others: [Answer] = [
        Answer(
            testDescription: "RFC 5849 section 1.2, temporary credentials",
            method: "POST",
            url: "https://photos.example.net/initiate",
            parameters: [
                Field("oauth_consumer_key", "dpf43f3p2l4k3l03"), Field("oauth_signature_method", "HMAC-SHA1"),
                Field("oauth_timestamp", "137131200"), Field("oauth_nonce", "wIjqoS"),
                Field("oauth_callback", "http://printer.example.com/ready"),
            ],
            secrets: ("kd94hf93k423kf44", nil),
            signature: "74KNZJeDHnMBp0EMJ9ZHt/XKycU="
        ),
        Answer(
            testDescription: "docs.x.com, creating a signature",
            method: "POST",
            url: "https://api.twitter.com/1.1/statuses/update.json?include_entities=true",
            parameters: [
                Field("oauth_consumer_key", "xvz1evFS4wEEPTGEFPHBog"),
                Field("oauth_nonce", "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg"),
                Field("oauth_signature_method", "HMAC-SHA1"), Field("oauth_timestamp", "1318622958"),
                Field("oauth_token", "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb"),
                Field("oauth_version", "1.0"), Field("status", "Hello Ladies + Gentlemen, a signed OAuth request!"),
            ],
            secrets: (
                "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw", "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE"
            ),
            signature: "hCtSmYh+iHYCEqBWrE7C7hYmtUk="
        ),
    ]

    @Test(arguments: photos + others)
    func `a request has the published signature`(answer: Answer) throws {
        let base = try #require(
            BaseString.text(
                method: answer.method,
                url: answer.url,
                parameters: BaseString.query(of: answer.url) + answer.parameters
            )
        )
        let signature = RequestSignature.hmacSHA1(
            base,
            clientSecret: Secret(answer.secrets.client),
            tokenSecret: answer.secrets.token.map { Secret($0) }
        )
        #expect(signature == answer.signature)
    }

    @Test func `the base string is that of RFC 5849 section 3.4.1.1`() {
        let url = "http://EXAMPLE.com:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b"
        let parameters = [
            Field("oauth_consumer_key", "9djdj82h48djs9d2"), Field("oauth_token", "kkk9d7dh3k39sjv7"),
            Field("oauth_signature_method", "HMAC-SHA1"), Field("oauth_timestamp", "137131201"),
            Field("oauth_nonce", "7d8f3e4a"), Field("oauth_signature", "bYT5CMsGcbgUdFHObYMEfcx6bsw="),
            Field("c2", ""), Field("a3", "2 q"),
        ]
        let base = BaseString.text(method: "post", url: url, parameters: BaseString.query(of: url) + parameters)
        #expect(
            base == "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D"
                + "%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a"
                + "%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7"
        )
    }

    @Test(arguments: [
        ("http://EXAMPLE.COM:80/r%20v/X?id=123", "http%3A%2F%2Fexample.com%2Fr%2520v%2FX"),
        ("https://www.example.net:8080/?q=1", "https%3A%2F%2Fwww.example.net%3A8080%2F"),
        ("https://example.net#top", "https%3A%2F%2Fexample.net%2F"),
    ])
    func `the base string URI is that of RFC 5849 section 3.4.1.2`(url: String, encoded: String) {
        #expect(BaseString.text(method: "GET", url: url, parameters: []) == "GET&\(encoded)&")
    }

    @Test(arguments: ["", "example.com/a", "https://", "https:///a"])
    func `a relative URL has no base string`(url: String) {
        #expect(BaseString.text(method: "GET", url: url, parameters: []) == nil)
    }

    @Test func `encoding keeps what RFC 5849 section 3.6 says and escapes the rest in capitals`() {
        #expect(ParameterEncoding.encode("aZ09-._~") == "aZ09-._~")
        #expect(ParameterEncoding.encode(" +*!'()/%é☃") == "%20%2B%2A%21%27%28%29%2F%25%C3%A9%E2%98%83")
        #expect(ParameterEncoding.decode("%c3%A9+%20") == "é+ ")
        for broken in ["%", "%4", "%zz", "%ff"] { #expect(ParameterEncoding.decode(broken) == nil) }
    }
}
