/// Files that a file names: found beside it, wherever the tool was started.
package enum RelativePath {
    /// Where a file names another, seen from the working folder.
    ///
    /// What is no file of a folder, such as a pipe below `/dev`, has nothing beside it.
    package static func beside(_ file: String, _ path: String) -> String {
        if path.hasPrefix("/") || path == "-" { return path }
        return folder(of: file) + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
    }

    /// How a file names another, so that ``beside(_:_:)`` finds it again.
    ///
    /// - Parameters:
    ///   - path: The other file, seen from the working folder.
    ///   - workingFolder: An absolute path, for a file that lies somewhere else.
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
