import Foundation
import Testing

/// The modules and their allowed dependencies, as in the architecture.
private let modules: [(folder: String, mayImport: Set<String>)] = [
    ("Sources/oidc-preflight", ["Commands", "Console"]),
    ("Sources/oidc-preflight-provider", ["Console", "ProviderCommands"]),
    (
        "Sources/Commands",
        [
            "CommandTable", "Console", "Fleet", "OIDCPreflight", "ProviderTable", "Preflight", "Reporting",
            "Registering", "Conformance", "JOSE", "Profiles",
        ]
    ),
    (
        "Sources/Fleet",
        ["Conformance", "Console", "JOSE", "JSONTree", "Preflight", "Profiles", "SQLite", "Transport"]
    ),
    (
        "Sources/ProviderCommands",
        ["CommandTable", "Console", "ProviderTable", "ReferenceProvider", "Conformance", "Profiles"]
    ),
    ("Sources/OIDCPreflight", ["Conformance", "Console", "Preflight", "Profiles", "Reporting", "Transport"]),
    ("Sources/OIDCPreflightTesting", ["OIDCPreflight"]),
    ("Sources/Console", ["CommandTable", "Conformance", "Profiles", "CShims"]),
    ("Sources/ProviderTable", ["CommandTable", "Conformance"]),
    (
        "Sources/Preflight",
        [
            "Browsing", "Flows", "Judgement", "Profiles", "Catalogue", "Conformance", "JOSE", "JSONTree", "Registering",
            "Serving", "SignIn", "SQLite", "Transport", "YAMLTree", "CTexts",
        ]
    ),
    ("Profiles", ["Conformance", "YAMLTree", "CTexts"]),
    ("Sources/Judgement", ["Conformance", "JSONTree", "CTexts"]),
    ("Sources/Reporting", ["Conformance", "JSONTree", "CLibxml2"]),
    ("Sources/Registering", ["Conformance", "JSONTree"]),
    ("Sources/Catalogue", ["Conformance", "JOSE", "JSONTree"]),
    (
        "Sources/Flows",
        ["Conformance", "OAuth1", "Browsing", "SignIn", "Transport", "Listening", "JOSE", "JSONTree"]
    ),
    ("Sources/OAuth1", ["Conformance", "JOSE"]),
    ("Sources/CommandTable", []),
    ("Sources/Listening", ["Serving"]),
    ("Sources/Serving", ["CLibevent", "COpenSSL", "CShims"]),
    ("Sources/YAMLTree", ["CLibyaml"]),
    ("Sources/SQLite", ["CSQLite", "CShims"]),
    ("Sources/SignIn", ["Browsing", "Transport", "JOSE", "JSONTree", "CLibxml2", "CShims"]),
    ("Sources/Browsing", ["Serving", "Transport", "JOSE", "JSONTree"]),
    // The provider sends its own messages: back-channel logout.
    ("Sources/ReferenceProvider", ["Conformance", "JOSE", "JSONTree", "OAuth1", "Serving", "Transport"]),
    ("Sources/Conformance", ["JSONTree"]),
    ("Sources/Transport", ["CLibcurl", "COpenSSL", "CShims"]),
    ("Sources/JOSE", ["JSONTree", "COpenSSL", "CShims"]),
    ("Sources/JSONTree", ["CJansson"]),
]

/// All modules of this project; modules of libraries are not checked here.
private let moduleNames: Set<String> = [
    "Browsing", "Preflight", "Flows", "Judgement", "Profiles", "Catalogue", "Conformance", "JSONTree", "SignIn",
    "Transport",
    "JOSE", "Listening", "OAuth1", "Serving", "YAMLTree", "CommandTable", "Commands", "Console",
    "ProviderCommands", "ProviderTable",
    "Reporting", "Registering", "ReferenceProvider", "CLibcurl", "COpenSSL", "CJansson", "CLibxml2", "CLibyaml",
    "CLibevent", "CShims", "CTexts", "OIDCPreflight", "OIDCPreflightTesting", "CSQLite", "SQLite", "Fleet",
]

