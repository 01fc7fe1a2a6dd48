// swift-tools-version: 6.2
import PackageDescription

/// Whether this project builds for itself: its own targets are optimised in debug builds and linked to be small.
///
/// A package that depends on this one gets ordinary flags, and can be debugged. The Makefile and the scripts set the variable; a build
/// without it is correct as well, but its programs are slower.
let isOwnBuild = Context.environment["PREFLIGHT_UNSAFE_FLAGS"] == "1"

/// Flags that SwiftPM calls unsafe; none unless the variable is set.
func unsafe(_ flags: [String], _ configuration: BuildConfiguration) -> [SwiftSetting] {
    isOwnBuild ? [.unsafeFlags(flags, .when(configuration: configuration))] : []
}

/// Every target is compiled under the same strict rules.
///
/// Imports are internal by default, so a C type in a
/// wrapper's API does not compile, and the compiler enforces the C boundary.
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    // One section per function, so that the linker can drop or reorder each.
    + unsafe(["-Xfrontend", "-function-sections"], .release)

/// Debug builds of the project itself have no debug information, which nothing reads, and no warnings.
///
/// SwiftPM puts its own `-g` after the flags of a target, so only a flag of the frontend overrides it. That saves a sixth of the build.
let quick: [SwiftSetting] = strict + unsafe(["-Xfrontend", "-gnone", "-warnings-as-errors"], .debug)

/// For code that the tests run a thousand times: optimised in debug builds too.
///
/// Each module is compiled as a whole, which saves a sixth of the time of 127 faults of the matrix. An edit then compiles its whole module, so
/// the catalogue, which changes most, is left out.
let optimised: [SwiftSetting] =
    quick + unsafe(["-O", "-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2"], .debug)

/// For code that runs once per run, or waits for a network: release builds optimise it for size.
let small: [SwiftSetting] = unsafe(["-Osize"], .release)

func module(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    path: String? = nil,
    isCold: Bool = false,
    isHotInTests: Bool = false
) -> Target {
    let settings = isHotInTests ? optimised : quick
    return .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings + (isCold ? small : []))
}

/// Groups the functions that run at startup.
///
/// `make release` unpacks their list (Scripts/start-order.py); a stale one, or none, costs memory pages and nothing else.
let startOrder = Context.environment["PREFLIGHT_START_ORDER"]
    .map { ["-Xlinker", "--symbol-ordering-file=\($0)", "-Xlinker", "--no-warn-symbol-ordering"] }

/// A released program exports no symbol, so that the linker drops all unreferenced code.
let lean: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "--gc-sections",
            "-Xlinker", "--version-script=\(Context.packageDirectory)/Scripts/link/hidden.map",
            // libxml2 is opened when it is first needed (Sources/CShims/libxml2.c), and then loads the C++ library. The part of
            // that library that Swift itself needs is linked statically.
            "-Xlinker", "--remap-inputs=*/libxml2.so=/dev/null",
            // SQLite is opened when a fleet's results are stored (Sources/CShims/sqlite3.c).
            "-Xlinker", "--remap-inputs=*/libsqlite3.so=/dev/null",
            "-Xlinker", "--remap-inputs=*/libstdc++.so=\(Context.packageDirectory)/Scripts/link/libstdc++.ld",
            // Compact relocations: a tenth of the bytes, and of the pages that every start writes to. Needs glibc 2.36.
            "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
        ] + (startOrder ?? []),
        .when(platforms: [.linux], configuration: .release)
    )
]

func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies + ["TestSupport"],
        exclude: exclude,
        swiftSettings: quick
    )
}

/// Programs of `make bench`, `make fuzz` and the sanitizers; no other build includes them.
let tools: [Target] =
    Context.environment["PREFLIGHT_TOOLS"] == "1"
    ? [
        .executableTarget(
            name: "verification-benchmark",
            dependencies: ["JOSE", "JSONTree"],
            path: "Documentation/Benchmarks/Verification",
            swiftSettings: strict
        ),
        // Uses the C boundary from many tasks.
        .executableTarget(
            name: "exercise",
            dependencies: ["JOSE", "JSONTree", "LoopbackServer", "SignIn", "Transport", "YAMLTree"],
            path: "Tests/Exercise",
            swiftSettings: quick
        ),
        .executableTarget(name: "fuzz", dependencies: ["Fuzzing"], path: "Tests/Fuzz", swiftSettings: quick),
    ] : []

