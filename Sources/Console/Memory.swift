internal import CShims

/// Where a program has its memory from.
package enum Memory {
    /// Lets all threads have theirs from one place, for programs that are started often and run for a moment.
    ///
    /// It is to be said before there is a second thread.
    package static func shareOnePlace() {
        preflight_malloc_one_arena()
    }
}
