import Conformance
import Testing

@testable import Flows

@Suite(.timeLimit(.minutes(5))) struct AddressTests {
    @Test(arguments: [
        ("https://op.example", "https://op.example/.well-known/openid-configuration"),
        ("https://op.example/", "https://op.example/.well-known/openid-configuration"),
        ("https://op.example/a/b/", "https://op.example/a/b/.well-known/openid-configuration"),
        ("https://op.example/a//", "https://op.example/a//.well-known/openid-configuration"),
        ("http://op.example:8080/a", "http://op.example:8080/a/.well-known/openid-configuration"),
    ])
    func `one terminating slash is removed before the well-known path`(issuer: String, address: String) {
        #expect(WellKnown.address(of: issuer) == address)
    }

    @Test func `other places are the parents and that of RFC 8414`() {
        #expect(
            DiscoveryAddress.alternatives(to: "https://op.example/a/b") == [
                "https://op.example/.well-known/oauth-authorization-server/a/b",
                "https://op.example/.well-known/openid-configuration/a/b",
                "https://op.example/a/.well-known/openid-configuration",
                "https://op.example/.well-known/openid-configuration",
            ]
        )
        #expect(
            DiscoveryAddress.alternatives(to: "https://op.example") == [
                "https://op.example/.well-known/oauth-authorization-server"
            ]
        )
    }

    @Test func `an address of the document in the issuer's place is recognised`() {
        let typed = "https://op.example/a/.well-known/openid-configuration"
        #expect(DiscoveryAddress.alternatives(to: typed).first == typed)
        #expect(DiscoveryAddress.alternatives(to: "no address").isEmpty)
        #expect(DiscoveryAddress.alternatives(to: "https://op.example" + String(repeating: "/x", count: 99)).count == 8)
    }

    @Test func `hosts are reported apart by port`() {
        #expect(HostPlace("https://op.example/x") == HostPlace("https://OP.example:443/"))
        #expect(HostPlace("https://op.example:8443/x")?.origin == "https://op.example:8443/")
        #expect(HostPlace("http://op.example/") == nil)
    }
}
