internal import FoundationEssentials
internal import Preflight

/// Files as the commands read and write them.
enum Files {
    static func read(_ path: String) -> Result<[UInt8], FileError> {
        do {
            if path == "-" { return .success(standardInput()) }
            return .success(Array(try Data(contentsOf: URL(filePath: path))))
        } catch {
            return .failure(FileError(path: path, reason: reason(of: error, path)))
        }
    }

    /// Writes the whole file or nothing; folders on the way are made.
    static func write(_ text: String, to path: String) throws(FileError) {
        try write(Array(text.utf8), to: path)
    }

    static func write(_ octets: [UInt8], to path: String) throws(FileError) {
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                atPath: url.deletingLastPathComponent().path(),
                withIntermediateDirectories: true
            )
            // Atomic, so that an interrupted run leaves the old file or the new one and never half of it; a device or
            // a pipe cannot be replaced and is written to as it is.
            let isReplaced = !path.hasPrefix("/dev/") && (isPlainFile(path) || !exists(path))
            try Data(octets).write(to: url, options: isReplaced ? .atomic : [])
        } catch {
            throw FileError(path: path, reason: reason(of: error, path))
        }
    }

    /// Makes sure that a file can be written later: its folder is made, and a file tried in it.
    static func prepare(_ path: String) throws(FileError) {
        if path.hasPrefix("/dev/") { return }
        if isFolder(path) { throw FileError(path: path, reason: "is a folder: name a file in it") }
        let trial = path + ".\(UInt32.random(in: 0...UInt32.max)).trial"
        do {
            try write([], to: trial)
            try FileManager.default.removeItem(atPath: trial)
        } catch {
            throw FileError(path: path, reason: (error as? FileError)?.reason ?? reason(of: error, path))
        }
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// A file that is there and is no folder, pipe or device.
    static func isPlainFile(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeRegular
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    static let environment = Environment(
        variable: { Terminal.environment($0) },
        readFile: { read($0) }
    )

    private static func standardInput() -> [UInt8] {
        var bytes: [UInt8] = []
        while let line = readLine(strippingNewline: false) { bytes += Array(line.utf8) }
        return bytes
    }

    private static func reason(of error: any Error, _ path: String) -> String {
        if isFolder(path) { return "is a folder, not a file" }
        guard let error = error as? CocoaError else { return "\(error)" }
        switch error.code {
        case .fileReadNoSuchFile, .fileNoSuchFile: return "no such file"
        case .fileReadNoPermission, .fileWriteNoPermission: return "permission denied"
        case .fileWriteOutOfSpace: return "no space left"
        case .fileWriteFileExists: return "a file stands where a folder is needed"
        default: return "cannot be used (\(error.code.rawValue))"
        }
    }
}
