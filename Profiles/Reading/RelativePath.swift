/// Paths in a file are relative to that file, not to the working folder.
package enum RelativePath {
    /// The path of a file that another file names, relative to the working folder.
    ///
    /// A pipe below `/dev` has no folder of its own, so paths in it are relative to the working folder.
    package static func beside(_ file: String, _ path: String) -> String {
        if path.hasPrefix("/") || path == "-" { return path }
        return folder(of: file) + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
    }

    /// The path to write in a file, so that ``beside(_:_:)`` resolves it to the other file.
    ///
    /// - Parameters:
    ///   - path: The other file, relative to the working folder.
    ///   - workingFolder: An absolute path, for a file in another folder.
    package static func naming(_ path: String, in file: String, workingFolder: String) -> String {
        let folder = folder(of: file)
        if path.hasPrefix("/") || folder.isEmpty { return path }
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : "\(workingFolder)/\(path)"
    }

    /// With its slash at the end; empty for the working folder.
    private static func folder(of file: String) -> String {
        if file.hasPrefix("/dev/") || file.hasPrefix("/proc/") { return "" }
        return file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    }
}
