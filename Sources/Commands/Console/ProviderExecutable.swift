internal import CommandTable
internal import Conformance
internal import Console
internal import FoundationEssentials
internal import Profiles
internal import ProviderTable

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The executable of the reference provider.
enum ProviderExecutable {
    /// Its path; `nil` if it is not installed.
    static var path: String? { places.first { access($0, X_OK) == 0 && !Files.isFolder($0) } }

    /// Beside this program, in libexec, then in PATH.
    private static var places: [String] {
        let searched = (Terminal.environment("PATH") ?? "").split(separator: ":").map(String.init)
        let folders = Installation.folder.map { [$0, "\($0)/../libexec/\(Tool.name)"] } ?? []
        // A relative folder in PATH may belong to another user.
        return (folders + searched.filter { $0.hasPrefix("/") }).map { "\($0)/\(ProviderProgram.name)" }
    }

    /// Whether it is installed, and can replace this process.
    static var canTakePlace: Bool { ProcessContext.current.isOfProcess && path != nil }

    private static func found() throws(ConfigurationError) -> String {
        if let path { return path }
        let places = Installation.folder.map { "\($0), \($0)/../libexec/\(Tool.name) or PATH" } ?? "PATH"
        throw ConfigurationError(
            file: ProviderProgram.name,
            "not found in \(places). The commands provider and demo start this program. "
                + "Packages and make install install it; make build and make release build it from source"
        )
    }

    /// Replaces this process with the provider, including output, signals and exit code.
    ///
    /// - Parameter words: The command line after this program's name.
    /// - Throws: If the provider cannot be started.
    static func become(_ words: [String]) throws(ConfigurationError) -> Never {
        guard ProcessContext.current.isOfProcess else {
            throw ConfigurationError(
                file: ProviderProgram.name,
                "replaces the current process, and this command runs inside another process"
            )
        }
        let path = try found()
        // Threads of tasks block signals, and the new program inherits the signal mask.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        withCStrings([path] + words) { _ = execv(path, $0) }
        throw ConfigurationError(file: path, "could not be started: \(SystemError.last.reason)")
    }

    /// The faults, for completion; empty if the provider is not installed.
    static func faults() -> [Candidate] {
        guard let child = try? Child([ProviderProgram.command, "--list-faults"]) else { return [] }
        let bytes = (try? Bytes.read(from: child.output)) ?? []
        child.end()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .map { line in
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                return Candidate(parts[0], parts.count == 2 ? String(parts[1].drop { $0 == " " }) : "")
            }
    }

    /// Runs a provider during `body`, and always stops it afterwards.
    static func beside<Value>(
        _ persona: String,
        isFaulty: Bool,
        _ body: (RunningProvider) async throws -> Value
    ) async throws -> Value {
        let child = try Child([ProviderProgram.demonstration, persona] + (isFaulty ? ["--faults"] : []))
        guard let line = child.firstLine() else {
            // The provider has printed the reason.
            let code = child.end()
            throw ExitCode(code == 0 ? ExitCodes.defect.rawValue : code)
        }
        defer { child.end() }
        guard let provider = try? JSONDecoder().decode(RunningProvider.self, from: Data(line)),
            provider.tool == Tool.nameAndVersion
        else {
            throw ConfigurationError(
                file: child.path,
                "does not match the version of this program, \(Tool.nameAndVersion): install both from the same package"
            )
        }
        return try await body(provider)
    }

    /// The provider as a child process, which exits when its standard input is closed.
    private struct Child {
        let path: String
        /// Its standard output.
        let output: Int32
        private let input: Int32
        private let process: pid_t

        init(_ words: [String]) throws(ConfigurationError) {
            path = try ProviderExecutable.found()
            var (toChild, fromChild) = ([Int32](repeating: 0, count: 2), [Int32](repeating: 0, count: 2))
            guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else {
                throw ConfigurationError(file: path, "could not be started: \(SystemError.last.reason)")
            }
            // An end that another child inherits would stay open.
            for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
            posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            var none = sigset_t()
            sigemptyset(&none)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
            var process = pid_t()
            let (path, environment) = (path, environ)
            let failure = withCStrings([path] + words) {
                posix_spawn(&process, path, &actions, &attributes, $0, environment)
            }
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            close(toChild[0])
            close(fromChild[1])
            (input, output, self.process) = (toChild[1], fromChild[0], process)
            guard failure == 0 else {
                close(input)
                close(output)
                throw ConfigurationError(file: path, "could not be started: \(SystemError(failure).reason)")
            }
        }

        /// Its first line of output; `nil` if it exits earlier.
        func firstLine() -> [UInt8]? { try? Bytes.line(from: output) }

        /// Stops it and returns its exit code; call it once.
        @discardableResult
        func end() -> Int32 {
            close(input)
            close(output)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            // The exit code; termination by a signal counts as a defect.
            return status & 0x7F == 0 ? (status >> 8) & 0xFF : ExitCodes.defect.rawValue
        }
    }

    /// The words as a null-terminated array of C strings.
    private static func withCStrings<Value>(
        _ words: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let pointers = words.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
