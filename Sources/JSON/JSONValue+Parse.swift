import CJansson

extension JSONValue {
    /// Reads one JSON value that takes all of `bytes`; white space around it is allowed.
    ///
    /// Duplicate names, broken UTF-8, NUL (also as an escape), numbers beyond 64 bits or a double, and values
    /// nested deeper than `maximumDepth` are refused. The C function is `json_loadb`.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer, maximumDepth: Int = 16
    ) throws(JSONError) -> JSONValue {
        // jansson recurses as deep as the input asks: look before.
        try unsafe checkShape(bytes, limit: maximumDepth)
        var error = json_error_t()
        let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY
        // jansson asks for a pointer even when there is nothing behind it.
        var nothing: UInt8 = 0
        let root = unsafe withUnsafePointer(to: &nothing) { empty in
            let start = unsafe bytes.baseAddress ?? UnsafeRawPointer(empty)
            return unsafe json_loadb(start, bytes.count, Int(flags), &error)
        }
        guard let root = unsafe root else {
            let read = min(max(0, Int(error.position)), bytes.count)
            throw unsafe JSONError(
                error, member: JSONPath.last(of: UnsafeRawBufferPointer(rebasing: bytes[..<read])))
        }
        defer { unsafe CJansson_release(root) }
        return unsafe JSONValue(root)
    }

    /// Reads one JSON value that takes all of `bytes`, as ``parse(_:maximumDepth:)`` does of memory.
    public static func parse(
        _ bytes: some Collection<UInt8>, maximumDepth: Int = 16
    ) throws(JSONError) -> JSONValue {
        try parse(Array(bytes), maximumDepth: maximumDepth)
    }

    /// Reads one JSON value that takes all of `bytes`, where they are.
    public static func parse(
        _ bytes: [UInt8], maximumDepth: Int = 16
    ) throws(JSONError) -> JSONValue {
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) -> JSONValue in
            try unsafe parse(UnsafeRawBufferPointer(bytes), maximumDepth: maximumDepth)
        }
    }

    /// Reads one JSON value that takes all of `text`.
    public static func parse(
        _ text: String, maximumDepth: Int = 16
    ) throws(JSONError) -> JSONValue {
        try parse(text.utf8, maximumDepth: maximumDepth)
    }

    private static func checkShape(
        _ bytes: UnsafeRawBufferPointer, limit: Int
    ) throws(JSONError) {
        var depth = 0
        var inString = false
        var escaped = false
        var line = 1
        var column = 0
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            // Continuation bytes of UTF-8 are no characters of their own.
            if byte & 0xC0 != 0x80 { column += 1 }
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 0
            }
            // jansson passes over a NUL that ends a number.
            if byte == 0 {
                throw unsafe JSONError(
                    line: line, column: column, message: "NUL byte",
                    member: JSONPath.last(of: UnsafeRawBufferPointer(rebasing: bytes[..<index])))
            }
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > limit {
                    throw unsafe JSONError(
                        line: line, column: column, message: "nested more than \(limit) deep",
                        member: JSONPath.last(
                            of: UnsafeRawBufferPointer(rebasing: bytes[..<index])))
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
    }

    /// Copies a value of jansson; the depth was checked.
    private init(_ value: UnsafeMutablePointer<json_t>) {
        switch unsafe value.pointee.type {
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        case JSON_INTEGER: self = unsafe .integer(json_integer_value(value))
        case JSON_REAL: self = unsafe .number(json_real_value(value))
        case JSON_STRING:
            self = unsafe .string(text(json_string_value(value), json_string_length(value)))
        case JSON_ARRAY:
            let count = unsafe json_array_size(value)
            self = .array(
                (0..<count).compactMap { index in
                    unsafe json_array_get(value, index).map { unsafe JSONValue($0) }
                })
        case JSON_OBJECT:
            var object = JSONObject()
            unsafe object.reserve(json_object_size(value))
            // jansson iterates in the order of insertion.
            var place = unsafe json_object_iter(value)
            while let here = unsafe place {
                let name = unsafe text(
                    json_object_iter_key(here), json_object_iter_key_len(here))
                if let member = unsafe json_object_iter_value(here) {
                    unsafe object.append(name, JSONValue(member))
                }
                unsafe place = json_object_iter_next(value, here)
            }
            self = .object(object)
        default: self = .null
        }
    }
}

/// Copies text that jansson has checked to be UTF-8.
private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    return unsafe String(decoding: bytes, as: UTF8.self)
}

extension JSONError {
    fileprivate init(_ error: json_error_t, member: String?) {
        var copy = error
        let words = unsafe withUnsafeBytes(of: &copy.text) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        // "… near 'piece of input'": the place is known, and input may hold what is nobody's business.
        let near = words.firstRange(of: " near ")
        var message = String(near.map { words[..<$0.lowerBound] } ?? words[...])
        // A flag of jansson's, which nobody here can set.
        if message.hasPrefix("\\u0000 is not allowed") { message = "\\u0000 is not allowed" }
        // A name tells a person more than a column.
        if message == "duplicate object key", let near {
            message += " " + words[near.upperBound...].filter { $0 != "'" }
        }
        self.init(
            line: max(1, Int(copy.line)), column: max(0, Int(copy.column)), message: message,
            member: member)
    }
}
