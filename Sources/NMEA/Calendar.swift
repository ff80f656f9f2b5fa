import GNSS

/// Which day an epoch belongs to: dates as receivers print them, carried over midnight by the time
/// of day.
struct Calendar {
    /// A date as one sentence gave it.
    struct Date: Equatable {
        /// Days since 1970-01-01, after the repair.
        var day: Int64
        /// How often 1024 weeks were added.
        var eras: Int8
        /// The zeroth day of GPS time: what a receiver prints that knows no date yet.
        var isDefault: Bool
    }

    /// The day of the last settled epoch; counted from 0 while ``isKnown`` is false.
    private(set) var day: Int64 = 0
    /// The time of day of that epoch, -1 before the first.
    private var timeOfDay: Int32 = -1
    /// Whether ``day`` is a date.
    private(set) var isKnown = false
    /// Whether ``day`` goes back to the start day of the settings and no date was seen yet.
    private(set) var isBackfilled = false
    /// The day of the first epoch, once a fix has given a date, or an epoch after a fix.
    private(set) var startDay: Int64?
    private var eras: Int8 = 0
    /// Whether the receiver has had a position.
    private var hadFix = false

    /// A date before it by more than half a rollover is brought near it.
    private let floor: Int64?
    /// The last `ddmmyy` read and what it meant: it changes once a day.
    private var lastDigits: UInt64 = 0
    private var lastDate: Date?

    private static let rollover: Int64 = 1024 * 7
    /// A time of day less than this behind the last one is a late or repeated epoch, not the next
    /// day.
    private static let jitter: Int32 = 3_600_000
    private static let dayLength: Int32 = 86_400_000

    init(floor: UTCTime?, startDay: Int64?) {
        self.floor = floor?.dayNumber
        if let startDay {
            day = startDay
            isKnown = true
            isBackfilled = true
        }
    }

    /// The date of `ddmmyy` as in RMC, given its six digits in the low bytes; `nil` when there is
    /// no such day.
    ///
    /// Years 80 to 99 are 1980 to 1999: GPS time begins in 1980.
    @inline(__always)
    mutating func date(digits: UInt64) -> Date? {
        if digits == lastDigits { return lastDate }
        return newDate(digits: digits)
    }

    private mutating func newDate(digits: UInt64) -> Date? {
        func pair(_ shift: UInt64) -> Int {
            Int(digits >> shift & 15) * 10 + Int(digits >> (shift + 8) & 15)
        }
        lastDigits = digits
        lastDate = digits == 0 ? nil : date(day: pair(0), month: pair(16), year: pair(32))
        return lastDate
    }

    /// The date of numbers as in ZDA; `nil` when there is no such day.
    func date(day: Int, month: Int, year: Int) -> Date? {
        let year = year < 80 ? year + 2000 : year < 100 ? year + 1900 : year
        guard (1980...2099).contains(year), (1...12).contains(month), (1...31).contains(day) else {
            return nil
        }
        var number = UTCTime.dayNumber(year: year, month: month, day: day)
        guard UTCTime(milliseconds: number * 86_400_000).date.day == day else { return nil }
        // 1980-01-06, where GPS weeks begin: nothing to repair.
        let isDefault = number == 3657
        var eras: Int64 = 0
        if let floor, number < floor, !isDefault {
            eras = (floor - number + Calendar.rollover / 2) / Calendar.rollover
            number += eras * Calendar.rollover
        }
        return Date(day: number, eras: Int8(clamping: eras), isDefault: isDefault)
    }

    /// What an epoch's day is, and how it came about.
    struct Settled {
        var day: Int64?
        var eras: Int8
        var isBackfilled: Bool
    }

    /// Decides the day of an epoch, and remembers it for those without a date.
    ///
    /// - Parameters:
    ///   - timeOfDay: of the epoch, -1 when it has none.
    ///   - date: what its sentences said.
    ///   - isFix: whether it has a position. Receivers print invented dates before their first one,
    ///     so without it a date only counts when none is known or it goes on from the known one; the start of the log
    ///     goes by it once there was a position.
    ///   - isTrusted: false keeps the epoch from being remembered.
    mutating func settle(
        timeOfDay time: Int32, date: Date?, isFix: Bool, isTrusted: Bool
    ) -> Settled {
        if isFix, isTrusted { hadFix = true }
        if let date {
            guard isTrusted, !date.isDefault else {
                // As the receiver printed it, and of no consequence.
                return Settled(
                    day: date.day - Int64(date.eras) * Calendar.rollover, eras: 0,
                    isBackfilled: false)
            }
            let goesOn = date.day >= day && date.day - day < Calendar.rollover
            if hadFix, startDay == nil {
                // `day` counts midnights from the first epoch as long as no date is known.
                startDay = isKnown ? date.day : date.day - carried(to: time)
            }
            if isFix || !isKnown || isBackfilled || goesOn {
                day = date.day
                eras = date.eras
                isKnown = true
                isBackfilled = false
                if time >= 0 { timeOfDay = time }
            }
            return Settled(day: date.day, eras: date.eras, isBackfilled: false)
        }
        let carried = carried(to: time)
        if time >= 0 {
            let step = timeOfDay < 0 ? 0 : time - timeOfDay
            // Without a fix even the time of day may be invented: only small steps are followed.
            let ahead = step < 0 ? step + Calendar.dayLength : step
            if isTrusted, isFix || ahead < Calendar.jitter || timeOfDay < 0 {
                day = carried
                timeOfDay = time
            }
        }
        return Settled(
            day: isKnown ? carried : nil, eras: eras, isBackfilled: isBackfilled)
    }

    /// The day of an epoch at `time`, going by the last one.
    private func carried(to time: Int32) -> Int64 {
        guard time >= 0, timeOfDay >= 0 else { return day }
        let step = time - timeOfDay
        if step < -Calendar.jitter { return day + 1 }
        return step > Calendar.dayLength - Calendar.jitter ? day - 1 : day
    }
}