@Suite("Architecture", .timeLimit(.minutes(5)))
struct ImportTests {
    @Test("a module imports only modules that the architecture allows", arguments: modules.map(\.folder))
    func arrows(folder: String) throws {
        let allowed = try #require(modules.first { $0.folder == folder }).mayImport
        let files = try Repository.swiftFiles(in: folder)
        #expect(!files.isEmpty, "\(folder) holds no Swift file")
        for file in files {
            for module in file.imports where moduleNames.contains(module) {
                #expect(allowed.contains(module), "\(file.path) imports \(module)")
            }
        }
    }

    @Test("only the library has public declarations")
    func onePublicModule() throws {
        for (folder, _) in modules where !folder.hasPrefix("Sources/OIDCPreflight") {
            for file in try Repository.swiftFiles(in: folder) {
                for (index, line) in file.lines.enumerated() {
                    let isPublic = line.drop { $0 == " " }.hasPrefix("public ")
                    #expect(!isPublic, "\(file.path):\(index + 1): a public declaration is part of the library's API")
                }
            }
        }
        for file in try Repository.swiftFiles(in: "Sources/OIDCPreflight") {
            for line in file.lines where line.hasPrefix("public import") {
                Issue.record("\(file.path) makes another module part of what is promised: \(line)")
            }
        }
    }

    @Test("every source folder is a module whose imports are checked")
    func everyFolderIsGuarded() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Sources")
            .filter {
                !$0.hasPrefix("C") || ["Conformance", "Catalogue", "Console", "CommandTable", "Commands"].contains($0)
            }
            .map { "Sources/\($0)" }
        #expect(Set(folders).subtracting(modules.map(\.folder)).isEmpty)
    }

    @Test("C libraries and full Foundation stay behind their adapters")
    func foundation() throws {
        for folder in modules.map(\.folder) {
            for file in try Repository.swiftFiles(in: folder) {
                #expect(!file.imports.contains("Foundation"), "\(file.path) imports Foundation: slower start-up")
            }
        }
    }
}

@Suite("Conventions", .timeLimit(.minutes(5)))
struct ConventionTests {
    @Test("no file is longer than 500 lines", arguments: ["Sources", "Tests", "Profiles"])
    func lengths(folder: String) throws {
        for file in try Repository.swiftFiles(in: folder) {
            #expect(file.lines.count <= 500, "\(file.path) has \(file.lines.count) lines: split it")
        }
    }

    @Test("code that the compiler cannot verify has a comment")
    func explainedTrust() throws {
        let words = ["@unchecked Sendable", "nonisolated(unsafe)", "unsafeBitCast", "assumingMemoryBound"]
        for file in try Repository.swiftFiles(in: "Sources") {
            for (index, line) in file.lines.enumerated() where words.contains(where: line.contains) {
                let before = file.lines[max(0, index - 6)...index]
                #expect(
                    before.contains { $0.contains("//") },
                    "\(file.path):\(index + 1) needs a comment that says why this is safe"
                )
            }
        }
    }

    @Test("the sources have no reminders and no forced operations")
    func noLeftovers() throws {
        let words = ["TO" + "DO", "FIX" + "ME", "fatal" + "Error(", "try" + "!", " as" + "! "]
        for folder in ["Sources", "Profiles"] {
            for file in try Repository.swiftFiles(in: folder) {
                for (index, line) in file.lines.enumerated() {
                    #expect(!words.contains(where: line.contains), "\(file.path):\(index + 1): \(line)")
                }
            }
        }
    }

    @Test("check groups stay small")
    func groups() throws {
        for file in try Repository.swiftFiles(in: "Sources/Catalogue") {
            let checks = file.lines.count { $0.contains("static let ") && $0.contains("= Check(") }
            #expect(checks <= 25, "\(file.path) declares \(checks) checks")
        }
    }

    @Test("the catalogue and the faults mirror each other, folder by folder")
    func mirror() throws {
        for folder in try FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Sources/Catalogue")
        where !folder.hasSuffix(".swift") {
            // Rules that several stages share, without checks.
            if folder == "Families" { continue }
            let faults = Repository.root + "/Sources/ReferenceProvider/Faults/" + folder
            #expect(FileManager.default.fileExists(atPath: faults), "Faults/\(folder) is missing")
        }
    }
}
