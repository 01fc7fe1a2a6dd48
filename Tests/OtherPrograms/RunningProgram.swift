import Foundation
import Synchronization

/// A program that runs beside a test, until it ends, is sent a signal or exceeds its limit.
///
/// The program leads a process group. The whole group is killed when the limit is exceeded, when the task that waits in ``end()`` is
/// cancelled, and when the value is released.
package final class RunningProgram: Sendable {
    /// The lines of its standard output, for one reader.
    ///
    /// The stream ends with the program, at its limit at the latest.
    package let lines: AsyncStream<String>
    /// The lines of its standard error, for one reader.
    ///
    /// The stream ends with the program, at its limit at the latest.
    package let errorLines: AsyncStream<String>

    /// Variables that announce a build server to a program; they are removed, because the tests run there as well.
    private static let ofBuildServers: Set = [
        "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_WORKSPACE", "GITLAB_CI", "CI_PROJECT_DIR",
        "TF_BUILD",
        "AGENT_TEMPDIRECTORY", "BUILD_SOURCESDIRECTORY",
    ]

    private let command: String
    private let limit: Duration
    private let process: Process
    private let input: Mutex<FileHandle?>
    private let output: Collected
    private let errors: Collected
    /// The program has ended and its output has been read, or the wait for it was given up.
    private let ending = Event()
    private let isOverdue = Mutex(false)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: A name that is looked up in PATH, or a path.
    ///   - environment: Changes to this process's own; nil removes a variable.
    ///   - folder: Where it runs; this process's own when nil.
    ///   - limit: The time after which the program and its children are killed.
    package init(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String?] = [:],
        in folder: String? = nil,
        limit: Duration = OtherProgram.usualLimit
    ) throws {
        // A program that ends without reading its input must not end this one.
        signal(SIGPIPE, SIG_IGN)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !Self.ofBuildServers.contains($0.key) }
            .merging(environment.compactMapValues(\.self)) { $1 }
            .filter { environment[$0.key] != .some(nil) }
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        let open = DispatchGroup()
        open.enter()
        process.terminationHandler = { _ in open.leave() }
        try Self.withEverySignal { try process.run() }
        command = ([program] + arguments).joined(separator: " ")
        self.limit = limit
        self.process = process
        self.input = Mutex(input.fileHandleForWriting)
        self.output = Collected(output, open)
        self.errors = Collected(errors, open)
        lines = self.output.lines
        errorLines = self.errors.lines
        let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
        let timer = DispatchWorkItem { [weak self] in
            self?.isOverdue.withLock { $0 = true }
            self?.kill()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: timer)
        open.notify(queue: .global()) { [ending] in
            timer.cancel()
            ending.happen()
        }
    }

    deinit { kill() }

    /// Writes the whole input and closes it, on its own thread; the second call does nothing.
    package func feed(_ bytes: [UInt8]) {
        guard
            let handle = input.withLock({ handle in
                defer { handle = nil }
                return handle
            })
        else { return }
        if bytes.isEmpty {
            try? handle.close()
        } else {
            DispatchQueue.global()
                .async {
                    try? handle.write(contentsOf: bytes)
                    try? handle.close()
                }
        }
    }

    package func send(_ signal: Int32) {
        if process.isRunning { Foundation.kill(process.processIdentifier, signal) }
    }

    /// Kills the process group and ends the streams of lines; does nothing once the program has ended and its output has been read.
    ///
    /// Later output of a grandchild in another process group is ignored.
    package func kill() {
        if ending.hasHappened { return }
        let identifier = process.processIdentifier
        let leadsGroup = !process.isRunning || getpgid(identifier) == identifier
        Foundation.kill(leadsGroup ? -identifier : identifier, SIGKILL)
        output.finish()
        errors.finish()
        ending.happen()
    }

    /// Waits until the program has ended and all its output has been read.
    ///
    /// - Throws: ``OtherProgram/Failure`` with the output so far if the program exceeded its limit; `CancellationError` if the task is
    ///   cancelled.
    package func end() async throws -> OtherProgram.Outcome {
        await withTaskCancellationHandler {
            await ending.wait()
        } onCancel: {
            kill()
        }
        input.withLock { handle in
            try? handle?.close()
            handle = nil
        }
        if isOverdue.withLock({ $0 }) {
            throw OtherProgram.Failure(
                description: """
                    \(command)
                    exceeded its limit of \(limit) and was killed. Standard output so far:
                    \(String(decoding: output.bytes.suffix(8_000), as: UTF8.self))
                    Standard error so far:
                    \(String(decoding: errors.bytes.suffix(8_000), as: UTF8.self))
                    """
            )
        }
        try Task.checkCancellation()
        // The event of `kill()` may come before the system has reported the death.
        if process.isRunning { return outcome(code: 256 + Int(SIGKILL)) }
        let code = Int(process.terminationStatus)
        return outcome(code: process.terminationReason == .uncaughtSignal ? 256 + code : code)
    }

    private func outcome(code: Int) -> OtherProgram.Outcome {
        OtherProgram.Outcome(
            code: code,
            output: output.bytes,
            errors: String(decoding: errors.bytes, as: UTF8.self)
        )
    }

    /// A child inherits the mask of the thread that starts it, and those of the test runner block most signals: without
    /// this, SIGINT and SIGTERM would never reach the program.
    private static func withEverySignal(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }
}

/// The output read from a pipe so far; a reference, shared with the reading thread.
private final class Collected: Sendable {
    let lines: AsyncStream<String>
    private let all = Mutex<[UInt8]>([])
    private let continuation: AsyncStream<String>.Continuation

    /// Reads a pipe to its end on a thread of its own, which `open` counts.
    init(_ pipe: Pipe, _ open: DispatchGroup) {
        (lines, continuation) = AsyncStream<String>.makeStream()
        let handle = pipe.fileHandleForReading
        open.enter()
        let thread = Thread { [self] in
            var line: [UInt8] = []
            while true {
                let data = handle.availableData
                if data.isEmpty { break }
                all.withLock { $0.append(contentsOf: data) }
                for byte in data {
                    if byte == UInt8(ascii: "\n") {
                        continuation.yield(String(decoding: line, as: UTF8.self))
                        line = []
                    } else {
                        line.append(byte)
                    }
                }
            }
            // A thousand programs of a test run would leave as many pipes open.
            try? handle.close()
            if !line.isEmpty { continuation.yield(String(decoding: line, as: UTF8.self)) }
            continuation.finish()
            open.leave()
        }
        thread.start()
    }

    var bytes: [UInt8] { all.withLock { $0 } }

    /// Ends the stream of lines, whether or not the pipe has been read to its end.
    func finish() { continuation.finish() }
}
