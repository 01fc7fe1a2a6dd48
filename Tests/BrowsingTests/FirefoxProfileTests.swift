import Foundation
import JSONTree
import Testing

@testable import Browsing

/// The profile folder of Firefox, before its first page.
@Suite("Firefox profile", .timeLimit(.minutes(5)))
struct FirefoxProfileTests {
    private static let bounds = BrowserBounds(
        unreachable: ["app.example.com:443"],
        schemes: ["com.example.app"],
        trusted: [
            TrustedServer(place: "127.0.0.1:8443", key: "key", certificate: Array("certificate".utf8)),
            TrustedServer(place: "idp.example:443", key: "other", certificate: []),
        ]
    )

    /// The files of a written profile by name, and the permissions of the folder and of each file.
    private func profile() throws -> (texts: [String: String], modes: [Int]) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("profile-\(UUID().uuidString)")
        try FirefoxProfile.write(Self.bounds, proxy: 4711, to: folder.path)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let modes = try ([folder] + files)
            .map { url in
                let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
                return try #require(attributes[.posixPermissions] as? NSNumber).intValue
            }
        let texts = try files.map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
        return (Dictionary(uniqueKeysWithValues: texts), modes)
    }

    @Test("only this user can read the folder and its three files")
    func permissions() throws {
        let (texts, modes) = try profile()
        #expect(texts.keys.sorted() == ["cert_override.txt", "handlers.json", "user.js"])
        #expect(modes.count == 4 && modes.allSatisfy { $0 & 0o077 == 0 }, "\(modes)")
    }

    @Test("everything goes through the run's proxy, and nothing goes around it")
    func proxy() throws {
        let settings = try #require(try profile().texts["user.js"]).split(separator: "\n").map(String.init)
        let form = #/user_pref\("([A-Za-z0-9._+-]+)", ("[^"\\]*"|[0-9]+|true|false)\);/#
        let pairs = settings.compactMap { $0.wholeMatch(of: form).map { (String($0.1), String($0.2)) } }
        #expect(pairs.count == settings.count)
        // A name that occurs twice would have the last value.
        let values = Dictionary(pairs) { first, _ in first + " twice" }
        let expected = [
            "network.proxy.type": "1", "network.proxy.http": "\"127.0.0.1\"", "network.proxy.http_port": "4711",
            "network.proxy.ssl": "\"127.0.0.1\"", "network.proxy.ssl_port": "4711",
            "network.proxy.no_proxies_on": "\"\"",
            "network.proxy.allow_hijacking_localhost": "true", "network.proxy.failover_direct": "false",
            "media.peerconnection.enabled": "false", "network.http.http3.enable": "false",
            "network.webtransport.enabled": "false", "network.trr.mode": "5", "network.prefetch-next": "false",
            "network.http.speculative-parallel-limit": "0", "security.OCSP.enabled": "0",
            "signon.rememberSignons": "false",
        ]
        for (name, value) in expected { #expect(values[name] == value, "\(name)") }
    }

    @Test("a certificate is trusted at its host and port alone, by its SHA-256")
    func certificates() throws {
        let lines = try #require(try profile().texts["cert_override.txt"]).split(separator: "\n")
            .map { $0.split(separator: "\t").map(String.init) }
        // As sha256sum prints them for the bytes "certificate" and for none.
        let hashes = [
            "127.0.0.1:8443:": "03d66dd08835c1ca3f128cceacd1f31ac94163096b20f445ae84285bc0832d72",
            "idp.example:443:": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ]
        #expect(lines.count == 2)
        for line in lines {
            #expect(line.count == 3 && line[1] == "OID.2.16.840.1.101.3.4.2.1")
            #expect(line[2].replacing(":", with: "").lowercased() == hashes[line[0]], "\(line)")
        }
    }

    @Test("the scheme of an application leads to a host that does not exist")
    func schemes() throws {
        let file = try JSONDocument.parse(try #require(try profile().texts["handlers.json"])).root
        let schemes = try #require(file["schemes"]?.objectValue)
        #expect(schemes.names == ["com.example.app"])
        let handler = schemes["com.example.app"]?["handlers"]?.arrayValue?.first
        #expect(handler?["uriTemplate"] == "https://redirect-uri.invalid/?uri=%s")
    }
}
