import Conformance
import FoundationEssentials
import Testing

/// The last day of a waiver.
@Suite(.timeLimit(.minutes(5))) struct CalendarDayTests {
    @Test(arguments: [
        "", "2027", "2027-3-31", "2027-02-29", "2100-02-29", "2027-13-01", "2027-00-10", "2027-04-31", "2027-01-00",
        "2027-03-31T00:00:00Z", "-2027-03-31", "2027-03-31 ", "２０２７-03-31", "2027/03/31", "+027-03-31",
    ])
    func `an invalid day is rejected`(_ text: String) {
        #expect(CalendarDay(text) == nil)
    }

    /// The other opinion is Foundation's calendar.
    @Test(arguments: ["1970-01-01", "1972-02-29", "2000-02-29", "2026-12-31", "2027-03-31", "2400-02-29", "9999-12-31"])
    func `a day ends when the next begins in UTC`(_ text: String) throws {
        let day = try #require(CalendarDay(text))
        let start = try Date(text + "T00:00:00Z", strategy: .iso8601)
        #expect(day.endSecondsSince1970 == start.timeIntervalSince1970 + 86_400)
        #expect(day.description == text)
    }

    @Test func `a waiver applies until the last second of its day`() throws {
        let day = try #require(CalendarDay("2027-03-31"))
        let waiver = Waiver(check: "keys.a.b", because: "b", until: day, source: "s")
        #expect(!waiver.isExpired(at: day.endSecondsSince1970 - 1))
        #expect(waiver.isExpired(at: day.endSecondsSince1970))
        let endless = Waiver(check: "keys.a.b", because: "b", source: "s")
        #expect(!endless.isExpired(at: .greatestFiniteMagnitude))
    }
}
