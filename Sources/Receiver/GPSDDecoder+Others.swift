import GNSS
import JSON

/// Reports that add to a fix and are none.
extension GPSDDecoder {
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
