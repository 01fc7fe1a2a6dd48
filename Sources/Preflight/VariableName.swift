/// The name of an environment variable that contains a secret.
package enum VariableName {
    /// Why a text is not accepted as a name; `nil` if it is.
    ///
    /// The text may be the secret itself, so the message does not repeat it.
    ///
    /// - Parameters:
    ///   - isSet: Whether a variable of this name is set.
    ///   - suggested: The name that Return enters.
    package static func problem(in text: String, isSet: Bool, suggested: String) -> String? {
        if mayBeShown(text, isSet: isSet) { return nil }
        return "This is no name of a variable that is set. If it is the secret itself, keep it out of the file: "
            + "enter the NAME of the variable (Return: \(suggested))."
    }

    /// Whether a text is a name and not a pasted secret.
    ///
    /// A name has letters, digits and underscores, and is set, or in capitals and short or of several words: the secret of a
    /// one-time code has capitals and digits, too.
    package static func mayBeShown(_ text: String, isSet: Bool) -> Bool {
        let isName = text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
        return isName && (isSet || text == text.uppercased() && (text.contains("_") || text.utf8.count < 16))
    }
}
