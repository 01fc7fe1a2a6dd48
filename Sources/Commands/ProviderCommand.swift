internal import CommandTable
internal import ProviderTable

/// Passes the command line to the provider program.
enum ProviderCommand {
    static let arguments = ProviderArguments(persona: .persona, fallback: ProviderProgram.personas[0], fault: .fault)
    static let command = arguments.command { _ in try ProviderExecutable.become(PreflightProgram.words) }
}

extension Kind where Value == String {
    /// A kind of provider that the reference provider can imitate.
    fileprivate static var persona: Self {
        let names = ProviderProgram.personas
        return Kind("NAME", words: names, completion: .words { names.map { Candidate($0) } }) { word in
            if names.contains(word) { return .success(word) }
            return .failure(word.isEmpty ? .empty : .unlisted)
        }
    }

    /// Any word: the provider program validates its faults itself.
    fileprivate static var fault: Self {
        Kind("ID", completion: .words { ProviderExecutable.faults() }) { word in
            word.isEmpty ? .failure(.empty) : .success(word)
        }
    }
}
