extension UnixAddress {
    /// The socket through which whoever may open it may change things: of the same name, in a folder beside that
    /// of this one.
    ///
    /// Of `/run/tracklog/tracklogd.sock` it is `/run/tracklog-control/tracklogd.sock`. An abstract name has none, nor
    /// has a path without a folder.
    public var control: UnixAddress? {
        guard !isAbstract, let slash = text.lastIndex(of: "/") else { return nil }
        let folder = text[..<slash]
        guard let name = folder.split(separator: "/", omittingEmptySubsequences: false).last,
            !["", ".", ".."].contains(name)
        else { return nil }
        return try? UnixAddress("\(folder)-control\(text[slash...])")
    }
}
