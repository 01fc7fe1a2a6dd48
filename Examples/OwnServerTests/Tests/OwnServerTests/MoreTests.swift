import Foundation
import OIDCPreflight
import OIDCPreflightTesting
import OwnServer
import Testing

/// A change that breaks the server breaks the test: each of these faults closes the gate by its own check.
@Test(
    arguments: [
        (OwnServer.Fault.wrongAudience, "idtoken.aud.holds-client"), (.codesAreKept, "token.code.is-single-use"),
        (.anyRedirectURI, "authorization.redirect-uri.unregistered-is-not-redirected-to"),
    ]
)
func `a mistake is found by its name`(_ fault: OwnServer.Fault, _ check: String) async throws {
    let report = try await judged(OwnServer(issuer: "https://idp.example.com", fault: fault)).report()
    #expect(report.gate == .closed)
    #expect(report.closing.map(\.check).contains(check), "\(report.text())")
}

@Test func `a test can require more than an open gate`() async throws {
    let report = try await judged(OwnServer(issuer: "https://idp.example.com")).report()
    #expect(report.isSafe == .yes)
    #expect(report.findings.filter { $0.level == .error }.isEmpty, "\(report.text())")
}

@Test func `the checks evaluate an ID Token alone`() async throws {
    let server = try OwnServer(issuer: "https://idp.example.com")
    let keys = await server.answer(ServerRequest(method: "GET", path: "/keys"))
    let report = try Preflight.judge(
        idToken: Secret("eyJhbGciOiJub25lIn0.e30."),
        issuer: server.issuer,
        clientID: server.client.id,
        keys: String(decoding: keys.body, as: UTF8.self),
        at: Date().timeIntervalSince1970
    )
    #expect(report.gate == .closed)
    for finding in report.closing { print(finding) }
}

@Test func `the checks evaluate documents before deployment`() async throws {
    let server = try OwnServer(issuer: "https://idp.example.com")
    let path = "/.well-known/openid-configuration"
    let discovery = await server.answer(ServerRequest(method: "GET", path: path))
    let report = try Preflight.judge(
        discovery: String(decoding: discovery.body, as: UTF8.self),
        keys: nil,
        issuer: "https://idp.example.com",
        at: Date().timeIntervalSince1970
    )
    report.expectOpenGate()
}

private func judged(_ server: OwnServer) -> Preflight {
    Preflight(issuer: server.issuer, profile: .openid, http: .inMemory(server.answer))
        .client(server.client.id, secret: Secret(server.client.secret), redirectURI: server.client.redirectURI)
        .signingIn(as: server.account.name, password: Secret(server.account.password))
}
