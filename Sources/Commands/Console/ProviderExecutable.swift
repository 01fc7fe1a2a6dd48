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

/// The reference provider, which is a program of its own beside this one.
enum ProviderExecutable {
    /// Where it is; `nil` where it is not installed.
    static var path: String? { places.first { access($0, X_OK) == 0 && !Files.isFolder($0) } }

    /// Beside this program, where programs of programs are installed, then where the shell looks.
    private static var places: [String] {
        let searched = (Terminal.environment("PATH") ?? "").split(separator: ":").map(String.init)
        let folders = Installation.folder.map { [$0, "\($0)/../libexec/\(Tool.name)"] } ?? []
        // A folder that is named from the working folder may be anybody's.
        return (folders + searched.filter { $0.hasPrefix("/") }).map { "\($0)/\(ProviderProgram.name)" }
    }

    /// Whether it is installed and this command has a process of its own, whose place it can take.
    static var canTakePlace: Bool { Surroundings.current.isOfProcess && path != nil }

    private static func found() throws(ConfigurationError) -> String {
        if let path { return path }
        let places = Installation.folder.map { "\($0), \($0)/../libexec/\(Tool.name) or PATH" } ?? "PATH"
        throw ConfigurationError(
            file: ProviderProgram.name,
            "not found in \(places). The reference provider is a program of its own, which provider and demo start: "
                + "packages and make install put it there; from the sources it is built by make build or make release"
        )
    }

    /// Turns this process into the provider: its output, signals and exit code are those of this program from here on.
    ///
    /// - Parameter words: The command line after this program's name.
    /// - Returns: Never; it throws what kept it from that.
    static func become(_ words: [String]) throws(ConfigurationError) -> Never {
        guard Surroundings.current.isOfProcess else {
            throw ConfigurationError(
                file: ProviderProgram.name,
                "takes the place of a process, and this command runs inside another's"
            )
        }
        let path = try found()
        // The threads that tasks run on hear no signals, and a program begins as the thread that starts it.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        withCStrings([path] + words) { _ = execv(path, $0) }
        throw ConfigurationError(file: path, "could not be started: \(SystemError.last.reason)")
    }

    /// The faults, for completion; none where the provider cannot be asked.
    static func faults() -> [Candidate] {
        guard let child = try? Child([ProviderProgram.command, "--list-faults"]) else { return [] }
        let octets = (try? Octets.read(from: child.output)) ?? []
        child.end()
        return String(decoding: octets, as: UTF8.self).split(separator: "\n")
            .map { line in
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                return Candidate(parts[0], parts.count == 2 ? String(parts[1].drop { $0 == " " }) : "")
            }
    }

    /// Runs a provider beside `body`, and ends it whatever comes of that.
    static func beside<Value>(
        _ persona: String,
        isFaulty: Bool,
        _ body: (ProviderOnShow) async throws -> Value
    ) async throws -> Value {
        let child = try Child([ProviderProgram.demonstration, persona] + (isFaulty ? ["--faults"] : []))
        guard let line = child.firstLine() else {
            // It has said why.
            let code = child.end()
            throw ExitCode(code == 0 ? Ending.defect.rawValue : code)
        }
        defer { child.end() }
        guard let provider = try? JSONDecoder().decode(ProviderOnShow.self, from: Data(line)),
            provider.tool == Tool.nameAndVersion
        else {
            throw ConfigurationError(
                file: child.path,
                "is not of the version of this program, \(Tool.nameAndVersion): install both from one package"
            )
        }
        return try await body(provider)
    }

    /// The provider as a process beside this one, which ends with its standard input.
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
            // An end that another child held too would never be seen to close.
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

        /// What it writes up to its first line feed; `nil` where it ends before that.
        func firstLine() -> [UInt8]? { try? Octets.line(from: output) }

        /// Ends it and says how it ended; for one call.
        @discardableResult
        func end() -> Int32 {
            close(input)
            close(output)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            // The exit code; a signal's end counts as a defect.
            return status & 0x7F == 0 ? (status >> 8) & 0xFF : Ending.defect.rawValue
        }
    }

    /// The words as C wants the command line of a program: pointers, and a null at their end.
    private static func withCStrings<Value>(
        _ words: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let pointers = words.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
