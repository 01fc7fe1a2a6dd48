#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The file of TLS session keys that libcurl, OpenSSL and browsers write if a variable names it.
package enum KeyLog {
    /// Removes the variable from the environment of this process and of the programs that it starts.
    ///
    /// A reader of that file could decrypt the recorded traffic, passwords included. Call it before a second thread starts.
    package static func disable() {
        unsetenv("SSLKEYLOGFILE")
    }
}
