internal import CShims

/// Memory allocation of the process.
package enum Memory {
    /// Uses one allocation arena for all threads, for short-lived processes.
    ///
    /// Call it before a second thread starts.
    package static func shareOnePlace() {
        preflight_malloc_one_arena()
    }
}
