internal import CLibevent

/// The network library.
package enum EventLibrary {
    /// The version loaded by this process.
    package static var version: String { String(cString: event_get_version()) }
}
