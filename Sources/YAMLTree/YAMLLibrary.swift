internal import CLibyaml

/// The library that YAML is read with.
package enum YAMLLibrary {
    /// The version that this process really runs with.
    package static var version: String { yaml_get_version_string().map { String(cString: $0) } ?? "unknown" }
}
