import Foundation
import OtherPrograms
import Serving

/// Servers whose responses describe the requests.
enum Echo {
    /// Returns the method, the target, the number of bytes of the body and their sum.
    static let answer: @Sendable (ServedRequest) async -> ServedAnswer = { request in
        let sum = request.body.reduce(0) { ($0 + Int($1)) % 1_000_003 }
        return ServedAnswer(
            status: 200,
            fields: [HeaderField("X-Local-Address", request.localAddress)],
            body: Array("\(request.method) \(request.target) \(request.body.count) \(sum)\n".utf8)
        )
    }

    /// Runs a body beside a server, which is stopped after it.
    static func beside<Value>(
        _ host: String = "127.0.0.1",
        tls: ServerIdentity? = nil,
        limits: ServerLimits = ServerLimits(),
        answer: @escaping @Sendable (ServedRequest) async -> ServedAnswer = answer,
        _ body: (HTTPServer) async throws -> Value
    ) async throws -> Value {
        let server = try await HTTPServer.listen(on: host, tls: tls, limits: limits, answer: answer)
        do {
            let value = try await body(server)
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }
}

/// A folder with certificates made by the `openssl` program; it is removed with the value.
///
/// The chain is leaf, intermediate and `authority.pem`, which is to be trusted.
final class Certificates: Sendable {
    let path: String
    let authorityFile: String

    /// Made once for all tests.
    static let shared = Task { try await Certificates() }

    private struct NotMade: Error {
        var words: String
    }

    private init() async throws {
        path = NSTemporaryDirectory() + "serving-certificates-" + UUID().uuidString
        authorityFile = path + "/authority.pem"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let outcome = try await OtherProgram.run("bash", ["-ec", Self.script], in: path)
        guard outcome.isSuccess else { throw NotMade(words: outcome.errors) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private static let script = """
        new="openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        $new -x509 -keyout authority.key -out authority.pem -subj /CN=authority -days 2
        $new -keyout intermediate.key -out intermediate.csr -subj /CN=intermediate
        $new -keyout leaf.key -out leaf.csr -subj /CN=leaf
        printf 'basicConstraints=critical,CA:TRUE' > intermediate.ext
        printf 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1' > leaf.ext
        sign() { openssl x509 -req -in $1.csr -CA $2.pem -CAkey $2.key -CAcreateserial -days 2 -extfile $1.ext -out $1.pem; }
        sign intermediate authority; sign leaf intermediate
        for name in leaf intermediate; do openssl x509 -in $name.pem -outform DER -out $name.der; done
        openssl pkey -in leaf.key -outform DER -out leaf.key.der
        openssl pkey -in authority.key -outform DER -out other.key.der
        """

    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }

    func identity(
        chain: [String] = ["leaf", "intermediate"],
        key: String = "leaf",
        versions: ClosedRange<ServerIdentity.Version> = .tls12 ... .tls13
    ) throws -> ServerIdentity {
        try ServerIdentity(
            chain: chain.map { try bytes($0 + ".der") },
            privateKey: bytes(key + ".key.der"),
            versions: versions
        )
    }
}
