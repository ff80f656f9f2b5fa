import GNSS
import JSON

/// A walk over the members of a report: one writes them, one reads them, one describes them.
///
/// Each report names its members once, in ``Report/visit(_:)``, so that what the daemon writes, what the
/// tool reads and what `methods` tells cannot drift apart.
protocol FieldVisitor {
    mutating func text(_ name: String, _ value: inout String, _ summary: String)
    mutating func text(_ name: String, _ value: inout String?, _ summary: String)
    mutating func texts(_ name: String, _ value: inout [String], _ summary: String)
    mutating func time(_ name: String, _ value: inout UTCTime?, _ summary: String)
    mutating func flag(_ name: String, _ value: inout Bool, _ summary: String)
    mutating func flag(_ name: String, _ value: inout Bool?, _ summary: String)
    mutating func integer<I: FixedWidthInteger>(
        _ name: String, _ value: inout I, _ unit: String?, _ summary: String)
    mutating func integer<I: FixedWidthInteger>(
        _ name: String, _ value: inout I?, _ unit: String?, _ summary: String)
    mutating func number(
        _ name: String, _ value: inout Double, _ unit: String?, _ summary: String)
    mutating func number(
        _ name: String, _ value: inout Double?, _ unit: String?, _ summary: String)
    mutating func report<R: Report>(_ name: String, _ value: inout R, _ summary: String)
    mutating func report<R: Report>(_ name: String, _ value: inout R?, _ summary: String)
    mutating func list<R: Report>(_ name: String, _ value: inout [R], _ summary: String)
    /// The members of a fix, beside those of the report; without `lat` and `lon` it is absent.
    mutating func fix(_ value: inout Fix?)
    mutating func flags(_ value: inout FixFlags)
}

/// A part of a reply whose members are known by name.
protocol Report {
    init()
    mutating func visit(_ visitor: inout some FieldVisitor)
}