let package = Package(
    name: "oidc-preflight",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "oidc-preflight", targets: ["oidc-preflight"]),
        .executable(name: "oidc-preflight-provider", targets: ["oidc-preflight-provider"]),
        // Public products; everything else is internal to this package.
        .library(name: "OIDCPreflight", targets: ["OIDCPreflight"]),
        .library(name: "OIDCPreflightTesting", targets: ["OIDCPreflightTesting"]),
    ],
    targets: [
        // C libraries, found by pkg-config, and the few lines of C that Swift cannot express.
        .systemLibrary(name: "CLibcurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .systemLibrary(name: "CLibxml2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CLibyaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CLibevent", pkgConfig: "libevent_openssl", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CShims", dependencies: ["CLibcurl", "CLibxml2", "COpenSSL", "CSQLite"]),
        .target(name: "CTexts"),

        // The adapters: no C type leaves them.
        module("JSONTree", ["CJansson"], isHotInTests: true),
        module("JOSE", ["JSONTree", "COpenSSL", "CShims"], isHotInTests: true),
        module("Transport", ["CLibcurl", "COpenSSL", "CShims"], isHotInTests: true),
        module("Browsing", ["Serving", "Transport", "JOSE", "JSONTree"], isCold: true),
        module(
            "SignIn",
            ["Browsing", "Transport", "JOSE", "JSONTree", "CLibxml2", "CShims"],
            isCold: true,
            isHotInTests: true
        ),
        module("YAMLTree", ["CLibyaml"], isHotInTests: true),
        module("SQLite", ["CSQLite", "CShims"], isCold: true),
        module("Serving", ["CLibevent", "COpenSSL", "CShims"], isHotInTests: true),
        module("Listening", ["Serving"], isCold: true),
        module("CommandTable", isCold: true),
        module("Console", ["CommandTable", "Conformance", "Profiles", "CShims"], isCold: true),
        module("ProviderTable", ["CommandTable", "Conformance"], isCold: true),

        // The shared types, and the three steps: collect, evaluate, report.
        module("Conformance", ["JSONTree"], isHotInTests: true),
        module("OAuth1", ["Conformance", "JOSE"], isCold: true, isHotInTests: true),
        module(
            "Flows",
            ["Conformance", "OAuth1", "Browsing", "SignIn", "Transport", "Listening", "JOSE", "JSONTree"],
            isCold: true,
            isHotInTests: true
        ),
        module("Catalogue", ["Conformance", "JOSE", "JSONTree"], isCold: true),
        module("Judgement", ["Conformance", "JSONTree", "CTexts"], isHotInTests: true),
        module("Reporting", ["Conformance", "JSONTree", "CLibxml2", "CShims"], isCold: true),
        module("Registering", ["Conformance", "JSONTree"], isCold: true),
        .target(
            name: "Profiles",
            dependencies: ["Conformance", "YAMLTree"],
            path: "Profiles",
            exclude: ["Products"],
            swiftSettings: quick + small,
            plugins: ["BuiltInProfiles"]
        ),
        // Each YAML file in the folder is a built-in profile.
        .plugin(name: "BuiltInProfiles", capability: .buildTool()),
        module(
            "ReferenceProvider",
            ["Conformance", "JOSE", "JSONTree", "OAuth1", "Serving", "Transport"],
            isCold: true,
            isHotInTests: true
        ),
        .target(
            name: "Preflight",
            dependencies: [
                "Browsing", "Flows", "Judgement", "Profiles", "Catalogue", "Conformance", "JOSE", "JSONTree",
                "Registering", "Serving", "SignIn", "SQLite", "Transport", "YAMLTree", "CTexts",
            ],
            exclude: ["consequences", "examples", "refusals", "known-issues"].map { "Explanations/\($0).tsv" },
            swiftSettings: quick + small
        ),
        // The library: the only module with a public API.
        module(
            "OIDCPreflight",
            ["Conformance", "Console", "Preflight", "Profiles", "Reporting", "Transport"],
            isCold: true
        ),
        module("OIDCPreflightTesting", ["OIDCPreflight"], isCold: true),
        module(
            "Fleet",
            ["Conformance", "Console", "JOSE", "JSONTree", "Preflight", "Profiles", "SQLite", "Transport"],
            isCold: true
        ),
        // The command lines; the tests run them in their own process.
        .target(
            name: "Commands",
            dependencies: [
                "CommandTable", "Console", "OIDCPreflight", "ProviderTable", "Preflight", "Reporting", "Registering",
                "Conformance", "Fleet", "JOSE", "Profiles",
            ],
            swiftSettings: quick + small
        ),
        .target(
            name: "ProviderCommands",
            dependencies: ["CommandTable", "Console", "ProviderTable", "ReferenceProvider", "Conformance", "Profiles"],
            swiftSettings: quick + small
        ),
        .executableTarget(
            name: "oidc-preflight",
            dependencies: ["Commands", "Console"],
            swiftSettings: quick + small,
            linkerSettings: isOwnBuild ? lean : nil
        ),
        .executableTarget(
            name: "oidc-preflight-provider",
            dependencies: ["ProviderCommands", "Console"],
            swiftSettings: quick + small,
            linkerSettings: isOwnBuild ? lean : nil
        ),

        // The tests, one folder per module.
        tests("ArchitectureTests", ["OtherPrograms"]),
        tests("ProfilesTests", ["Profiles", "Conformance", "OtherPrograms"]),
        tests(
            "PreflightTests",
            [
                "Browsing", "Preflight", "Profiles", "Catalogue", "Conformance", "Flows", "JOSE", "JSONTree",
                "ReferenceProvider", "Registering", "SignIn", "Transport", "OtherPrograms", "ReportRecord",
            ]
        ),
        tests(
            "OIDCPreflightTests",
            [
                "OIDCPreflight", "OIDCPreflightTesting", "Conformance", "JOSE", "JSONTree", "Profiles",
                "ReferenceProvider",
                "Serving",
            ]
        ),
        tests(
            "MatrixTests",
            [
                "OIDCPreflight", "Browsing", "Preflight", "Profiles", "Registering", "Catalogue", "ReferenceProvider",
                "Conformance",
                "SignIn",
                "JSONTree", "Flows", "JOSE", "Judgement", "OtherPrograms", "ProviderTable", "ReportRecord", "Reporting",
                "Transport",
            ]
        ),
        tests(
            "InteropTests",
            [
                "Browsing", "Preflight", "Profiles", "Conformance", "Flows", "JSONTree", "OtherPrograms",
                "ReportRecord",
                "SignIn",
            ],
            exclude: ["Providers", "Expected", "README.md", "requirements.txt"]
        ),
        tests(
            "CommandTests",
            [
                "Commands", "Console", "JSONTree", "LoopbackServer", "OtherPrograms", "ProviderCommands",
                "ReportRecord",
            ],
            exclude: [
                "answer_questions.py", "fake_runner.py", "sign_in.py", "sign_in_by_hand.py",
                "type_into_shell.py",
            ]
        ),
        // Attacks by a hostile provider, and inputs that a fuzzer found.
        tests(
            "HostileTests",
            ["Preflight", "Profiles", "Reporting", "Conformance", "JSONTree", "Transport", "LoopbackServer", "Fuzzing"]
        ),
        // The parsers of untrusted input and their invariants, for the tests and for `make fuzz`.
        .target(
            name: "Fuzzing",
            dependencies: [
                "Conformance", "Flows", "JOSE", "JSONTree", "Preflight", "SignIn", "Transport", "YAMLTree",
            ],
            path: "Tests/Fuzzing",
            swiftSettings: quick
        ),
        tests(
            "BrowsingTests",
            ["Browsing", "SignIn", "JSONTree", "Transport", "LoopbackServer", "OtherPrograms"],
            exclude: ["colours.py"]
        ),
        tests("JSONTreeTests", ["JSONTree"]),
        tests("SQLiteTests", ["SQLite", "OtherPrograms"]),
        tests(
            "FleetTests",
            ["Fleet", "Profiles", "Conformance", "JSONTree", "OtherPrograms"],
            exclude: ["issuers.py"]
        ),
        tests("YAMLTreeTests", ["YAMLTree", "OtherPrograms"], exclude: ["Fuzz", "compose.py"]),
        tests("ServingTests", ["Serving", "OtherPrograms"]),
        tests("ListeningTests", ["Listening", "OtherPrograms"], exclude: ["talk.py"]),
        tests("CommandTableTests", ["CommandTable", "OtherPrograms"]),
        tests("JOSETests", ["JOSE", "JSONTree", "OtherPrograms"]),
        tests("OAuth1Tests", ["OAuth1", "Conformance", "JSONTree", "OtherPrograms"]),
        tests(
            "ReferenceProviderTests",
            [
                "ReferenceProvider", "Conformance", "JOSE", "JSONTree", "OtherPrograms",
            ]
        ),
        // Records the reports of tests for `Scripts/validate-reports.py`.
        .target(
            name: "ReportRecord",
            dependencies: ["Conformance", "Reporting", "JSONTree", "Profiles"],
            path: "Tests/ReportRecord",
            swiftSettings: quick
        ),
        // The phase of a suite, and the programs that it needs on the machine.
        .target(
            name: "TestSupport",
            dependencies: ["OtherPrograms", "Transport"],
            path: "Tests/TestSupport",
            swiftSettings: quick
        ),
        // Runs other programs for the tests; the only user of Foundation's Process.
        .target(name: "OtherPrograms", path: "Tests/OtherPrograms", swiftSettings: quick),
        // A scripted server on the loopback address, for the tests that need raw bytes.
        module("LoopbackServer", path: "Tests/LoopbackServer"),
        tests("TransportTests", ["Transport", "LoopbackServer", "OtherPrograms"]),
        tests("SignInTests", ["SignIn", "Transport", "JSONTree", "LoopbackServer"]),
        tests(
            "FlowsTests",
            [
                "Flows", "Conformance", "JOSE", "JSONTree", "SignIn", "Transport", "LoopbackServer", "OtherPrograms",
            ]
        ),
        tests(
            "CatalogueTests",
            [
                "Catalogue", "Preflight", "Profiles", "ReferenceProvider", "Conformance", "JOSE", "JSONTree",
                "Judgement",
            ]
        ),
        tests("ConformanceTests", ["Conformance"]),
        tests("JudgementTests", ["Judgement", "Conformance", "JSONTree"]),
        tests(
            "RegisteringTests",
            [
                "Registering", "Conformance", "JSONTree", "OtherPrograms",
            ],
            exclude: ["read_registration.py", "judge_aws.py"]
        ),
        tests(
            "ReportingTests",
            [
                "Reporting", "Judgement", "Conformance", "JSONTree", "OtherPrograms",
            ],
            exclude: ["Golden", "browser.py", "read_archive.py", "read_page.py", "use_page.py"]
        ),
    ] + tools
)
