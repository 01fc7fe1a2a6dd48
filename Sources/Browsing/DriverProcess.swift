#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program that is driven, a driver or a browser, with the processes that it starts, in a process group and a folder of their own.
///
/// They end with this process, however it ends: a shell keeps the other end of a pipe that closes then, kills the group and
/// removes the folder.
struct DriverProcess: Sendable {
    /// The driver's address, on loopback.
    let port: Int
    /// Home and temporary files of the processes.
    let folder: String
    private let driver: pid_t
    private let watcher: pid_t
    private let lifeline: Int32
    private let output: Int32

    /// How long a program may take until it says where it listens, seconds.
    ///
    /// On a busy machine it takes many. A process that ends is not waited for.
    private static let timeLimit = 60.0

    /// The program to start, and how it reports its address.
    struct Launch: Sendable {
        let program: String
        /// The arguments of the program, in a folder of its own.
        let arguments: @Sendable (_ folder: String) -> [String]
        /// Variables of its context besides those of this process.
        let variables: [String]
        /// Makes what the program finds in the folder.
        let prepare: @Sendable (_ folder: String) throws(BrowserFailure) -> Void
        /// The port in what the program has written so far to its standard output, or, where ``file`` names one, to that file.
        let port: @Sendable (String) -> Int?
        /// By its path in the folder.
        let file: String?
    }

    /// Starts a program at a port of its own choice.
    ///
    /// - Parameter starts: How often it is started if it ends at once: chromedriver does if another program has taken the port that
    ///   it chose.
    static func start(
        _ launch: Launch,
        _ limit: CommandLimit,
        starts: Int = 3
    ) async throws(BrowserFailure) -> DriverProcess {
        let seconds = try limit.seconds(timeLimit)
        let folder = try makeFolder()
        let (output, lifeline): (Pipe, Pipe)
        do throws(BrowserFailure) {
            try launch.prepare(folder)
            output = try Pipe(launch.program)
        } catch {
            remove(folder)
            throw error
        }
        do throws(BrowserFailure) {
            lifeline = try Pipe(launch.program)
        } catch {
            output.close()
            remove(folder)
            throw error
        }
        // Output that nothing reads any more must not block the program.
        _ = fcntl(output.writing, F_SETFL, O_NONBLOCK)
        let context = environment(home: folder) + launch.variables
        let driver = spawn(
            [launch.program] + launch.arguments(folder),
            context,
            input: nil,
            output: output.writing
        )
        let problem = errno
        close(output.writing)
        guard let driver else {
            remove(folder)
            close(output.reading)
            lifeline.close()
            throw BrowserFailure("\(launch.program) could not be started: \(reason(problem))")
        }
        let words = ["/bin/sh", "-c", watch, "sh", String(driver), folder]
        let watcher = spawn(words, context, input: lifeline.reading, output: nil)
        close(lifeline.reading)
        guard let watcher else {
            let problem = reason(errno)
            kill(-driver, SIGKILL)
            close(output.reading)
            close(lifeline.writing)
            throw BrowserFailure("/bin/sh, which ends the browser with this program, could not be started: \(problem)")
        }
        let (port, text) = await announcedPort(launch, driver, output.reading, folder, seconds)
        let process = DriverProcess(
            port: port ?? 0,
            folder: folder,
            driver: driver,
            watcher: watcher,
            lifeline: lifeline.writing,
            output: output.reading
        )
        if port == nil {
            let isOver = hasEnded(driver)
            let ending = await process.stop().map { $0 & 0x7f == 0 ? "status \($0 >> 8)" : "signal \($0 & 0x7f)" }
            if isOver, starts > 1 { return try await start(launch, limit, starts: starts - 1) }
            let last = text.split(separator: "\n").last.map { ": \($0)" } ?? ""
            throw BrowserFailure(
                isOver
                    ? "\(launch.program) ended before it reported its address (\(ending ?? "unknown status"))\(last)"
                    : "\(launch.program) did not report its address within \(Int(seconds.rounded(.up))) s\(last)"
            )
        }
        return process
    }

