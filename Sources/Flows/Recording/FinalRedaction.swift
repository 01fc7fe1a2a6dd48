package import Conformance
import Synchronization

/// Removes the secrets of a run from all output: reports, saved evidence, messages.
///
/// All recorded data is already redacted. This covers overlooked secrets: a check that decodes a value and prints it, a
/// message of a library. Short values are redacted only when recorded, since in a report they are words.
package final class FinalRedaction: Sendable {
    private let redactors = Mutex<[Redactor]>([])

    package init() {}

    /// The format of a text, which redaction keeps valid.
    package enum Form: Sendable {
        case text
        /// Secrets are replaced only in strings.
        case json
    }

    /// Records the secrets that a run has learned.
    func note(_ redactor: Redactor) {
        redactors.withLock { $0.append(redactor) }
    }

    /// Takes note of secrets that no run has learned.
    package func note(_ secrets: [(name: String, secret: Secret?)]) {
        var redactor = Redactor(keepsTokens: false)
        for (name, secret) in secrets {
            if let secret { redactor.learn(name, secret.reveal(), .credential) }
        }
        note(redactor)
    }

    /// Learns the client secrets and passwords of another run, but not its codes and tokens.
    package func learnCredentials(of other: FinalRedaction) {
        let credentials = other.redactors.withLock { $0.flatMap(\.credentials) }
        if credentials.isEmpty { return }
        redactors.withLock { redactors in
            if redactors.isEmpty { redactors.append(Redactor(keepsTokens: false)) }
            for (name, secret) in credentials { redactors[0].learn(name, secret.reveal(), .credential) }
        }
    }

    /// The text without the secrets.
    package func cleaned(_ text: String, as form: Form = .text) -> String {
        guard redactors.withLock({ $0.contains(where: \.knowsSecrets) }) else { return text }
        let bytes = Array(text.utf8)
        let cleaned = cleaned(bytes, as: form)
        return cleaned == bytes ? text : String(decoding: cleaned, as: UTF8.self)
    }

    func cleaned(_ bytes: [UInt8], as form: Form = .text) -> [UInt8] {
        redactors.withLock(\.self).filter(\.knowsSecrets)
            .reduce(bytes) { bytes, redactor in
                switch form {
                case .text: redactor.redact(bytes, onlyCertain: true)
                case .json:
                    redactor.redact(
                        bytes,
                        in: JSONTokens(bytes).strings.map { ($0.lowerBound + 1)..<($0.upperBound - 1) },
                        onlyCertain: true
                    )
                }
            }
    }
}
