import Conformance
import Foundation
import Preflight

extension Example {
    /// A finding with everything that changes from run to run replaced by a fixed value.
    init(_ finding: Finding, of check: CheckID) {
        let settling = Settling(now: Date().timeIntervalSince1970)
        let expected = finding.expected.map(settling.settledValue)
        let found = finding.found.map(settling.settledValue)
        // Two values that differ in the run differ in the record too.
        let isSettledAlike = expected == found && finding.expected != finding.found
        self.init(
            check: check,
            message: settling.settled(finding.message),
            pointer: finding.pointer,
            expected: expected,
            found: isSettledAlike ? found.map(settling.another) : found,
            fix: settling.settled(finding.fix)
        )
    }
}

/// The fixed hosts, ports, times, durations and random values of every record.
struct Settling {
    /// The time of the run, in seconds since 1970; the record has noon of 1 January 2026 instead.
    let now: Double

    private static let noon = 1_767_268_800.0
    /// The thumbprint of RFC 7638 section 3.1.
    private static let sample = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"

    /// A value, which may be random as a whole.
    func settledValue(_ text: String) -> String {
        let bare = text.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        return isHash(bare) ? text.replacing(bare, with: sample(bare.count)) : settled(text)
    }

    func settled(_ text: String) -> String {
        // Without a port, it is a loopback redirect URI.
        text.replacing(/(127\.0\.0\.1|localhost|\[::1\]):\d+/, with: "idp.example.com")
            .replacing(/idp\.example\.com:\d+/, with: "idp.example.com")
            .replacing(/dynamic-[A-Za-z0-9_\-]{16}/, with: "dynamic-client")
            .replacing(/248289761001-[A-Za-z0-9_\-]{8}(?![A-Za-z0-9_\-])/) { $0.output.prefix(12) + "-changed" }
            .replacing(/(idp\.example\.com, )+idp\.example\.com/, with: "idp.example.com")
            .replacing(/\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT/) { date(String($0.output)) }
            .replacing(/\b1[789]\d{8}(?!\d)/) { moment(String($0.output)) }
            .replacing(/\b(\d+)( s\b| seconds)/) { duration(String($0.output.1)) + $0.output.2 }
            .replacing(/[A-Fa-f0-9]{64}/) { hexadecimal(String($0.output)) }
            .replacing(/[A-Za-z0-9_\-]{43}(?![A-Za-z0-9_\-])/) {
                isRandom(String($0.output)) ? sample(43) : String($0.output)
            }
    }

    /// A value that differs from a settled one: a time a minute later, a URL with a port, or a text with another end.
    func another(_ text: String) -> String {
        if text.hasPrefix("1767268800 ") {
            return text.replacing("1767268800", with: "1767268860").replacing(" 12:00:00 ", with: " 12:01:00 ")
        }
        if text.hasPrefix("https://") { return text + ":8443" }
        return text.hasSuffix("\"") ? String(text.dropLast()) + "-other\"" : text + "-other"
    }

    /// A time as far from noon as it was from now, to the minute.
    private func moment(_ text: String) -> String {
        guard let seconds = Double(text), abs(seconds - now) < 10 * 86_400 else { return text }
        return "\(Int(Self.noon + 60 * ((seconds - now) / 60).rounded()))"
    }

    /// The same for dates of HTTP, to the hour: certificates are older than the run.
    ///
    /// Dates in the distant past are fixed.
    private func date(_ text: String) -> String {
        guard let seconds = HTTPDate.seconds(text), abs(seconds - now) < 200 * 86_400 else { return text }
        return HTTPDate.text(Self.noon + 3_600 * ((seconds - now) / 3_600).rounded())
    }

    /// Long durations to ten seconds.
    private func duration(_ text: String) -> String {
        guard let seconds = Double(text), seconds >= 15 else { return text }
        return "\(Int(10 * (seconds / 10).rounded()))"
    }

    private func hexadecimal(_ text: String) -> String {
        let digits = String(repeating: "0123456789abcdef", count: 4)
        return text.contains(where: \.isUppercase) ? digits.uppercased() : digits
    }

    private func sample(_ count: Int) -> String { String(Self.sample.prefix(count)) }

    /// The length of the left half of a SHA-256, in base64url.
    private func isHash(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9_\-]{22}/) != nil && isRandom(text)
    }

    private func isRandom(_ text: String) -> Bool {
        text.contains(where: \.isUppercase) && text.contains(where: \.isLowercase)
    }
}
