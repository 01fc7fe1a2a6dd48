internal import CLibxml2
internal import CShims

/// The library that parses pages; it is loaded for the first page.
package enum HTMLLibrary {
    /// The version that this was built against.
    package static var version: String { LIBXML_DOTTED_VERSION }

    /// Why it cannot be used; `nil` where it can.
    package static var problem: String? { preflight_libxml2_problem().map { String(cString: $0) } }
}
