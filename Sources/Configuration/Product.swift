public import GNSS

/// What this product calls itself.
public enum Product {
    /// Its version, by Semantic Versioning 2.0.0.
    public static let version = "0.1.0"

    /// The day of that version: no receiver can give an earlier date live.
    ///
    /// A constant of the source and not of the build, so that two builds are the same.
    public static let released = UTCTime(year: 2026, month: 11, day: 1)
}
