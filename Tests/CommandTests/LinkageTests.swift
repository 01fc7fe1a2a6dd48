import Foundation
import OtherPrograms
import TestSupport
import Testing

/// The libraries of the program, which affect its start time and need security updates.
@Suite("Linkage", .phase(.release), .timeLimit(.minutes(5)))
struct LinkageTests {
    /// Full Foundation includes tens of megabytes of ICU data; a second TLS stack would need separate updates.
    private static let excluded = [
        "libFoundation.so", "libFoundationInternationalization.so", "lib_FoundationICU.so", "libgnutls.so",
    ]

    /// A program that `make release` has built.
    private static func releaseBuild(_ name: String) -> Oracle {
        let path = URL(fileURLWithPath: Program.path).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("release/\(name)").path
        return Oracle("\(name) of make release") { FileManager.default.isExecutableFile(atPath: path) ? path : nil }
    }

    @Test("the program is linked with FoundationEssentials at most, and with one TLS stack")
    func libraries() async throws {
        try await Oracle.program("readelf").require()
        let needed = try await needed(by: Program.path)
        #expect(needed.contains { $0.hasPrefix("libssl.so") }, "\(needed)")
        #expect(needed.contains { $0.hasPrefix("libevent_openssl") }, "\(needed)")
        #expect(!needed.contains { library in Self.excluded.contains { library.hasPrefix($0) } }, "\(needed)")
    }

    @Test("a release build contains no ICU data and no TLS stack")
    func release() async throws {
        let path = try await Self.releaseBuild("oidc-preflight").require()
        let needed = try await needed(by: path)
        #expect(!needed.contains { $0.hasPrefix("libFoundation") || $0.hasPrefix("lib_Foundation") }, "\(needed)")
        // ICU and the C++ library come with libxml2, which is opened when a page is read; SQLite is with the first fleet.
        for later in ["libxml2", "libicu", "libstdc++", "libsqlite3"] {
            #expect(!needed.contains { $0.hasPrefix(later) }, "\(needed)")
        }
        let symbols = try await OtherProgram.run("readelf", ["--wide", "--symbols", path]).text
        for foreign in ["BoringSSL", "icudt", "_swift_FoundationICU"] {
            let isThere = symbols.contains(foreign)
            #expect(!isThere, "\(foreign) is linked into the release build")
        }
    }

    @Test("the main program contains no provider")
    func split() async throws {
        try await Oracle.program("readelf").require()
        let symbols = try await OtherProgram.run("readelf", ["--wide", "--symbols", Program.path]).text
        #expect(symbols.contains("9Catalogue") && !symbols.contains("17ReferenceProvider"))
    }

    @Test(
        "a release build is small and exports no symbols",
        arguments: ["oidc-preflight", "oidc-preflight-provider"]
    )
    func size(name: String) async throws {
        let path = try await Self.releaseBuild(name).require()
        try await Oracle.program("strip").require()
        let given = try await OtherProgram.run("readelf", ["--wide", "--dyn-syms", path]).text.split(separator: "\n")
            .filter { line in
                let words = line.split(separator: " ")
                return words.count >= 8 && words[3] == "FUNC" && words[6] != "UND"
            }
        #expect(given.count < 10, "\(given.prefix(5))")
        let folder = try TemporaryFolder()
        let stripped = folder.path + "/stripped"
        #expect(try await OtherProgram.run("strip", ["-s", "-o", stripped, path]).isSuccess)
        let size = try #require(try FileManager.default.attributesOfItem(atPath: stripped)[.size] as? Int)
        #expect(size <= 26_000_000)
    }

    private func needed(by path: String) async throws -> [String] {
        try await OtherProgram.run("readelf", ["--dynamic", path]).text.split(separator: "\n")
            .filter { $0.contains("(NEEDED)") }
            .compactMap { $0.split(separator: "[").last?.split(separator: "]").first.map(String.init) }
    }
}
