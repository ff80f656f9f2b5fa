extension Schema {
    /// What a cycle tells of the receiver.
    static var tablesOfVersion3: String {
        """
        ALTER TABLE cycle ADD COLUMN lever TEXT; -- what switched the receiver
        ALTER TABLE cycle ADD COLUMN start TEXT; -- hot, warm or cold
        ALTER TABLE cycle ADD COLUMN heard INTEGER; -- most satellites at a time with a signal
        """
    }
}
