package import Conformance
internal import FoundationEssentials

/// The input of a registration: the report, the proven values, and the reason to write it despite objections.
package struct RegistrationRequest: Sendable {
    var report: Report
    var proven: ProvenFacts
    /// The user's reason to write it despite objections.
    var reason: String?
    /// Whether a sign-in was checked and returned the client's own `state`; profiles that check only given tokens omit that.
    package var checksSignIns: Bool

    package init(report: Report, proven: ProvenFacts, reason: String? = nil) {
        self.report = report
        self.proven = proven
        self.reason = reason
        checksSignIns = report.entries.contains { $0.id == "authorization.state.is-echoed" && $0.verdict == .passed }
    }
}

/// A registration as text, with notes for its user.
package struct RegistrationFile: Sendable, Hashable {
    package var text: String
    /// Whether there were objections, so that the reason is recorded.
    package var keepsReason: Bool
    /// The origin of the file and the reason for it, if the file format allows no comments.
    package var companion: String?
    /// Shell commands that apply it to the platform; `‹FILE›` in them is the file.
    var commands: [String]
    package var notes: [String]

    /// The commands with the file's name as a shell word.
    package func commands(file: String) -> [String] {
        commands.map { $0.replacing(Self.place, with: QuotedText.shell(file)) }
    }

    static let place = "‹FILE›"
}

/// Why no registration was written.
package enum RegistrationError: Error, Sendable, Hashable {
    /// No sign-in of the run proved that the values work.
    case unproven(String)
}

extension RegistrationPlatform {
    /// The registration with the values that the run has proven.
    ///
    /// With a reason, unproven values come from the configuration, and the file says so.
    package func write(_ request: RegistrationRequest) throws(RegistrationError) -> RegistrationFile {
        let target = request.report.target
        let wanted = responseTypes(target)
        let needed = proof(target)
        let proven = needed == .oauth1 ? nil : request.proven.flow(of: wanted, needingIDToken: needed == .idToken)
        let signIns = needed == .oauth1 ? request.proven.oauth1?.signIns ?? 0 : 0
        if proven == nil, signIns == 0, request.reason == nil {
            throw .unproven(
                needed == .oauth1 ? request.proven.whyNoneByOAuth1 : request.proven.whyNone(of: wanted)
            )
        }
        let lacking = endpoints.filter { request.proven.endpoints[$0] == nil }
        if !lacking.isEmpty, request.reason == nil {
            throw .unproven("the discovery document has no \(lacking.joined(separator: " and no "))")
        }
        let flow = proven ?? Self.configured(target, wanted)
        let proof = Proof(flow: proven, signIns: signIns)
        let blockers = blockers(request, proof)
        let keepsReason = request.reason != nil && !blockers.isEmpty
        let origin = Self.origin(request, proof, blockers)
        let context = RegistrationContext(
            target: target,
            flow: flow,
            endpoints: request.proven.endpoints,
            checksSignIns: request.checksSignIns,
            origin: origin
        )
        let draft = draft(context)
        var file = RegistrationFile(
            text: draft.text,
            keepsReason: keepsReason,
            commands: draft.commands(RegistrationFile.place),
            notes: draft.notes + Self.notes(request.proven, flow) + request.report.registrationNotes
        )
        switch comments {
        case .lines(let mark): file.text = CommentLines.lines(origin, mark: mark) + "\n" + draft.text
        case .inside: break
        case .beside: if keepsReason { file.companion = CommentLines.lines(origin, mark: "") }
        }
        return file
    }

    private static func configured(_ target: Target, _ wanted: [ResponseType]) -> ProvenFlow {
        let type = wanted.first ?? "code"
        return ProvenFlow(
            responseType: type,
            clientID: target.client(for: type)?.id ?? "",
            scopes: target.scopes
        )
    }

    /// The objections to writing it.
    private func blockers(_ request: RegistrationRequest, _ proof: Proof) -> [String] {
        let report = request.report
        let gate = report.outcome.gate
        let foreign = foreignRules(report.profile.name, report.profile.lineage, for: report.target)
        return (gate == .open ? [] : ["the gate is \(gate.word)"]) + (foreign.map { [$0] } ?? [])
            + (proof.isNone ? ["no sign-in has proven it"] : []) + objections(report.target)
    }

