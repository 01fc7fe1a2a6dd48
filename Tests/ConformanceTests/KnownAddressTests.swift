import Conformance
import Testing

@Suite("Known addresses", .timeLimit(.minutes(5)))
struct KnownAddressTests {
    private static func addresses(
        _ issuer: String,
        of provider: String = "",
        configured: [String: String]? = nil
    ) -> [String: String] {
        var target = Target(issuer: issuer)
        target.endpoints = configured
        var parameters = ProfileParameters()
        parameters.state(.issuerOwners, [provider], because: "it is known", source: "a test")
        parameters.endpoints = [
            "token_endpoint": "{issuer}/token", "user_api_endpoint": "https://api.provider.example/user",
        ]
        return Dictionary(
            uniqueKeysWithValues: KnownAddress.all(target, parameters).map { ($0.member, $0.address) }
        )
    }

    @Test("the configuration overrides the profile, and each address names its source")
    func sources() {
        var target = Target(issuer: "https://a.example/")
        target.endpoints = ["user_api_endpoint": "https://a.example/me"]
        var parameters = ProfileParameters()
        parameters.state(.issuerOwners, ["https://a.example/"], because: "it is known", source: "a test")
        parameters.endpoints = ["token_endpoint": "{issuer}/token", "user_api_endpoint": "https://b.example/me"]
        #expect(
            KnownAddress.all(target, parameters) == [
                KnownAddress(member: "token_endpoint", address: "https://a.example/token", source: .profile),
                KnownAddress(member: "user_api_endpoint", address: "https://a.example/me", source: .configuration),
            ]
        )
    }

    @Test("an address of the real provider is not used for another one")
    func foreign() {
        let real = "https://provider.example"
        #expect(Self.addresses(real, of: real)["user_api_endpoint"] == "https://api.provider.example/user")
        #expect(Self.addresses("https://other.example", of: real)["user_api_endpoint"] == nil)
        #expect(Self.addresses(real)["user_api_endpoint"] == nil)
        let tenant = Self.addresses("https://login.example/tenant/v2.0", of: "https://login.example/")
        #expect(tenant["user_api_endpoint"] == "https://api.provider.example/user")
        #expect(Self.addresses("https://login.example.evil/", of: "https://login.example/")["user_api_endpoint"] == nil)
    }

    @Test(
        "a provider on this machine is never treated as the real one",
        arguments: ["http://127.0.0.1:8080/x", "https://localhost", "http://[::1]:9", "https://LOCALHOST:1/a"]
    )
    func loopback(issuer: String) {
        #expect(Self.addresses(issuer)["user_api_endpoint"] == nil)
        #expect(Self.addresses(issuer)["token_endpoint"] == issuer + "/token")
    }
}
