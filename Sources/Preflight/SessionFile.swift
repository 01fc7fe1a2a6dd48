package import Conformance
internal import JOSE
package import Profiles
internal import SignIn
internal import Synchronization

/// The file of a saved session: encrypted with a key that is kept elsewhere, and for its owner alone.
package enum SessionFile {
    /// The variable that holds the key where no other is named.
    package static let keyVariable = "OIDC_PREFLIGHT_SESSION_KEY"
    /// The permissions that it has, and must have.
    package static let permissions = 0o600
    /// Fewer characters are guessed, whatever the derivation costs.
    package static let leastKey = 16

    private static let kind = "oidc-preflight-session"

    /// The octets of the file.
    static func seal(_ session: SavedSession, key: Secret) throws(ConfigurationError) -> [UInt8] {
        do {
            return try PassphraseSealing.seal(session.encoded(), passphrase: Array(key.reveal().utf8), kind: kind)
        } catch {
            throw ConfigurationError(file: "the saved session", "\(error)")
        }
    }

    /// Where the configuration says that a session is, and what opens it.
    package struct Source: Sendable {
        let file: String
        let key: Secret
        let place: SourcePlace

        /// Reads the session.
        ///
        /// - Throws: Why it cannot be used, at the place in the configuration that names it.
        func open(issuer: String, _ environment: Environment) throws(ConfigurationError) -> SavedSession {
            let octets: [UInt8]
            switch environment.readFile(file) {
            case .success(let read): octets = read
            case .failure(let error):
                throw problem("cannot be read: \(error.reason); `oidc-preflight sign-in save --out \(file)` makes one")
            }
            if let mode = environment.permissions(file), mode != SessionFile.permissions {
                let shown = String(mode, radix: 8)
                throw problem("has mode \(shown), and must be its owner's alone: chmod 600 \(file)")
            }
            let content: [UInt8]
            do throws(PassphraseSealing.Failure) {
                content = try PassphraseSealing.open(octets, passphrase: Array(key.reveal().utf8), kind: kind)
            } catch {
                switch error {
                case .notOfTheForm: throw problem("is no file that `oidc-preflight sign-in save` writes")
                case .unknownParameters:
                    throw problem("was written by another version, or changed: save the session again")
                case .doesNotOpen:
                    throw problem("does not open: the key is another than the one it was saved with, or it was changed")
                }
            }
            guard let session = SavedSession(decoding: content) else {
                throw problem("holds no session: save it again")
            }
            guard session.issuer == issuer else {
                throw problem("is a session at \(session.issuer.quoted), and the issuer is \(issuer.quoted)")
            }
            return session
        }

        private func problem(_ words: String) -> ConfigurationError {
            ConfigurationError([
                Problem(file: place.file, line: place.line, message: "the saved session \(file) \(words)")
            ])
        }
    }
}

/// The session that a sign-in has left behind.
package struct KeptSession: Sendable {
    fileprivate let session: SavedSession

    /// The number of its cookies.
    package var count: Int { session.count }

    /// Seconds until the first of them ends that says when; `nil` where none does.
    package var secondsToFirstEnd: Double? { session.firstEnd.map { $0 - session.savedAt } }

    /// The octets of a file that only the key opens.
    package func sealed(with key: Secret) throws(ConfigurationError) -> [UInt8] {
        try SessionFile.seal(session, key: key)
    }
}

extension PreflightRun {
    /// Collects the evidence that the plan asks for, and what the browser holds when the last conversation has ended.
    package func collectKeepingSession(progress: @escaping ProgressHandler) async -> (Evidence, KeptSession?) {
        let kept = Mutex<SavedSession?>(nil)
        let evidence = await collect(keepSession: { session in kept.withLock { $0 = session } }, progress: progress)
        return (evidence, kept.withLock(\.self).map(KeptSession.init))
    }
}