    /// An objection if the profile is not one of the platform; otherwise `nil`.
    package func foreignRules(_ profile: String, _ lineage: [String], for target: Target) -> String? {
        guard let own = profiles(for: target).first, !lineage.contains(own) else { return nil }
        return "\(profile.shown()) is not \(own), whose rules \(name) requires, and does not extend it"
    }

    private static func origin(
        _ request: RegistrationRequest,
        _ proof: Proof,
        _ blockers: [String]
    ) -> [String] {
        let report = request.report
        let time = Date(timeIntervalSince1970: min(max(0, report.timings.startedAt), 253_402_300_799))
        var sentences = [
            "\(report.tool) checked \(report.target.issuer.quoted) against the profile \(report.profile.name.shown()),"
                + " \(time.formatted(.iso8601)).",
            report.outcome.summary + ".",
        ]
        sentences += report.registrationNotes
        if let reason = request.reason, !blockers.isEmpty {
            sentences.append("WRITTEN EVEN THOUGH \(blockers.joined(separator: ", ")): \(reason)")
        }
        if proof.signIns > 0 {
            let count = proof.signIns == 1 ? "a sign-in" : "\(proof.signIns) sign-ins"
            return sentences + ["Proven by \(count) with OAuth 1.0a: token credentials were issued."]
        }
        guard let proven = proof.flow else {
            let values = "the response type and the scopes are those of the configuration, and no claim is mapped"
            return sentences + ["No sign-in has proven this: \(values)."]
        }
        let claims = [("ID Token", proven.idTokenClaims), ("UserInfo", proven.userInfoClaims)]
            .filter { !$0.1.isEmpty }
            .map { "\($0.0): " + $0.1.prefix(40).map { $0.name.shown(limit: 60) }.joined(separator: ", ") }
        sentences.append(
            "Proven by a sign-in with response_type \(proven.responseType) and the scopes "
                + proven.scopes.map { $0.shown(limit: 100) }.joined(separator: " ")
                + (claims.isEmpty ? "." : ". Claims seen: " + claims.joined(separator: "; ") + ".")
        )
        return sentences
    }

    private static func notes(_ proven: ProvenFacts, _ flow: ProvenFlow) -> [String] {
        var notes: [String] = []
        if !flow.refusedScopes.isEmpty {
            let scopes = flow.refusedScopes.map(\.quoted).joined(separator: ", ")
            notes.append("The provider did not grant \(scopes), so these scopes are left out.")
        }
        if proven.usedPrivateAuthority {
            notes.append(
                "The run trusted a private certificate authority. A platform that trusts only public ones will reject it."
            )
        }
        return notes
    }
}

extension Report {
    /// The waived errors that break sign-in.
    package var waivedErrorsOfSignIn: [CheckID] {
        entries.filter { $0.isProblem && $0.waiver != nil && $0.consequence == .signIn }.map(\.id)
    }

    /// The failures that the configuration waives.
    fileprivate var registrationNotes: [String] {
        let waived = entries.compactMap { entry in
            entry.waiver.map { waiver in
                "Waived: \(entry.id), \(waiver.because.shown())\(waiver.until.map { ", until \($0)" } ?? "") "
                    + "(\(waiver.source.shown()))."
            }
        }
        let most = 20
        let more = waived.count > most ? ["Waived: \(waived.count - most) more."] : []
        return waived.prefix(most) + more
    }
}

/// The proof of the values: a flow, or sign-ins with OAuth 1.0a.
private struct Proof {
    var flow: ProvenFlow?
    var signIns: Int

    var isNone: Bool { flow == nil && signIns == 0 }
}

extension ProvenFacts {
    fileprivate var whyNoneByOAuth1: String {
        oauth1?.failure ?? "no sign-in with OAuth 1.0a was tried"
    }

    fileprivate func flow(of wanted: [ResponseType], needingIDToken: Bool) -> ProvenFlow? {
        ProvenFacts(flows: needingIDToken ? flows.filter { $0.algorithm != nil } : flows).flow(of: wanted)
    }

    fileprivate func whyNone(of wanted: [ResponseType]) -> String {
        if let failure = failures.first(where: { wanted.contains($0.responseType) }) {
            return "response_type \(failure.responseType): \(failure.reason)"
        }
        if let flow = flows.first(where: { wanted.contains($0.responseType) }) {
            return "response_type \(flow.responseType) returned no ID Token with a verified signature"
        }
        let names = wanted.map { "“\($0)”" }.joined(separator: " or ")
        return names.isEmpty ? "no flow was tried" : "no sign-in with response_type \(names) was tried"
    }
}
