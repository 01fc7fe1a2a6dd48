import Foundation
import Synchronization

/// A program that runs beside a test, until it ends or is sent a signal.
package final class RunningProgram: Sendable {
    /// The lines of its standard output, as they come; for one reader.
    package let lines: AsyncStream<String>
    /// The lines of its standard error, as they come; for one reader.
    package let errorLines: AsyncStream<String>

    /// What tells a program that a build server reads its output: the tests run there as well, and mean no output for it.
    private static let ofBuildServers: Set = [
        "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_WORKSPACE", "GITLAB_CI", "CI_PROJECT_DIR",
        "TF_BUILD",
        "AGENT_TEMPDIRECTORY", "BUILD_SOURCESDIRECTORY",
    ]

    private let process: Process
    private let input: Mutex<FileHandle?>
    private let output: Collected
    private let errors: Collected
    private let ending = DispatchGroup()

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: A name that is looked up in PATH, or a path.
    ///   - environment: Changes to this process's own; nil takes a variable away.
    ///   - folder: Where it runs; this process's own when nil.
    package init(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String?] = [:],
        in folder: String? = nil
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
        ending.enter()
        process.terminationHandler = { [ending] _ in ending.leave() }
        try Self.withEverySignal { try process.run() }
        self.process = process
        self.input = Mutex(input.fileHandleForWriting)
        (self.output, lines) = Self.collect(output, ending)
        (self.errors, errorLines) = Self.collect(errors, ending)
    }

    /// Hands over the whole input and closes it, on a thread of its own; the second call does nothing.
    package func feed(_ octets: [UInt8]) {
        guard
            let handle = input.withLock({ handle in
                defer { handle = nil }
                return handle
            })
        else { return }
        if octets.isEmpty {
            try? handle.close()
        } else {
            DispatchQueue.global()
                .async {
                    try? handle.write(contentsOf: octets)
                    try? handle.close()
                }
        }
    }

    package func send(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    /// Waits until the program has ended and everything that it said has been read.
    package func end() async -> OtherProgram.Outcome {
        await withCheckedContinuation { continuation in
            ending.notify(queue: .global()) { continuation.resume() }
        }
        return outcome
    }

    /// The same for callers that cannot wait asynchronously.
    package func waitUntilEnd() -> OtherProgram.Outcome {
        ending.wait()
        return outcome
    }

    private var outcome: OtherProgram.Outcome {
        input.withLock { handle in
            try? handle?.close()
            handle = nil
        }
        let code = Int(process.terminationStatus)
        return OtherProgram.Outcome(
            code: process.terminationReason == .uncaughtSignal ? 256 + code : code,
            output: output.octets,
            errors: String(decoding: errors.octets, as: UTF8.self)
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

    /// Reads a pipe to its end on a thread of its own.
    private static func collect(_ pipe: Pipe, _ ending: DispatchGroup) -> (Collected, AsyncStream<String>) {
        let collected = Collected()
        let (lines, continuation) = AsyncStream<String>.makeStream()
        let handle = pipe.fileHandleForReading
        ending.enter()
        let thread = Thread {
            var line: [UInt8] = []
            while true {
                let data = handle.availableData
                if data.isEmpty { break }
                collected.add(data)
                for octet in data {
                    if octet == UInt8(ascii: "\n") {
                        continuation.yield(String(decoding: line, as: UTF8.self))
                        line = []
                    } else {
                        line.append(octet)
                    }
                }
            }
            // A thousand programs of a test run would leave as many pipes open.
            try? handle.close()
            if !line.isEmpty { continuation.yield(String(decoding: line, as: UTF8.self)) }
            continuation.finish()
            ending.leave()
        }
        thread.start()
        return (collected, lines)
    }
}

/// What has been read so far; reference to be shared with the thread that reads.
private final class Collected: Sendable {
    private let all = Mutex<[UInt8]>([])

    var octets: [UInt8] { all.withLock { $0 } }

    func add(_ data: Data) {
        all.withLock { $0.append(contentsOf: data) }
    }
}
