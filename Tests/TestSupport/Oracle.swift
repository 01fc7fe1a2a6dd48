import Foundation
import OtherPrograms
package import Testing

/// An independent program, Python module or browser that a test needs and that this project does not ship.
package struct Oracle: Sendable {
    /// A required oracle is missing.
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// The fixed start of the reason for which a test is skipped; the test script counts these reasons.
    package static let reason = "oracle missing: "

    let name: String
    private let find: @Sendable () async -> String?

    /// - Parameter find: Returns the path of the program to start, nil if it is missing. It is called for each test that needs the
    ///   oracle, so expensive results should be cached.
    package init(_ name: String, find: @escaping @Sendable () async -> String?) {
        self.name = name
        self.find = find
    }

    /// A program in PATH.
    package static func program(_ name: String) -> Oracle {
        Oracle(name) {
            (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }
    }

    /// The Python that `OIDC_PREFLIGHT_PYTHON` names, or the system's, if it has all these modules.
    package static func python(_ modules: String...) -> Oracle {
        Oracle("Python with " + modules.joined(separator: ", ")) {
            await interpreters.value.first { $0.modules.isSuperset(of: modules) }?.path
        }
    }

    /// The path of the program, for a test with this oracle's trait.
    ///
    /// - Throws: ``Missing``.
    package func path() async throws -> String {
        if let path = await find() { return path }
        throw Missing(description: Self.reason + name)
    }

    /// Cancels the current test, or the current case of a parameterised one, where the oracle is missing.
    ///
    /// For an oracle that depends on the case, or that verifies the end of a longer test.
    ///
    /// - Returns: The path of the program.
    /// - Throws: ``Missing``, which fails the test, if `PREFLIGHT_REQUIRE_ORACLES` is 1.
    @discardableResult
    package func require() async throws -> String {
        if try await !permitsTest() { try Test.cancel("\(Self.reason)\(name)") }
        return try await path()
    }

    /// Whether a test with this oracle runs; without the oracle it is skipped.
    ///
    /// - Throws: ``Missing``, which fails the test, if `PREFLIGHT_REQUIRE_ORACLES` is 1.
    func permitsTest(isRequired: Bool = areRequired) async throws -> Bool {
        if isRequired { _ = try await path() }
        return await find() != nil
    }

    private static let areRequired = ProcessInfo.processInfo.environment["PREFLIGHT_REQUIRE_ORACLES"] == "1"

    /// The interpreters and the names of all modules that each finds; each interpreter is started once, and imports none of them.
    private static let interpreters = Task {
        let list = """
            import pkgutil, sys
            print(*sys.builtin_module_names, *(module.name for module in pkgutil.iter_modules()), sep="\\n")
            """
        var found: [(path: String, modules: Set<String>)] = []
        let named = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_PYTHON"] ?? ""
        for path in [named, "python3"] where !path.isEmpty {
            guard let outcome = try? await OtherProgram.run(path, ["-c", list]), outcome.isSuccess else { continue }
            found.append((path, Set(outcome.text.split(separator: "\n").map(String.init))))
        }
        return found
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test where the oracle is missing, with a reason that starts with ``Oracle/reason``; with `PREFLIGHT_REQUIRE_ORACLES=1`
    /// the test fails instead.
    package static func oracle(_ oracle: Oracle) -> Self {
        .enabled("\(Oracle.reason)\(oracle.name)") { try await oracle.permitsTest() }
    }
}
