internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The streams, environment variables and working folder of a command.
///
/// A program uses those of its process. A caller that embeds commands sets ``current`` for each, so that several can run in
/// parallel; the caller then handles signals and cancels the task of the command.
package final class ProcessContext: Sendable {
    /// Those of the running command.
    @TaskLocal package static var current = ProcessContext()

    /// File descriptors; the caller keeps them open until the command has ended.
    package let input: Int32
    let output: Int32
    let errors: Int32
    /// `nil` means the variables of the process, read on demand.
    private let variables: [String: String]?
    /// `nil` means the working folder of the process.
    private let workingFolder: String?
    /// Why standard output could not be written.
    let failureOfOutput = Mutex<SystemError?>(nil)
    /// The bytes of pipes that were read, by device and inode.
    let pipes = Mutex<[String: [UInt8]]>([:])

    /// Those of the process.
    private init() {
        (input, output, errors) = (STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO)
        (variables, workingFolder) = (nil, nil)
    }

    /// - Parameters:
    ///   - variables: All variables of the command; those of the process are not added.
    ///   - folder: An absolute path, the base of relative ones. Files of certificate authorities need absolute paths, because
    ///     the transport opens them itself.
    package init(input: Int32, output: Int32, errors: Int32, variables: [String: String], folder: String) {
        (self.input, self.output, self.errors) = (input, output, errors)
        (self.variables, workingFolder) = (variables, folder)
    }

    package var isOfProcess: Bool { variables == nil }

    /// The value of an environment variable.
    func variable(_ name: String) -> String? {
        if let variables { return variables[name] }
        return getenv(name).map { String(cString: $0) }
    }

    var variableNames: [String] {
        if let variables { return variables.keys.sorted() }
        var names: [String] = []
        var place = environ
        while let entry = place.pointee {
            names.append(String(String(cString: entry).prefix { $0 != "=" }))
            place += 1
        }
        return names
    }

    /// An absolute path, or `.` if the system does not report it.
    var folder: String {
        if let workingFolder { return workingFolder }
        let here = getcwd(nil, 0)
        defer { free(here) }
        return here.map { String(cString: $0) } ?? "."
    }

    /// The path for a system call, which resolves relative paths by the folder of the process.
    func place(_ path: String) -> String {
        guard let workingFolder, !path.isEmpty, !path.hasPrefix("/") else { return path }
        return "\(workingFolder)/\(path)"
    }

    /// The descriptor that a path such as `/dev/stdout`, `/dev/fd/63` or `/proc/self/fd/63` names; `nil` for any other path.
    ///
    /// The links of a file system do not count, because the author of a checkout may have made them.
    func descriptor(named path: String) -> Int32? {
        switch path {
        case "/dev/stdin": return input
        case "/dev/stdout": return output
        case "/dev/stderr": return errors
        default:
            let folder = ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix)
            return folder.flatMap { Int32(path.dropFirst($0.count)) }.flatMap { $0 < 0 ? nil : $0 }
        }
    }
}
