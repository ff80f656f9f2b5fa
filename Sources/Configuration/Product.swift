public import GNSS

/// What this product calls itself.
public enum Product {
    /// Its version, by Semantic Versioning 2.0.0.
    public static let version = "0.1.0"

    /// The first day of the year of that version: no receiver can give an earlier date live.
    ///
    /// A constant of the source and not of the build, so that two builds are the same; the whole year, so that a
    /// receiver, or who stands in for one, may be some months behind.
    public static let released = UTCTime(year: 2026, month: 1, day: 1)
}
