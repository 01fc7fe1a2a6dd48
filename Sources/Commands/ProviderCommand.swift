internal import CommandTable
internal import ProviderTable

/// Hands the command line to the provider's own program.
enum ProviderCommand {
    static let arguments = ProviderArguments(persona: .persona, standing: ProviderProgram.personas[0], fault: .fault)
    static let command = arguments.command { _ in try ProviderExecutable.become(PreflightProgram.words) }
}

extension Kind where Value == String {
    /// A kind of provider, as the provider is told of it.
    fileprivate static var persona: Self {
        let names = ProviderProgram.personas
        return Kind("NAME", words: names, completion: .words { names.map { Candidate($0) } }) { word in
            if names.contains(word) { return .success(word) }
            return .failure(word.isEmpty ? .empty : .unlisted)
        }
    }

    /// The provider knows its faults, and says what is none.
    fileprivate static var fault: Self {
        Kind("ID", completion: .words { ProviderExecutable.faults() }) { word in
            word.isEmpty ? .failure(.empty) : .success(word)
        }
    }
}
