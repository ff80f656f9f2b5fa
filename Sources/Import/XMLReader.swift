import CExpat

/// What is to be done with the elements of an XML file.
protocol XMLHandler {
    init()
    /// An element begins.
    ///
    /// - Parameters:
    ///   - name: its name without a prefix.
    ///   - attribute: gives the value of an attribute.
    mutating func begin(
        _ name: String, _ attribute: (String) -> String?, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError)
    /// Some text within the element that is open, in pieces.
    mutating func text(
        _ piece: UnsafeBufferPointer<UInt8>, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError)
    /// The element that is open ends.
    mutating func end(
        _ name: String, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError)
    /// The file ends.
    mutating func finish(_ line: Int, _ sink: inout PointSink) throws(ImportError)
}

/// XML read by libexpat: namespaces by their local names, UTF-8 and UTF-16, no external entity.
struct XMLReader: PointReader {
    private let state: XMLState

    init(_ handler: any XMLHandler) {
        state = XMLState(handler)
    }

    mutating func feed(_ bytes: [UInt8], _ sink: inout PointSink) throws(ImportError) {
        try state.parse(bytes, isLast: false, &sink)
    }

    mutating func finish(_ sink: inout PointSink) throws(ImportError) {
        try state.parse([], isLast: true, &sink)
        try state.handler.finish(state.line, &sink)
    }
}

/// The parser's owner, whose address libexpat keeps.
@safe private final class XMLState {
    var handler: any XMLHandler
    private var sink = PointSink()
    private let parser: XML_Parser?
    private var failure: ImportError?
    private var depth = 0

    /// Deeper than any format here; a bound on what a hostile file can make us hold.
    private static let maximumDepth = 256
    /// The longest tag or comment: libexpat looks at an unfinished one from its beginning with each piece.
    private static let longest = 1 << 20
    private var fed = 0

    init(_ handler: any XMLHandler) {
        self.handler = handler
        unsafe parser = XML_ParserCreate(nil)
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser,
            { state, name, attributes in
                unsafe XMLState.of(state)?.begin(name, attributes)
            },
            { state, name in
                unsafe XMLState.of(state)?.end(name)
            })
        unsafe XML_SetProcessingInstructionHandler(
            parser,
            { state, target, data in
                unsafe XMLState.of(state)?.instruct(target, data)
            })
        unsafe XML_SetCharacterDataHandler(
            parser,
            { state, text, count in
                unsafe XMLState.of(state)?.text(text, Int(count))
            })
    }

    /// Takes an instruction: `<?tracklog crs="gcj02"?>` names the system of what follows.
    private func instruct(_ target: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?) {
        guard let target = unsafe target, let data = unsafe data,
            unsafe String(cString: target) == "tracklog"
        else { return }
        let parts = unsafe String(cString: data).split(
            separator: "\"", omittingEmptySubsequences: false)
        if parts.count == 3, parts[0] == "crs=" { sink.system = String(parts[1].prefix(64)) }
    }

    deinit {
        unsafe XML_ParserFree(parser)
    }

    var line: Int {
        Int(clamping: unsafe XML_GetCurrentLineNumber(parser))
    }

    func parse(_ bytes: [UInt8], isLast: Bool, _ sink: inout PointSink) throws(ImportError) {
        guard unsafe parser != nil else { throw ImportError(line: 1, message: "out of memory") }
        swap(&self.sink, &sink)
        defer { swap(&self.sink, &sink) }
        let status = unsafe bytes.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(bytes.count), isLast ? 1 : 0)
        }
        if let failure { throw failure }
        fed += bytes.count
        let unread = fed - Int(unsafe XML_GetCurrentByteIndex(parser))
        guard isLast || unread <= XMLState.longest else {
            throw ImportError(line: line, message: "a tag or comment of more than 1 MiB")
        }
        guard status == XML_STATUS_OK else {
            let words = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map {
                unsafe String(cString: $0)
            }
            throw ImportError(line: line, message: "not XML: \(words ?? "unknown error")")
        }
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLState? {
        // What was set as user data, which outlives the parser it owns.
        unsafe pointer.map { unsafe Unmanaged<XMLState>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begin(
        _ name: UnsafePointer<CChar>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        depth += 1
        guard depth <= XMLState.maximumDepth else {
            return fail(ImportError(line: line, message: "elements nested too deep"))
        }
        let line = line
        let find = { (wanted: String) -> String? in
            guard var place = unsafe attributes else { return nil }
            while let key = unsafe place.pointee, let value = unsafe place[1] {
                if unsafe String(cString: key) == wanted { return unsafe String(cString: value) }
                unsafe place += 2
            }
            return nil
        }
        do throws(ImportError) {
            try unsafe handler.begin(XMLState.local(name), find, line, &sink)
        } catch {
            fail(error)
        }
    }

    private func end(_ name: UnsafePointer<CChar>?) {
        depth -= 1
        do throws(ImportError) {
            try unsafe handler.end(XMLState.local(name), line, &sink)
        } catch {
            fail(error)
        }
    }

    private func text(_ text: UnsafePointer<CChar>?, _ count: Int) {
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: count)
        do throws(ImportError) {
            try unsafe handler.text(bytes.assumingMemoryBound(to: UInt8.self), line, &sink)
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: ImportError) {
        guard failure == nil else { return }
        failure = error
        _ = unsafe XML_StopParser(parser, 0)
    }

    /// `gpxtpx:speed` is `speed`, whatever prefix the file chose.
    private static func local(_ name: UnsafePointer<CChar>?) -> String {
        guard let name = unsafe name else { return "" }
        let whole = unsafe String(cString: name)
        guard let colon = whole.utf8.lastIndex(of: UInt8(ascii: ":")) else { return whole }
        return String(whole[whole.utf8.index(after: colon)...])
    }
}

/// The text of one short element, gathered from its pieces.
struct ElementText {
    private var bytes: [UInt8] = []
    /// Longer than any number or time; the rest is let go.
    private static let limit = 256

    init() {}

    /// That of an attribute.
    init(_ text: String) {
        bytes = Array(text.utf8.prefix(ElementText.limit))
    }

    mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        unsafe bytes.append(contentsOf: piece.prefix(ElementText.limit - bytes.count))
    }

    /// Without white space around it.
    var trimmed: String {
        let start = bytes.drop { $0 <= 32 }
        let end = start.lastIndex { $0 > 32 }.map { $0 + 1 } ?? start.startIndex
        return String(decoding: start[..<end], as: UTF8.self)
    }
}
