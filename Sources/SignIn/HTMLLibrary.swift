internal import CLibxml2

/// The library that pages are read with.
package enum HTMLLibrary {
    /// The version that this was built against.
    package static var version: String { LIBXML_DOTTED_VERSION }
}
