internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

extension Terminal {
    /// The result of waiting for a line of standard input.
    package enum Answer: Sendable, Hashable {
        case text(String)
        /// A line that exceeds the limit.
        case tooLong
        /// The input has ended.
        case ended
        /// The time limit was reached, or the task was cancelled.
        case late
    }

    /// The maximum length of a pasted line in bytes; an address with two tokens has a few thousand.
    private static let longestLine = 64 << 10

    /// Waits for a line of standard input until the time limit or until the task is cancelled.
    ///
    /// At a terminal the line is read byte by byte, and only the erase key edits it; see ``takeLongLines()``.
    package static func line(within seconds: Double) async -> Answer {
        let isOver = Flag()
        // A dispatch queue does not inherit task-local values.
        let context = ProcessContext.current
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global()
                    .async {
                        let answer = ProcessContext.$current.withValue(context) { wait(seconds, isOver) }
                        continuation.resume(returning: answer)
                    }
            }
        } onCancel: {
            isOver.value.store(true, ordering: .relaxed)
        }
    }

    /// Shared by the waiting and the cancelling code.
    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    /// Makes the terminal accept lines longer than 4,096 bytes (POSIX: `MAX_CANON`), such as an address with tokens.
    ///
    /// Call it before the prompt: the terminal truncates longer lines that are pasted earlier.
    ///
    /// - Returns: Restores the terminal.
    package static func takeLongLines() -> @Sendable () -> Void {
        var usual = termios()
        guard isTerminal(input), tcgetattr(input, &usual) == 0 else { return {} }
        var whole = usual
        whole.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(input, TCSANOW, &whole)
        let (input, restored) = (input, usual)
        return {
            var restored = restored
            tcsetattr(input, TCSANOW, &restored)
        }
    }

    private static func wait(_ seconds: Double, _ isOver: Flag) -> Answer {
        let isTerminal = isTerminal(input)
        let end = ContinuousClock.now + .seconds(seconds)
        var (bytes, isTooLong): ([UInt8], Bool) = ([], false)
        while !isOver.value.load(ordering: .relaxed), ContinuousClock.now < end {
            var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, 100)
            if ready == 0 || (ready < 0 && errno == EINTR) { continue }
            var byte: UInt8 = 0
            let count = read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            // End of transmission (Ctrl-D), which a terminal in this mode does not handle.
            let isEnd = count != 1 || (isTerminal && byte == 0x04)
            if isEnd, bytes.isEmpty { return .ended }
            if isEnd || byte == UInt8(ascii: "\n") {
                if isTerminal { write("\n", to: errors) }
                return isTooLong ? .tooLong : .text(String(decoding: bytes, as: UTF8.self))
            }
            if isTerminal, byte == 0x7F || byte == 0x08 {
                if bytes.popLast() != nil { write("\u{8} \u{8}", to: errors) }
                continue
            }
            guard bytes.count < longestLine else {
                isTooLong = true
                continue
            }
            bytes.append(byte)
            if isTerminal, byte >= 0x20 { write(String(UnicodeScalar(byte < 0x80 ? byte : 0x3F)), to: errors) }
        }
        return .late
    }

    /// Opens an address in a browser with `$BROWSER`, `open` or `xdg-open`.
    ///
    /// - Returns: False if nothing could be started.
    package static func openAddress(_ address: String) -> Bool {
        let named = (environment("BROWSER") ?? "").split(separator: ":").first
            .map { $0.split(separator: " ").map(String.init) }
        #if os(macOS)
        var words = named ?? ["open"]
        #else
        var words = named ?? ["xdg-open"]
        #endif
        if let place = words.firstIndex(of: "%s") { words[place] = address } else { words.append(address) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in STDIN_FILENO...STDERR_FILENO {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var process = pid_t()
        let pointers = words.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        let failure = posix_spawnp(&process, words[0], &actions, nil, pointers + [nil], environ)
        guard failure == 0 else { return false }
        // Waits in the background, so that the process does not become a zombie.
        let started = process
        DispatchQueue.global()
            .async {
                var status: Int32 = 0
                while waitpid(started, &status, 0) < 0, errno == EINTR {}
            }
        return true
    }

    /// Whether a browser can be shown to the user: a terminal, a display, and no build server.
    package static var canShowBrowser: Bool {
        guard isTerminal(input), isTerminal(errors), (environment("CI") ?? "").isEmpty else { return false }
        #if os(macOS)
        return true
        #else
        return ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment($0) ?? "").isEmpty }
        #endif
    }
}
