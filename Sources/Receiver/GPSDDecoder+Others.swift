import GNSS
import JSON

/// Reports that add to a fix and are none.
extension GPSDDecoder {
    /// Completes what was left of a receiver that says nothing more while another one goes on: coming later still, it would
    /// make it seem alive.
    func completeOthers(than index: Int, since before: UTCTime?, _ emit: (Epoch) -> Void) {
        guard let before, let time = devices[index].time, time > before else { return }
        for other in devices.indices
        where other != index && devices[other].pending?.awaitsTime == false {
            devices[other].waited += min(time - before, 1000)
            if devices[other].waited > 1500 { complete(other, emit) }
        }
    }

    func readDeviations(_ report: JSONObject) {
        text.writeDeviations(report)
        guard let read = library.deviations(text.text.bytes) else {
            counts.malformed += 1
            return
        }
        if text.isDamaged { counts.malformed += 1 } else { counts.accepted += 1 }
        let index = deviceIndex(report)
        devices[index].deviations = read
        devices[index].deviationsTime = readTime(report["time"]).time
    }

    func readAttitude(_ report: JSONObject) {
        guard let degrees = report["heading"]?.number, (0...360).contains(degrees) else {
            // Roll and pitch alone say nothing for a track.
            counts.ignored += 1
            return
        }
        counts.accepted += 1
        let index = deviceIndex(report)
        devices[index].heading = (degrees == 360 ? 0 : degrees, readTime(report["time"]).time)
    }
}
