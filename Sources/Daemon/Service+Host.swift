import Configuration
import DutyCycle
import GNSS
import Platform
import Scheduling
import StatusProtocol

/// What the machine tells the run: sleep, supply, motion.
extension Service {
    /// How long a receiver gets its last command before the machine sleeps; logind waits for five seconds.
    private static let settles = TimeSpan.seconds(1)

    /// Listens to the machine; only a live run does.
    func watchHost() {
        guard feed is GPSDFeed else { return }
        let settings = options.settings.settings
        let isDutyCycled = settings.dutyCycle.policy != .continuous || !settings.profiles.isEmpty
        let host = HostWatch(on: loop, watchesTurns: isDutyCycled)
        host.onSleep = { [unowned self] ready in
            journal.write(.info, "machine sleeps")
            commit()
            pipeline.tell(.asleep, at: feed.now)
            feed.setReceiver(isOn: false, until: conductor.wakesAt)
            _ = loop.schedule(loop.now + Service.settles, slack: .milliseconds(100), ready)
        }
        host.onWake = { [unowned self] in
            journal.write(.info, "machine awake")
            pipeline.tell(conductor.isOn ? nil : .asleep, at: feed.now)
            feed.setReceiver(isOn: conductor.isOn, until: conductor.wakesAt)
            publishState()
        }
        host.onPower = { [unowned self] power in
            see(power)
            publishState()
        }
        see(host.power)
        host.onTurn = { [unowned self] in
            conductor.tell(.motion(isMoving: true, bySensor: false))
        }
        self.host = host
        if isDutyCycled {
            let sensor = MotionSensor(on: loop)
            sensor.onMotion = { [unowned self] in
                conductor.tell(.motion(isMoving: $0, bySensor: true))
            }
            motionSensor = sensor.isThere ? sensor : nil
        }
        guard options.settings.settings.receiver.wakeSystem else { return }
        conductor.alarm = { [loop] due, action in
            loop.scheduleAlarm(due, slack: .milliseconds(100), action)
        }
        let probe = loop.scheduleAlarm(loop.now + .seconds(3600), slack: .seconds(1)) {}
        if let probe {
            loop.cancel(probe)
        } else {
            journal.write(
                .warning, "cannot wake the machine",
                ["reason": "WakeSystem=yes needs CAP_WAKE_ALARM: see tracklogd.conf(5)"])
        }
    }

    /// A battery that is nearly empty ends any long wait for a commit.
    private func see(_ power: HostPower) {
        profiles.see(isExternal: power.isExternal, battery: power.battery)
        guard commits.see(isExternal: power.isExternal, battery: power.battery) else { return }
        journal.write(.notice, "battery nearly empty", ["commits": "at once, then every 10 s"])
        commit()
    }

    /// What status says of the supply; `nil` when nothing tells.
    var supplyReport: SupplyReport? {
        guard let host else { return nil }
        host.refresh()
        guard host.power != HostPower() else { return nil }
        var report = SupplyReport()
        report.isExternal = host.power.isExternal
        report.battery = host.power.battery
        return report
    }
}
