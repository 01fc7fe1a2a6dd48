/// The dates of cookies, in the many forms that servers write (RFC 6265, section 5.1.1).
enum CookieDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Seconds since 1970, or nil when a part is missing or out of range.
    static func parse(_ text: String) -> Double? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        let tokens = text.split { character in
            !(character.isASCII && (character.isLetter || character.isNumber || character == ":"))
        }
        for token in tokens {
            let number = leadingNumber(token)
            if time == nil, let found = clockTime(token) {
                time = found
            } else if day == nil, let number, (1...2).contains(number.digits) {
                day = number.value
            } else if month == nil, let index = months.firstIndex(of: token.prefix(3).lowercased()) {
                month = index + 1
            } else if year == nil, let number, number.digits == 2 || number.digits == 4 {
                year = number.digits == 2 ? number.value + (number.value < 70 ? 2000 : 1900) : number.value
            }
        }
        guard let time, let day, let month, let year, (1...31).contains(day), year >= 1601 else { return nil }
        guard time.hour < 24, time.minute < 60, time.second < 60 else { return nil }
        let seconds = daysSince1970(year: year, month: month, day: day) * 86_400
        return Double(seconds + time.hour * 3600 + time.minute * 60 + time.second)
    }

    private static func leadingNumber(_ token: Substring) -> (value: Int, digits: Int)? {
        let digits = token.prefix { $0.isASCII && $0.isNumber }
        return Int(digits).map { ($0, digits.count) }
    }

    private static func clockTime(_ token: Substring) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = Int(parts[0]), let minute = Int(parts[1]) else { return nil }
        return leadingNumber(parts[2]).map { (hour, minute, $0.value) }
    }

    /// Days from 1 January 1970 in the Gregorian calendar; March begins the counted year, so leap days come last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let counted = month > 2 ? year : year - 1
        let era = counted / 400
        let yearOfEra = counted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
