public import GNSS

extension TextBuffer {
    /// Appends the result of `status`, and the parameters of the notification `state`.
    public mutating func append(_ report: StatusReport) {
        FieldWriter.append(report, to: &self)
    }

    /// Appends the parameters of the notification `fix`.
    public mutating func append(_ report: FixReport) {
        FieldWriter.append(report, to: &self)
    }

    /// Appends the result of `sky`.
    public mutating func append(_ sky: SkyView) {
        FieldWriter.append(sky, to: &self)
    }

    /// Appends the parameters of the notification `event`.
    public mutating func append(_ report: EventReport) {
        FieldWriter.append(report, to: &self)
    }

    /// Appends the parameters of the notification `cycle`.
    public mutating func append(_ report: CycleReport) {
        FieldWriter.append(report, to: &self)
    }

    /// Appends the result of `version`.
    public mutating func append(_ report: VersionReport) {
        FieldWriter.append(report, to: &self)
    }

    /// Appends the result of `watch`.
    public mutating func append(_ report: WatchReport) {
        FieldWriter.append(report, to: &self)
    }

    /// Appends the result of `acknowledge`.
    public mutating func append(_ report: AcknowledgeReport) {
        FieldWriter.append(report, to: &self)
    }

    /// Appends the result of `flush`.
    public mutating func append(_ report: FlushReport) {
        FieldWriter.append(report, to: &self)
    }
}

extension TextBuffer {
    /// Appends the result of `get` and `set`.
    public mutating func append(_ report: SettingReport) {
        FieldWriter.append(report, to: &self)
    }

    /// Appends the result of `config`.
    public mutating func append(_ report: ConfigReport) {
        FieldWriter.append(report, to: &self)
    }

    /// Appends the result of `reload`.
    public mutating func append(_ report: ReloadReport) {
        FieldWriter.append(report, to: &self)
    }
}
