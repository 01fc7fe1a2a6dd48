internal import CJansson

/// The library that JSON is read with.
package enum JSONLibrary {
    /// The version that this process really runs with.
    package static var version: String { jansson_version_str().map { String(cString: $0) } ?? "unknown" }
}
