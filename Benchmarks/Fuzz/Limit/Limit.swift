import Glibc

// The linker puts this between the fuzzer and the target (--wrap).
@_extern(c, "__real_LLVMFuzzerTestOneInput")
private func realTest(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt

/// Gives the input to the target and ends the fuzzer when that takes more than 100 ms of the processor.
@_cdecl("__wrap_LLVMFuzzerTestOneInput")
public func limitedTest(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var begin = timespec()
    var end = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin)
    let result = realTest(bytes, count)
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
    let milliseconds =
        (end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1_000_000
    guard milliseconds <= 100 else { fatalError("one input took \(milliseconds) ms") }
    return result
}
