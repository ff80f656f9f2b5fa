import Glibc

/// The system's words for an error number.
enum SystemText {
    static func words(for code: Int32) -> String {
        unsafe String(cString: strerror(code))
    }
}
