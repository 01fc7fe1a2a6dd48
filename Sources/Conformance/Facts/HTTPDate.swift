/// A time as HTTP writes it.
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// Seconds since 1970 of a time in the preferred form, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
    ///
    /// `nil` for the two obsolete forms, and for anything that is not a time; the day's name is not compared.
    package static func seconds(_ text: String) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard parts.count == 6, parts[5] == "GMT", parts[0].hasSuffix(","),
            days.contains(String(parts[0].dropLast())),
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, let hour = number(time[0], digits: 2), let minute = number(time[1], digits: 2),
            let second = number(time[2], digits: 2), hour < 24, minute < 60, second <= 60,
            let midnight = midnight(year: parts[3], month: month + 1, day: parts[1])
        else { return nil }
        return midnight + Double(hour * 3_600 + minute * 60 + second)
    }

    /// The same form for a time in seconds since 1970, the fraction cut off.
    package static func text(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.down))
        let (days, rest) = whole.quotientAndRemainder(dividingBy: 86_400)
        let day = rest < 0 ? days - 1 : days
        let second = rest < 0 ? rest + 86_400 : rest
        let date = civil(day)
        let weekday = Self.days[((day + 3) % 7 + 7) % 7]
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(weekday), \(padded(date.day, 2)) \(months[date.month - 1]) \(padded(date.year, 4)) \(clock) GMT"
    }

    private static func midnight(year: Substring, month: Int, day: Substring) -> Double? {
        guard let year = number(year, digits: 4), let day = number(day, digits: 2) else { return nil }
        let date = CalendarDay("\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))")
        return date.map { $0.endSecondsSince1970 - 86_400 }
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }

    /// The date of a day counted from 1 January 1970, in the proleptic Gregorian calendar.
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let position = (5 * dayOfYear + 2) / 153
        let month = position < 10 ? position + 3 : position - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * position + 2) / 5 + 1)
    }
}
