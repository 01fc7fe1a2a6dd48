import Foundation

/// Runs shell commands, the independent oracle of these tests.
enum Tool {
    struct Failed: Error {
        let command: String
        let status: Int32
        let words: String
    }

    /// Runs a command in bash; throws unless it succeeds.
    @discardableResult
    static func run(_ command: String, in folder: String = "/") throws -> (output: [UInt8], words: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-ec", command]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let output = Pipe()
        let words = Pipe()
        process.standardOutput = output
        process.standardError = words
        try process.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        let text = String(decoding: words.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(command: command, status: process.terminationStatus, words: text)
        }
        return (bytes, text)
    }
}

/// A folder with certificates made by the `openssl` program; it goes when the value goes.
final class CertificateFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "preflight-certificates-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Tool.run(Self.script, in: path)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// An authority; certificates of it that are good, expired and for another name; one below an intermediate.
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

/// `openssl s_server` on a free loopback port, until it is stopped.
final class TLSServer {
    let port: Int
    private let process = Process()

    init(_ folder: CertificateFolder, certificate: String, chain: String? = nil, arguments: [String] = []) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.arguments =
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificate + ".pem"]
            + ["-key", certificate + ".key", "-naccept", "50"] + (chain.map { ["-cert_chain", $0 + ".pem"] } ?? [])
            + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        port = try Self.port(from: output.fileHandleForReading)
    }

    /// Ends the program, by the one signal that the threads of the test runner do not hand down as blocked.
    func stop() {
        kill(process.processIdentifier, SIGKILL)
    }

    var url: String { "https://localhost:\(port)/" }

    /// Reads the line "ACCEPT 127.0.0.1:PORT" that the server prints once it listens.
    private static func port(from handle: FileHandle) throws -> Int {
        var text = ""
        while true {
            let data = handle.availableData
            if data.isEmpty { throw Tool.Failed(command: "openssl s_server", status: 1, words: text) }
            text += String(decoding: data, as: UTF8.self)
            guard
                let line = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                    .last(where: {
                        $0.hasPrefix("ACCEPT ")
                    })
            else { continue }
            if let port = line.split(separator: ":").last.flatMap({ Int($0) }) { return port }
        }
    }
}
