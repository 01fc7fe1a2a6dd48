package import Conformance
internal import JOSE
package import Profiles
internal import SignIn
internal import Synchronization

/// The file of a saved session, encrypted and readable only by its owner.
package enum SessionFile {
    /// The default variable for the key.
    package static let keyVariable = "OIDC_PREFLIGHT_SESSION_KEY"
    /// The required permissions of the file.
    static let permissions = 0o600
    /// A shorter key can be guessed despite the key derivation.
    package static let leastKey = 16

    private static let kind = "oidc-preflight-session"

    /// The bytes of the file.
    static func seal(_ session: SavedSession, key: Secret) throws(ConfigurationError) -> [UInt8] {
        do {
            return try PassphraseSealing.seal(session.encoded(), passphrase: Array(key.reveal().utf8), kind: kind)
        } catch {
            throw ConfigurationError(file: "the saved session", "\(error)")
        }
    }

    /// The file and the key of a session in the configuration.
    package struct Source: Sendable {
        let file: String
        let key: Secret
        let place: SourcePlace

        /// Reads the session.
        ///
        /// - Throws: Why it cannot be used, with its place in the configuration.
        func open(issuer: String, _ environment: Environment) throws(ConfigurationError) -> SavedSession {
            let bytes: [UInt8]
            switch environment.readFile(file, .session) {
            case .success(let read): bytes = read
            case .failure(let error):
                throw problem(
                    "cannot be read: \(error.reason); create it with `oidc-preflight sign-in save --config \(place.file) --out \(file)`"
                )
            }
            if let mode = environment.permissions(file), mode != SessionFile.permissions {
                let shown = String(mode, radix: 8)
                throw problem("has mode \(shown) but must be readable only by its owner: chmod 600 \(file)")
            }
            let content: [UInt8]
            do throws(PassphraseSealing.Failure) {
                content = try PassphraseSealing.open(bytes, passphrase: Array(key.reveal().utf8), kind: kind)
            } catch {
                switch error {
                case .malformed: throw problem("was not written by `oidc-preflight sign-in save`")
                case .unknownParameters:
                    throw problem("was written by another version or modified: save the session again")
                case .decryptionFailed:
                    throw problem(
                        "cannot be decrypted: the key is not the one it was saved with, or the file was modified"
                    )
                }
            }
            guard let session = SavedSession(decoding: content) else {
                throw problem("contains no session: save it again")
            }
            guard session.issuer == issuer else {
                throw problem("belongs to the issuer \(session.issuer.quoted), not \(issuer.quoted)")
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

/// The session of a completed sign-in.
package struct CopiedSession: Sendable {
    fileprivate let session: SavedSession

    /// The number of its cookies.
    package var count: Int { session.count }

    /// Seconds until the first cookie expires; `nil` if none has an expiry.
    package var secondsToFirstEnd: Double? { session.firstEnd.map { $0 - session.savedAt } }

    /// The bytes of a file encrypted with the key.
    package func sealed(with key: Secret) throws(ConfigurationError) -> [UInt8] {
        try SessionFile.seal(session, key: key)
    }
}

extension PreflightRun {
    /// Collects the evidence of the plan, and the browser session after the last scenario.
    package func collectKeepingSession(progress: @escaping ProgressHandler) async -> (Evidence, CopiedSession?) {
        let kept = Mutex<SavedSession?>(nil)
        let evidence = await collect(keepSession: { session in kept.withLock { $0 = session } }, progress: progress)
        return (evidence, kept.withLock(\.self).map(CopiedSession.init))
    }
}
