internal import CommandTable
internal import Conformance
internal import FoundationEssentials
internal import Preflight
internal import Profiles
internal import Registering
internal import Reporting

extension Kind where Value == String {
    /// The complete URL of an issuer.
    static var issuer: Self {
        Kind("ISSUER") { word in
            Configuration.problem(ofIssuer: word).map { .failure(.because($0)) } ?? .success(word)
        }
    }

    /// The issuers and hosts that may receive secrets.
    static var issuerPattern: Self {
        Kind("PATTERN") { word in
            if word.isEmpty { return .failure(.empty) }
            return Configuration.problem(ofAllowedIssuer: word).map { .failure(.because($0)) } ?? .success(word)
        }
    }

    /// A built-in profile or a file.
    static func profiles(_ placeholder: String = "NAME|FILE", isList: Bool = false) -> Self {
        Kind(
            placeholder,
            completion: Completion(
                candidates: { ProfileLibrary.builtIn.map { Candidate($0.name) } },
                takesFiles: true,
                isList: isList
            )
        ) { word in
            let problems = (isList ? JointRun.profiles(in: word) : [word]).compactMap(ProfileLibrary.problem(ofName:))
            if word.isEmpty { return .failure(.empty) }
            return problems.first.map { .failure(.because($0)) } ?? .success(word)
        }
    }
}

extension Kind where Value == CheckPattern {
    /// A pattern that matches at least one check.
    static var checks: Self {
        let words: @Sendable () -> [Candidate] = {
            Stage.allCases.map { Candidate($0.rawValue, "all checks of this stage") } + Candidate.checks
        }
        return Kind("PATTERN", completion: .words(words)) { word in
            let known = PreflightRun.checks.map(\.id)
            if known.contains(where: { CheckPattern(word).matches($0) }) { return .success(CheckPattern(word)) }
            let hint = NearestWord.hint(for: word, among: known.map(\.rawValue))
            return .failure(word.isEmpty ? .empty : .because("no check matches \(word.quoted)\(hint)"))
        }
    }
}

extension Kind where Value == CheckID {
    /// One check of the catalogue.
    static var check: Self {
        Kind("ID", completion: .words { Candidate.checks }) { word in
            let known = PreflightRun.checks.map(\.id.rawValue)
            let check = CheckID(written: word)
            if known.contains(check.rawValue) { return .success(check) }
            if word.isEmpty { return .failure(.empty) }
            let holders = word.count < 3 ? [] : known.filter { $0.contains(word) }
            let hint =
                switch holders.count {
                // A bare word, such as MUST, is near to any name that contains it.
                case 0: word.contains(".") ? NearestWord.hint(for: word, among: known) : ""
                case 1...4: "; did you mean \(holders.map(\.quoted).joined(separator: " or "))?"
                default: "; \(holders.count) contain this word: \(Tool.name) checks list --only '*\(word)*'"
                }
            return .failure(.because("unknown check \(word.quoted)\(hint)"))
        }
    }
}

extension Kind where Value == ReportDestination {
    static var report: Self {
        let words: @Sendable () -> [Candidate] = { ReportFormat.allCases.map { Candidate($0.rawValue + "=") } }
        return Kind("FORMAT=FILE", completion: .words(words)) { word in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if word.isEmpty { return .failure(.empty) }
            if let format = ReportFormat(rawValue: parts[0]) {
                guard parts.count == 2, !parts[1].isEmpty else {
                    let example = "\(format.rawValue)=report.\(format.fileExtension)"
                    return .failure(
                        .because(
                            "\(word.quoted) has no file name: write \(example), or \(format.rawValue)=- for standard output"
                        )
                    )
                }
                return .success(ReportDestination(format: format, path: parts[1]))
            }
            // Only a file name, or a file extension instead of a format.
            let ending = parts[0].split(separator: ".").last.map(String.init) ?? ""
            let names = ReportFormat.allCases.map(\.rawValue)
            if let format = ReportFormat.allCases.first(where: { $0.fileExtension == ending }) {
                let meant = "\(format.rawValue)=\(parts.count == 2 ? parts[1] : word)"
                return .failure(.because("\(word.quoted) does not start with a format; did you mean \(meant.quoted)?"))
            }
            let hint = NearestWord.hint(for: parts[0], among: names)
            return .failure(.because("unknown format \(parts[0].quoted)\(hint)"))
        }
    }
}

/// `FORMAT=FILE`, or `FORMAT=-` for standard output.
struct ReportDestination: Sendable {
    let format: ReportFormat
    let path: String

    init(format: ReportFormat, path: String) {
        self.format = format
        self.path = path
    }

    /// `FOLDER/report.json`.
    init(_ format: ReportFormat, inFolder folder: String) {
        self.init(format: format, path: "\(folder)/report.\(format.fileExtension)")
    }
}

extension Kind where Value == RegistrationPlatform {
    static var platform: Self {
        let words: @Sendable () -> [Candidate] = {
            RegistrationPlatform.allCases.map { Candidate($0.name, $0.title) }
        }
        let names = RegistrationPlatform.allCases.map(\.name)
        return Kind("PLATFORM", words: names, completion: .words(words)) { word in
            if let known = RegistrationPlatform.named(word) { return .success(known) }
            if word.isEmpty { return .failure(.empty) }
            let several = JointRun.names(in: word)
            if several.count > 1, several.allSatisfy({ RegistrationPlatform.named($0) != nil }) {
                return .failure(
                    .because(
                        "specify one platform: each has its own rules and file. To use one run for several, save it with "
                            + "check --save-evidence"
                    )
                )
            }
            let near = NearestWord.of(word, among: names + RegistrationPlatform.allCases.flatMap(\.otherNames))
                .flatMap(RegistrationPlatform.named)
            let hint = near.map { "; did you mean \($0.name.quoted)?" } ?? ""
            return .failure(
                .because(
                    "unknown platform \(word.quoted)\(hint)\(hint.isEmpty ? "; known" : " Known") platforms: "
                        + names.joined(separator: ", ")
                )
            )
        }
    }
}

extension Kind where Value == Moment {
    static var moment: Self {
        Kind("TIME") { word in
            if let moment = Moment(word) { return .success(moment) }
            let form = "2026-11-21T12:00:00Z, or seconds since 1970"
            return .failure(word.isEmpty ? .empty : .because("\(word.quoted) is not a time such as \(form)"))
        }
    }
}

/// A point in time on the command line.
struct Moment: Sendable {
    /// Since 1970.
    let seconds: Double

    init?(_ word: String) {
        if let seconds = Double(word), seconds.isFinite {
            self.seconds = seconds
        } else if let date = try? Date(word, strategy: .iso8601) {
            self.seconds = date.timeIntervalSince1970
        } else {
            return nil
        }
    }
}

extension Candidate {
    static var checks: [Candidate] { PreflightRun.checks.map { Candidate($0.id.rawValue, $0.title) } }
}
