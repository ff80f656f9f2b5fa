import Configuration
import Correction
import DutyCycle
import GNSS
import JSON
import Platform
import StatusProtocol
import StatusServer

extension Service {
    /// Registers what clients may ask of the settings.
    func registerSettings(on server: StatusServer) {
        server.register(.config) { [unowned self] _, _, result in
            var report = ConfigReport()
            report.files = options.settings.files
            report.settings = SettingCatalog.all.map(self.report)
            report.needRestart = runTime.needRestart
            result.append(report)
        }
        server.register(.get) { [unowned self] request, _, result throws(RPCError) in
            let name = request.params["name"]?.string ?? ""
            result.append(explained(try RunTimeSettings.setting(named: name)))
        }
        server.register(.set) { [unowned self] request, client, result throws(RPCError) in
            result.append(try set(request.params, for: client))
        }
        server.register(.reload) { [unowned self] _, _, result throws(RPCError) in
            do {
                result.append(try reload())
            } catch {
                let lines = "\(error)".split(separator: "\n").joined(separator: "; ")
                throw .unavailable("the settings stay as they were: \(lines)")
            }
        }
    }

    /// Reads the settings files anew and puts in force what can change under way.
    ///
    /// - Throws: what is wrong in them; nothing has changed then.
    @discardableResult
    func reload() throws -> ReloadReport {
        var runTime = runTime
        runTime.forgetKept()
        let loaded = try SettingsLoader.load(
            options.path, overrides: options.overrides + runTime.overrides)
        let (changed, needRestart) = try adopt(loaded)
        self.runTime = runTime
        self.runTime.needRestart = needRestart
        var report = ReloadReport()
        report.changed = changed
        report.needRestart = needRestart
        report.overridden = runTime.names
        report.warnings = loaded.warnings.map(\.description)
        for warning in loaded.warnings {
            journal.write(.warning, "settings", ["problem": "\(warning)"])
        }
        journal.write(
            .notice, "settings read again",
            [
                "changed": changed.isEmpty ? "nothing" : changed.joined(separator: ","),
                "need_restart": needRestart.isEmpty
                    ? "nothing" : needRestart.joined(separator: ","),
            ])
        return report
    }

    /// Reads the settings files anew on a signal; a mistake in them is said and changes nothing.
    func reloadForManager() {
        supervision.reloading {
            do {
                try reload()
                return doing
            } catch {
                for line in Failure(error).message.split(separator: "\n") {
                    journal.write(.error, String(line))
                }
                journal.write(.error, "settings not read again, the old ones stay")
                return "\(doing); the settings files have a mistake, the old ones are in force"
            }
        }
    }

    private func set(
        _ params: JSONObject, for client: Client
    ) throws(RPCError) -> SettingReport {
        let setting = try RunTimeSettings.setting(named: params["name"]?.string ?? "")
        let texts = try RunTimeSettings.texts(params["value"] ?? .null, for: setting)
        let keeps = params["keep"]?.bool == true
        guard setting.isLive || keeps else {
            throw .invalidParameter(
                "name",
                "is \(setting.name), which holds from a start on; set it with keep, then restart")
        }
        var next = runTime
        next.note(setting, texts, isKept: keeps)
        var keptIn: String?
        do {
            let path = KeptSettings.path(besides: options.path)
            let plan: Plan
            if let texts {
                // Nothing is kept that cannot be put in force, nothing put in force that was to be kept and is not.
                plan = try self.plan(
                    SettingsLoader.apply(
                        RunTimeSettings.overrides(setting, texts), to: options.settings))
                if keeps { try KeptSettings.keep(setting, texts, in: path) }
            } else {
                if keeps { try KeptSettings.keep(setting, nil, in: path) }
                let files = try SettingsLoader.load(options.path, overrides: options.overrides)
                plan = try self.plan(options.settings.taking(setting, from: files))
            }
            if keeps { keptIn = path }
            carryOut(plan)
            if !setting.isLive, !next.needRestart.contains(setting.name) {
                next.needRestart.append(setting.name)
            }
        } catch let problem as SettingProblem {
            throw .unavailable("it cannot be kept: \(problem)")
        } catch let error as CorrectionError {
            throw .invalidParameter("value", "is refused: \(error)")
        } catch {
            let lines = "\(error)".split(separator: "\n").joined(separator: "; ")
            throw .unavailable("the settings stay as they were: \(lines)")
        }
        runTime = next
        journal.write(
            .notice, "setting changed",
            [
                "setting": setting.name, "kept": keeps ? "yes" : "no",
                "by_uid": client.peer.map { "\($0.uid)" } ?? "unknown",
            ])
        var report = explained(setting)
        report.keptIn = keptIn
        return report
    }

    // MARK: In force

    /// What a change of settings does, found out before any of it is done.
    struct Plan {
        var inForce: LoadedSettings
        var changed: [String]
        var needRestart: [String]
        var chain: CorrectionChain?
    }

    func plan(_ loaded: LoadedSettings) throws -> Plan {
        let (inForce, changed, needRestart) = options.settings.updated(to: loaded)
        var plan = Plan(inForce: inForce, changed: changed, needRestart: needRestart)
        if inForce.settings.correction != options.settings.settings.correction {
            plan.chain = try ServiceSettings.correction(inForce.settings, store)
        }
        return plan
    }

    private func adopt(
        _ loaded: LoadedSettings
    ) throws -> (changed: [String], needRestart: [String]) {
        let plan = try plan(loaded)
        carryOut(plan)
        return (plan.changed, plan.needRestart)
    }

    func carryOut(_ plan: Plan) {
        let before = options.settings.settings
        options.settings = plan.inForce
        guard !plan.changed.isEmpty else { return }
        let settings = plan.inForce.settings
        profiles.change(settings)
        if settings.dutyCycle != before.dutyCycle { conductor.change(profiles.inForce) }
        pipeline.change(
            gate: ServiceSettings.quality(options), chain: plan.chain,
            tracker: ServiceSettings.tracking(settings, isReplay: !options.replay.isEmpty),
            filter: settings.recording == before.recording
                ? nil : .some(ServiceSettings.filter(settings)))
        pipeline.zones = settings.noRecordZones
        housekeeper?.limits = ServiceSettings.retention(settings)
        commits.change(
            every: settings.store.commitEvery, count: ServiceSettings.commitCount(options))
        rearmCommit()
        feed.setDrain(every: settings.source.drainEvery)
        journal.threshold = Platform.LogLevel(rawValue: settings.log.level.priority) ?? .info
        server?.limits = ServiceSettings.limits(options)
        setAccess()
        publishState()
    }

    // MARK: Reports

    private func report(of setting: Setting) -> SettingReport {
        var report = SettingReport()
        report.name = setting.name
        let settings = options.settings.settings
        // Who may ask for the position may not ask where nobody is to be seen.
        report.value =
            setting.isPrivate
            ? "\(setting.count(in: settings)) set, shown in the settings files alone"
            : setting.text(in: settings)
        report.byDefault = setting.defaultText
        report.origin = options.settings.origin(of: setting).description
        report.isLive = setting.isLive
        return report
    }

    private func explained(_ setting: Setting) -> SettingReport {
        var report = report(of: setting)
        report.meaning = setting.meaning
        report.expects = setting.expects
        report.warning =
            options.settings.warnings.first {
                $0.message.hasPrefix("\(setting.name)=")
            }?.message
        return report
    }
}
