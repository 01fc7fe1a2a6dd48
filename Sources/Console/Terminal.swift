package import Conformance
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The standard streams, and the properties of the terminal.
package enum Terminal {
    /// Standard output.
    package static var output: Int32 { ProcessContext.current.output }
    /// Standard input.
    package static var input: Int32 { ProcessContext.current.input }
    /// Standard error.
    package static var errors: Int32 { ProcessContext.current.errors }

    /// Whether the user can be prompted: standard input and output are terminals.
    package static var canAsk: Bool { isTerminal(input) && isTerminal(output) }

    package static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }

    /// Colour is used on terminals, unless `NO_COLOR` is set (no-color.org) or the terminal is dumb.
    package static func wantsColor(_ descriptor: Int32) -> Bool {
        guard environment("NO_COLOR").map(\.isEmpty) ?? true, environment("TERM") != "dumb" else { return false }
        return isTerminal(descriptor)
    }

    /// Columns; 80 without a terminal.
    package static func width(_ descriptor: Int32) -> Int {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return environment("COLUMNS").flatMap { Int($0) } ?? 80
    }

    package static func environment(_ name: String) -> String? { ProcessContext.current.variable(name) }

    /// The names of all variables that are set.
    package static var environmentNames: [String] { ProcessContext.current.variableNames }

    /// Makes the three standard streams of the process safe to use.
    ///
    /// A write to a closed pipe fails instead of ending the program: `| head -1` must not lose other reports or the exit
    /// code. A stream that was closed before the start (`>&-`) is replaced by one that fails; otherwise the next opened
    /// file would get its descriptor.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Why standard output could not be written, such as a full disk; `nil` if there was no error.
    package static var failureOfOutput: SystemError? { ProcessContext.current.failureOfOutput.withLock { $0 } }

    /// Writes all of the text; a closed pipe is ignored.
    package static func write(_ text: String, to descriptor: Int32) {
        do throws(SystemError) {
            try Bytes.write(Array(text.utf8), to: descriptor)
        } catch {
            let context = ProcessContext.current
            guard descriptor == context.output, error.number != EPIPE else { return }
            context.failureOfOutput.withLock { $0 = error }
        }
    }

    /// The next line of standard input, without its line end; `nil` at the end of input.
    package static func line() -> String? {
        var bytes: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = Glibc.read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }

    /// Prints a prompt without a line feed.
    package static func prompt(_ text: String) {
        write(LogText.defused(text), to: output)
    }

    /// Prints a text with a final line feed, escaped so that no terminal or build server interprets it.
    package static func print(_ text: String, as form: LogText.Form = .text) {
        let text = LogText.defused(text, as: form)
        write(text.hasSuffix("\n") ? text : text + "\n", to: output)
    }

    /// Prints text generated for another program, such as a script, without escaping.
    package static func printVerbatim(_ text: String) {
        write(text.hasSuffix("\n") ? text : text + "\n", to: output)
    }

    /// Prints an escaped text to standard error.
    package static func complain(_ text: String) {
        let text = LogText.defused(text)
        write(text.hasSuffix("\n") ? text : text + "\n", to: errors)
    }

    /// Seconds since 1970.
    package static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
