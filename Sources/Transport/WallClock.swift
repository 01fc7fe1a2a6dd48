#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The wall clock, read when an exchange starts.
package enum WallClock {
    /// Seconds since 1970.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
