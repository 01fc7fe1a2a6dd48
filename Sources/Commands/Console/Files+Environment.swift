internal import Console
internal import Preflight

extension Files {
    /// The environment for reading configurations.
    static let environment = Environment(
        variable: { Terminal.environment($0) },
        readFile: { read($0, as: $1) },
        names: { Terminal.environmentNames },
        permissions: { permissions(of: $0) }
    )
}
