internal import CLibevent

/// The library that moves the octets.
package enum EventLibrary {
    /// The version that this process really runs with.
    package static var version: String { String(cString: event_get_version()) }
}
