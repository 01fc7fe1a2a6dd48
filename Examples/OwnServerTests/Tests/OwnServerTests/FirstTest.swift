import Foundation
import OIDCPreflight
import OIDCPreflightTesting
import OwnServer
import Testing

@Test func `users can sign in with Firebase`() async throws {
    let server = try OwnServer(issuer: "https://idp.example.com", fault: .ofThisRun)
    try await Preflight(issuer: server.issuer, profile: .firebaseOIDC, http: .inMemory(server.answer))
        .client(server.client.id, secret: Secret(server.client.secret), redirectURI: server.client.redirectURI)
        .signingIn(as: server.account.name, password: Secret(server.account.password))
        .expectOpenGate()
}

extension OwnServer.Fault {
    /// Set OWN_SERVER_FAULT to see this test fail.
    static var ofThisRun: Self? { ProcessInfo.processInfo.environment["OWN_SERVER_FAULT"].flatMap(Self.init) }
}
