import Foundation
import TestSupport
import Testing

/// Variables that curl and OpenSSL read too.
@Suite("Variables of the environment", .phase(.programs), .timeLimit(.minutes(5)))
struct EnvironmentTests {
    private static let none: [String: String?] = ["CURL_CA_BUNDLE": nil, "SSL_CERT_FILE": nil, "SSL_CERT_DIR": nil]

    @Test("certificate authorities are those of CURL_CA_BUNDLE, else of SSL_CERT_FILE, else the system's")
    func authorities() async throws {
        try await ReferenceServer.run { server in
            let words = ["check", server.issuer, "-q", "--only", "discovery"]
            let gone = server.folder + "/gone.pem"
            for (changes, code) in [
                ([:], 2), (["SSL_CERT_FILE": server.authority], 0), (["CURL_CA_BUNDLE": server.authority], 0),
                (["CURL_CA_BUNDLE": server.authority, "SSL_CERT_FILE": gone], 0),
                (["SSL_CERT_FILE": ""], 2), (["SSL_CERT_FILE": gone], 2),
            ] as [([String: String], Int)] {
                let environment = Self.none.merging(changes.mapValues { .some($0) }) { $1 }
                let result = try await Program.spawn(words, environment: environment)
                #expect(result.code == code, "\(changes): \(result.output)\(result.errors)")
                // The error names the variable.
                #expect(
                    result.output.contains("gone.pem (SSL_CERT_FILE)") == (code == 2 && changes.values.contains(gone))
                )
            }
        }
    }

    @Test(
        "doctor shows the variables in effect",
        arguments: [
            ([:], 0, ["trust     the system's authorities", "proxy     none"]),
            (
                ["SSL_CERT_FILE": "/gone/ca.pem"], 1,
                ["trust     /gone/ca.pem, from SSL_CERT_FILE", "SSL_CERT_FILE: cannot read the file of"]
            ),
            (["SSL_CERT_DIR": "/etc/ssl/certs"], 0, ["trust     /etc/ssl/certs, from SSL_CERT_DIR"]),
            (
                ["https_proxy": "http://me:hush-hush@proxy.example:3128", "NO_PROXY": "internal.example"], 0,
                [
                    "proxy     http://…@proxy.example:3128 for https; not for internal.example; never for the local machine"
                ]
            ),
            (["HTTP_PROXY": "http://proxy.example"], 0, ["proxy     none"]),
        ] as [([String: String], Int, [String])]
    )
    func doctor(changes: [String: String], code: Int, lines: [String]) async throws {
        let proxies = [
            "https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        ]
        let silent = proxies.reduce(into: Self.none) { $0[$1] = .some(nil) }
        let result = try await Program.spawn(
            ["doctor"],
            environment: silent.merging(changes.mapValues { .some($0) }) { $1 }
        )
        #expect(result.code == code, "\(result.errors)")
        for line in lines {
            #expect((result.output + result.errors).contains(line), "\(result.output)\(result.errors)")
        }
        #expect(!result.output.contains("hush-hush"))
    }

    @Test("no file of TLS keys is written, whatever SSLKEYLOGFILE names")
    func keyLog() async throws {
        try await ReferenceServer.run { server in
            let file = server.folder + "/keys.log"
            let result = try await Program.spawn(
                ["check", "--config", server.configuration, "-q"],
                environment: server.environment.merging(["SSLKEYLOGFILE": file]) { $1 }
            )
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test("https to a plain http port is reported as such")
    func plain() async throws {
        try await ReferenceServer.run(["--http"]) { server in
            let issuer = server.issuer.replacing("http://", with: "https://")
            let result = try await Program.spawn(["check", issuer])
            let reported = result.output.replacing(/\s+/, with: " ")
            #expect(reported.contains("the port does not speak TLS, but most probably plain HTTP"), "\(result.output)")
            #expect(reported.contains("begin the address with http://"))
        }
    }
}
