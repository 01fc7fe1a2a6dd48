import Foundation
import OtherPrograms

/// Runs shell commands, the independent oracle of these tests.
enum Tool {
    struct Failed: Error {
        let command: String
        let status: Int
        let words: String
    }

    /// Runs a command in bash; throws unless it succeeds.
    @discardableResult
    static func run(_ command: String, in folder: String = "/") async throws -> [UInt8] {
        let outcome = try await OtherProgram.run("bash", ["-ec", command], in: folder)
        if outcome.isSuccess { return outcome.output }
        throw Failed(command: command, status: outcome.code, words: outcome.errors)
    }
}

/// A folder with certificates made by the `openssl` program; it is removed with the value.
final class CertificateFolder: Sendable {
    let path: String

    /// Made once for all tests.
    static let shared = Task { try await CertificateFolder() }

    private init() async throws {
        path = NSTemporaryDirectory() + "preflight-certificates-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try await Tool.run(Self.script, in: path)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A CA; its certificates: valid, expired, and for another name; one below an intermediate CA.
    private static let script = """
        key() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $1.key -out $1.csr -subj "/CN=$1"; }
        printf 'basicConstraints=critical,CA:TRUE' > authority.ext
        for name in good expired leaf; do printf 'subjectAltName=DNS:localhost,IP:127.0.0.1' > $name.ext; done
        printf 'subjectAltName=DNS:other.example' > wrong.ext
        cp authority.ext intermediate.ext
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout authority.key \
            -out authority.pem -subj /CN=authority -days 2
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout selfsigned.key \
            -out selfsigned.pem -subj /CN=localhost -days 2 -addext subjectAltName=DNS:localhost,IP:127.0.0.1
        sign() { openssl x509 -req -in $1.csr -CA $2.pem -CAkey $2.key -CAcreateserial -days $3 -extfile $1.ext -out $1.pem; }
        for name in good expired wrong leaf intermediate; do key $name; done
        sign good authority 2; sign expired authority -1; sign wrong authority 2
        sign intermediate authority 2; sign leaf intermediate 2
        for name in good expired wrong leaf intermediate; do openssl x509 -in $name.pem -outform DER -out $name.der; done
        openssl x509 -in authority.pem -outform DER -out authority.der
        """

    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }
}

/// A program that serves on a free loopback port with the certificates of a folder, until it is stopped.
final class ServingProgram: Sendable {
    let port: Int
    private let running: RunningProgram

    /// `openssl s_server`.
    init(
        _ folder: CertificateFolder,
        certificate: String,
        chain: String? = nil,
        arguments: [String] = []
    ) async throws {
        running = try RunningProgram(
            "openssl",
            ["s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificate + ".pem"]
                + ["-key", certificate + ".key", "-naccept", "50"] + (chain.map { ["-cert_chain", $0 + ".pem"] } ?? [])
                + arguments,
            in: folder.path
        )
        port = try await Self.port(of: running, after: "ACCEPT ")
    }

    /// A few lines of Python that print the port once they listen.
    init(_ script: String, _ arguments: [String] = [], in folder: CertificateFolder) async throws {
        running = try RunningProgram("python3", ["-c", script] + arguments, in: folder.path)
        port = try await Self.port(of: running, after: "")
    }

    func stop() {
        running.send(SIGTERM)
    }

    var url: String { "https://localhost:\(port)/" }

    /// Reads the line that ends with the port: "ACCEPT 127.0.0.1:PORT", or the port alone.
    private static func port(of running: RunningProgram, after start: String) async throws -> Int {
        for await line in running.lines where line.hasPrefix(start) {
            if let port = line.split(separator: ":").last.flatMap({ Int($0) }) { return port }
        }
        throw Tool.Failed(command: "a server", status: try await running.end().code, words: "it printed no port")
    }
}

/// The parts of a server in Python that speaks just enough HTTP/2 (RFC 9113); a script defines `serve(connection)` between them.
enum HTTP2Script {
    static let beginning = """
        import socket, ssl, struct, sys, threading
        def frame(kind, flags, stream, payload=b''):
            return struct.pack('>I', len(payload))[1:] + bytes([kind, flags]) + struct.pack('>I', stream) + payload

        """

    /// Prints the port, and serves each connection in a thread of its own.
    static let end = """

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain('good.pem', 'good.key')
        context.set_alpn_protocols(['h2'])
        listener = socket.create_server(('127.0.0.1', 0))
        print(listener.getsockname()[1], flush=True)
        while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """
}
