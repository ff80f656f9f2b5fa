import Testing

@Suite struct OneThreadTests {
    /// Measured: one hop to Swift's executor makes an idle process wake once a second for ever.
    static var forbidden: Regex<Substring> {
        #/\b(?:async|await|actor|Task|TaskGroup|MainActor|globalActor|DispatchQueue|Mutex|NSLock|pthread_create|pthread_mutex_t)\b/#
    }

    @Test(arguments: try SourceTree.files(under: "Sources"))
    func `no file uses a task, an actor, a queue or a lock`(file: SourceFile) {
        #expect(file.code.matches(of: OneThreadTests.forbidden).map { String($0.output) } == [])
    }

    @Test(arguments: try ["Sources", "Tests", "Benchmarks"].flatMap(SourceTree.files(under:)))
    func `a file that people write stays under four hundred lines`(file: SourceFile) {
        #expect(file.lines < 400 || file.isGenerated)
    }

    @Test func `words in comments and literals are no use of them`() {
        let code = SourceTree.withoutCommentsAndLiterals(
            """
            // await nothing
            /* an actor */ let a = "Task \\" async" // Mutex
            let b = \"\"\"
            DispatchQueue
            \"\"\"
            """)
        #expect(code.matches(of: OneThreadTests.forbidden).isEmpty)
        #expect("func f() async {}".contains(OneThreadTests.forbidden))
    }
}
