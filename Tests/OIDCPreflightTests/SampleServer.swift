import Conformance
import JOSE
import JSONTree
import ReferenceProvider

/// The reference provider as an application in this process, with what a client needs to know of it.
struct SampleServer: Sendable {
    struct Answer: Sendable {
        let status: Int
        let headers: [(name: String, value: String)]
        let body: [UInt8]
    }

    let issuer: String
    let clientID: String
    let clientSecret: String
    let redirectURI: String
    let username: String
    let password: String
    private let provider: UnservedProvider

    /// - Parameter fault: The identifier of the check that the server is to fail; `nil` for a sound one.
    init(failing fault: String? = nil) throws {
        var settings = ReferenceProviderConfiguration()
        settings.publicName = "idp.example.com"
        settings.faults = fault.map { name in Fault.all.filter { $0.id == name }.prefix(1) }.map(Array.init) ?? []
        let provider = try UnservedProvider(settings)
        let persona = settings.persona
        self.provider = provider
        let target = provider.target()
        issuer = target.issuer
        clientID = target.client?.id ?? ""
        clientSecret = persona.clientSecret(target.client?.id ?? "")?.reveal() ?? ""
        redirectURI = target.redirectURI ?? ""
        username = persona.credentials.username
        password = persona.credentials.password.reveal()
    }

    func answer(
        method: String,
        target: String,
        headers: [(name: String, value: String)],
        body: [UInt8]
    ) async -> Answer {
        let fields = headers.map { Field($0.name, $0.value) }
        let answer = await provider.answer(method: method, target: target, headers: fields, body: body)
        return Answer(status: answer.status, headers: answer.headers.map { ($0.name, $0.value) }, body: answer.body)
    }

    /// The document at a path.
    func document(_ path: String) async -> String {
        String(decoding: await answer(method: "GET", target: path, headers: [], body: []).body, as: UTF8.self)
    }

    /// An ID Token of some other provider, with its key set.
    static func token(audience: String, at time: Int) throws -> (token: String, keys: String) {
        let key = try PrivateKey.generate(.rsa(bits: 2048))
        let claims = """
            {"iss":"https://idp.example.com","sub":"s","aud":"\(audience)","iat":\(time),"exp":\(time + 60),"nonce":"n"}
            """
        let token = try JWS.sign(Array(claims.utf8), with: key, algorithm: .rs256, header: ["kid": "1"])
        let published = key.publicKey.jwk(kid: "1", alg: "RS256", use: "sig").object
        return (token, JSON.object(["keys": .array([.object(published)])]).serialized())
    }
}