    /// Removes a folder in which nothing was started.
    private static func remove(_ folder: String) {
        let words = ["/bin/rm", "-rf", "--", folder]
        guard let process = spawn(words, ["PATH=/bin"], input: nil, output: nil) else { return }
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// Whether a process has ended that was not waited for yet.
    private static func hasEnded(_ process: pid_t) -> Bool {
        var information = siginfo_t()
        let options = Int32(WEXITED) | Int32(WNOHANG) | Int32(WNOWAIT)
        guard waitid(P_PID, id_t(process), &information, options) == 0 else { return true }
        // It is zero where nothing has ended.
        return information.si_signo == SIGCHLD
    }

    /// Ends driver and browsers, and removes their folder; for one call.
    ///
    /// - Returns: The driver's status (wait(2)), if it could be read.
    @discardableResult
    func stop() async -> Int32? {
        close(lifeline)
        close(output)
        let status = await Self.wait(for: driver)
        await Self.wait(for: watcher)
        return status
    }

    /// Signals that are sent to the terminal's processes must not end the watcher before those it watches.
    ///
    /// Files that a killed browser was writing may appear while the folder is removed.
    private static let watch = """
        trap '' INT TERM HUP
        read -r line
        kill -s KILL -- "-$1"
        rm -rf -- "$2" 2>/dev/null || { sleep 1; rm -rf -- "$2"; }
        """

    @discardableResult
    private static func wait(for process: pid_t) async -> Int32? {
        var status: Int32 = 0
        for _ in 0..<500 {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return status }
            if ended < 0, errno != EINTR { return nil }
            // An interrupted wait continues all the same.
            if Task.isCancelled { usleep(10_000) }
            try? await Task.sleep(nanoseconds: 10_000_000)
        }
        return nil
    }

    /// The longest name, in bytes, of the folder in which the browser's is made.
    ///
    /// Chromium makes a socket there, `.org.chromium.Chromium.XXXXXX/SingletonSocket`, whose name may have 107 bytes (unix(7)),
    /// and does not start if it has more.
    private static let longestParent = 28

    private static func makeFolder() throws(BrowserFailure) -> String {
        let stated = getenv("TMPDIR").map { String(cString: $0) }
        let parent = stated.flatMap { $0.utf8.count <= longestParent ? $0 : nil } ?? "/tmp"
        var template = Array((parent + "/oidc-preflight-browser.XXXXXX").utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { mkdtemp($0) != nil } ?? false
        }
        guard isMade else { throw BrowserFailure("no folder could be made in \(parent): \(reason(errno))") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The environment of this process, with an empty home: no profile, certificates or settings.
    private static func environment(home: String) -> [String] {
        let replaced = ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"]
        var entries: [String] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if !replaced.contains(String(text.prefix { $0 != "=" })) { entries.append(text) }
            next += 1
        }
        return entries + replaced.map { "\($0)=\(home)" }
    }

    /// The port that the program reports, if it does, and what it has written.
    private static func announcedPort(
        _ launch: Launch,
        _ process: pid_t,
        _ output: Int32,
        _ folder: String,
        _ seconds: Double
    ) async -> (port: Int?, words: String) {
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end, !Task.isCancelled {
            let isOver = hasEnded(process)
            let count = read(output, &buffer, buffer.count)
            if count > 0 { text += String(decoding: buffer[..<count], as: UTF8.self) }
            let report = launch.file.map { content(of: folder + "/" + $0) } ?? text
            if let port = launch.port(report) { return (port, text) }
            if count > 0 { continue }
            if isOver { return (nil, text) }
            try? await Task.sleep(nanoseconds: 5_000_000)
        }
        return (nil, text)
    }

    /// The text of a small file, empty where there is none.
    private static func content(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    /// Writes a file of the program's folder.
    static func write(_ text: String, to path: String) throws(BrowserFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BrowserFailure("\(path) could not be made: \(reason(errno))") }
        defer { close(file) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writeBytes(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw BrowserFailure("\(path) could not be written: \(reason(errno))") }
            rest = rest.dropFirst(count)
        }
    }

    /// Makes a folder within the program's.
    static func makeFolder(at path: String) throws(BrowserFailure) {
        guard mkdir(path, 0o700) == 0 else {
            throw BrowserFailure("\(path) could not be made: \(reason(errno))")
        }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// Both ends are closed in other programs that are started.
    private struct Pipe {
        let reading: Int32
        let writing: Int32

        init(_ program: String) throws(BrowserFailure) {
            var ends = [Int32](repeating: 0, count: 2)
            guard pipe(&ends) == 0 else {
                throw BrowserFailure("\(program) could not be started: \(DriverProcess.reason(errno))")
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (ends[0], ends[1])
        }

        func close() {
            for end in [reading, writing] {
                #if canImport(Glibc)
                Glibc.close(end)
                #else
                Darwin.close(end)
                #endif
            }
        }
    }

    /// Starts a program as the leader of a process group; streams that are not given are /dev/null.
    private static func spawn(_ words: [String], _ environment: [String], input: Int32?, output: Int32?) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        if let output {
            for end in [STDOUT_FILENO, STDERR_FILENO] { posix_spawn_file_actions_adddup2(&actions, output, end) }
        } else {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let (arguments, variables) = (words.map { strdup($0) } + [nil], environment.map { strdup($0) } + [nil])
        defer { for text in arguments + variables { free(text) } }
        var process = pid_t()
        errno = posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
        return errno == 0 ? process : nil
    }
}

/// `write(2)`, whose name the type has as well.
private func writeBytes(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
