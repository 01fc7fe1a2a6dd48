internal import Conformance
internal import Flows
internal import Profiles
internal import SignIn

/// The generator of the test user's one-time codes.
extension ConfigurationReader {
    /// Reads `totp` of a user; each problem is reported at its key.
    func authenticator(_ value: StrictYAML.Value) -> Authenticator? {
        guard let mapping = value.mapping() else { return nil }
        let secret = mapping[Keys.Authenticator.secret].flatMap(self.secret)
        let digits = mapping[Keys.Authenticator.digits]
            .flatMap { value in
                number(value, "6, 7 or 8") {
                    $0 == $0.rounded() ? Authenticator.usable(digits: Int(min($0, 1e6))) : nil
                }
            }
        let period = mapping[Keys.Authenticator.period]
            .flatMap { value in
                value.duration()
                    .flatMap { seconds in
                        let usable = Authenticator.usable(period: seconds)
                        if usable == nil { value.report("“\(value.path)” must be 1 to 300 seconds; most apps use 30") }
                        return usable
                    }
            }
        let algorithm = mapping[Keys.Authenticator.algorithm].flatMap(algorithm)
        guard let secret, !secret.isEmpty else { return nil }
        do throws(Authenticator.Problem) {
            return try Authenticator(secret, digits: digits, period: period, algorithm: algorithm)
        } catch {
            let stated = mapping[Keys.Authenticator.secret]
            let source = stated?.isScalar == true ? nil : stated?.mapping()
            let place = source.flatMap { $0[Keys.Secret.env] ?? $0[Keys.Secret.file] } ?? stated ?? value
            place.report("the secret cannot generate one-time codes: \(error)")
            return nil
        }
    }

    /// The validity of a code according to the file, if the secret is not read.
    func statedPeriod(_ value: StrictYAML.Value) -> Double {
        value.mapping()?[Keys.Authenticator.period]?.duration().flatMap(Authenticator.usable) ?? 30
    }

    private func number<Value>(
        _ value: StrictYAML.Value,
        _ what: String,
        _ usable: (Double) -> Value?
    ) -> Value? {
        guard let number = value.number() else { return nil }
        let result = usable(number)
        if result == nil { value.report("“\(value.path)” must be \(what)") }
        return result
    }

    private func algorithm(_ value: StrictYAML.Value) -> Authenticator.Algorithm? {
        guard let text = value.string() else { return nil }
        if let algorithm = Authenticator.Algorithm(named: text) { return algorithm }
        let known = Authenticator.Algorithm.allCases.map(\.rawValue)
        value.report(
            "“\(text)” is not a supported algorithm for one-time codes" + NearestWord.hint(for: text, among: known)
        )
        return nil
    }

    /// Reports a placeholder for codes without a generator.
    func checkPlaceholders(_ steps: StrictYAML.Value?, _ configuration: Configuration, hasCodes: Bool) {
        guard let steps, !hasCodes, configuration.steps.contains(where: \.writesCode) else { return }
        steps.report(
            "{totp} requires the secret of the test user's authenticator app: add  totp: { secret: { env: OIDC_TOTP_SECRET } }"
        )
    }
}
