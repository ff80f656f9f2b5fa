import GNSS
import Testing

@Suite struct TextBufferTests {
    @Test(
        arguments: [
            (0.00001, 7, "0.0000100"), (-0.00000001, 7, "0.0000000"), (-0.5, 0, "-1"),
            (35.999999999, 4, "36.0000"),
            (-179.99999995, 7, "-180.0000000"), (1e9, 3, "1000000000.000"), (.nan, 2, "null"),
            (.infinity, 2, "null"),
            (1234567.891, 2, "1234567.89"),
        ] as [(Double, Int, String)])
    func `a decimal has no exponent, no minus zero and no locale`(
        value: Double, decimals: Int, text: String
    ) {
        var buffer = TextBuffer()
        buffer.append(value, decimals: decimals)
        #expect(buffer.string == text)
    }

    @Test func `trimming drops zeros and the point`() {
        var buffer = TextBuffer()
        buffer.append(5.250, decimals: 3, trimming: true)
        buffer.append(" ")
        buffer.append(100, decimals: 3, trimming: true)
        #expect(buffer.string == "5.25 100")
    }

    @Test func `JSON and XML text is escaped`() {
        var buffer = TextBuffer()
        buffer.append(json: "a\"\\\n\u{1}é")
        buffer.append(xml: "<&\"\u{1}é>")
        #expect(buffer.string == "\"a\\\"\\\\\\n\\u0001é\"&lt;&amp;&quot;\u{FFFD}é&gt;")
    }

    @Test func `a whole number keeps its sign and width`() {
        var buffer = TextBuffer()
        buffer.append(Int64.min)
        buffer.append(" ")
        buffer.append(7, width: 3)
        #expect(buffer.string == "-9223372036854775808 007")
    }
}
