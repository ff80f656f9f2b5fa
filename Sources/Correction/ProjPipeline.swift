import Geodesy
import Glibc

/// A coordinate pipeline of PROJ, through libproj loaded at run time.
///
/// Nothing links libproj: a machine without it runs everything but this.
@safe final class ProjPipeline {
    private typealias Create =
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> UnsafeMutableRawPointer?
    private typealias Destroy =
        @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    private typealias Errno = @convention(c) (UnsafeMutableRawPointer?) -> CInt
    private typealias ErrnoReset = @convention(c) (UnsafeMutableRawPointer?) -> CInt
    private typealias Transform =
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafeMutablePointer<Double>, Int, Int,
            UnsafeMutablePointer<Double>, Int, Int, UnsafeMutablePointer<Double>, Int, Int,
            UnsafeMutablePointer<Double>, Int, Int
        ) -> Int

    private let handle: UnsafeMutableRawPointer
    private let destroy: Destroy
    private let error: Errno
    private let resetError: ErrnoReset
    private let transform: Transform

    /// Loads libproj and makes a pipeline of `definition`.
    ///
    /// The C function is `proj_create`.
    init(_ definition: String) throws(CorrectionError) {
        guard
            let library = unsafe ProjPipeline.names.lazy.compactMap({
                unsafe dlopen($0, RTLD_NOW | RTLD_LOCAL)
            }).first
        else {
            throw .pipeline("Pipeline= needs PROJ, which is not installed (Debian: libproj25)")
        }
        guard let create = unsafe dlsym(library, "proj_create"),
            let destroy = unsafe dlsym(library, "proj_destroy"),
            let error = unsafe dlsym(library, "proj_errno"),
            let reset = unsafe dlsym(library, "proj_errno_reset"),
            let transform = unsafe dlsym(library, "proj_trans_generic")
        else { throw .pipeline("the installed PROJ lacks a function") }
        unsafe self.destroy = unsafeBitCast(destroy, to: Destroy.self)
        unsafe self.error = unsafeBitCast(error, to: Errno.self)
        unsafe resetError = unsafeBitCast(reset, to: ErrnoReset.self)
        unsafe self.transform = unsafeBitCast(transform, to: Transform.self)
        guard let made = unsafe unsafeBitCast(create, to: Create.self)(nil, definition) else {
            throw .pipeline("PROJ does not take the pipeline: \(definition)")
        }
        unsafe handle = made
    }

    deinit {
        unsafe _ = destroy(handle)
    }

    /// Sends a position through; `nil` when PROJ gives none.
    func applied(
        latitude: Double, longitude: Double, height: Double, year: Double?
    ) -> (latitude: Double, longitude: Double, height: Double)? {
        var (x, y, z) = (longitude, latitude, height)
        // PROJ's word for "no time" is HUGE_VAL.
        var t = year ?? .infinity
        unsafe _ = resetError(handle)
        let done = unsafe transform(handle, 1, &x, 8, 1, &y, 8, 1, &z, 8, 1, &t, 8, 1)
        guard done == 1, unsafe error(handle) == 0, x.isFinite, y.isFinite, z.isFinite
        else { return nil }
        return (y, Angle.wrapLongitude(x), z)
    }

    // Debian 12, Debian 13, and the name of a development package.
    private static let names = ["libproj.so.25", "libproj.so.26", "libproj.so"]
}
