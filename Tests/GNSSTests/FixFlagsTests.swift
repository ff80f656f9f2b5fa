import GNSS
import Testing

@Suite struct FixFlagsTests {
    @Test func `a note keeps a fix and a rejecting flag does not`() {
        #expect(FixFlags([.rolloverFixed, .leapSecond]).isKept)
        #expect(!FixFlags([.rolloverFixed, .outlier]).isKept)
    }

    @Test func `a rejected fix is counted under its first reason alone`() {
        #expect(FixFlags([.outlier, .nullIsland, .conflict]).reason == .nullIsland)
        #expect(FixFlags([.conflict]).reason == nil)
    }

    @Test func `every flag has one name`() {
        #expect(Set(FixFlags.names.map(\.name)).count == FixFlags.names.count)
        #expect(FixFlags([.outlier, .conflict]).names == ["outlier", "conflict"])
    }
}
