#pragma once
#include <dlfcn.h>
#include <errno.h>
#include <gps.h>
#include <math.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#if GPSD_API_MAJOR_VERSION < 11
#error "libgps of gpsd 3.22 or newer is needed"
#endif

/// Bytes to give a gps_data_t: 38,488 is the largest any release up to 3.27 fills, and a library newer than
/// the header must not write past the end before CGPS_fits has noticed.
#define CGPS_CAPACITY ((size_t)128 * 1024)

/// What a TPV report says; NaN is absent.
struct CGPS_fix {
    int64_t milliseconds;  // INT64_MIN when absent
    int mode, status;
    double latitude, longitude, altMSL, altHAE, geoidSeparation;
    double track, speed, climb;
    double ept, epx, epy, epv, epd, eps, eph;
};

/// What a SKY report says of a satellite, under the names of gps.h.
struct CGPS_satellite {
    int prn, gnssid, svid, used;
    double elevation, azimuth, signal;
};

/// The functions of libgps that are used, found at run time.
struct CGPS_library {
    __typeof__(gps_unpack) *unpack;
    __typeof__(gps_clear_fix) *clearFix;
    __typeof__(gps_clear_dop) *clearDOP;
};

static inline int CGPS_find(void *handle, struct CGPS_library *library) {
    library->unpack = (__typeof__(gps_unpack) *)dlsym(handle, "gps_unpack");
    library->clearFix = (__typeof__(gps_clear_fix) *)dlsym(handle, "gps_clear_fix");
    library->clearDOP = (__typeof__(gps_clear_dop) *)dlsym(handle, "gps_clear_dop");
    return library->unpack && library->clearFix && library->clearDOP;
}

/// Finds libgps: the one that the program is linked with, else the one of a soname.
///
/// A program that only sometimes reads gpsd's JSON does not load libgps, D-Bus and what they need at each start.
/// gpsd 3.22 has libgps.so.28, 3.27 has libgps.so.32; `version` 0 asks for the linked one.
static inline int CGPS_load(int version, struct CGPS_library *library) {
    if (version == 0) return CGPS_find(RTLD_DEFAULT, library);
    char name[32];
    snprintf(name, sizeof name, "libgps.so.%d", version);
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return 0;
    if (CGPS_find(handle, library)) return 1;
    dlclose(handle);
    return 0;
}

/// Forgets the report before: libgps accumulates, and leaves what a line does not name as it was.
static inline void CGPS_clear(const struct CGPS_library *library, struct gps_data_t *data) {
    data->set = 0;
    library->clearFix(&data->fix);
    library->clearDOP(&data->dop);
    data->satellites_visible = 0;
    data->satellites_used = 0;
    data->gst.lat_err_deviation = NAN;
    data->gst.lon_err_deviation = NAN;
    data->gst.alt_err_deviation = NAN;
}

/// Up to 3.24 the line is a char *, from 3.25 (libgps 30) a const char *; it is not written to in either.
static inline void CGPS_unpack(const struct CGPS_library *library, struct gps_data_t *data, char *line) {
    library->unpack(line, data);
}

static inline struct CGPS_fix CGPS_readFix(const struct gps_data_t *data) {
    const struct gps_fix_t *fix = &data->fix;
    struct CGPS_fix read = {
        .milliseconds = INT64_MIN,
        .mode = data->set & MODE_SET ? fix->mode : 0,
        // Renamed in 3.23 (STATUS_FIX became STATUS_GPS, ...); the values are the same in all releases.
        .status = data->set & STATUS_SET ? fix->status : 0,
        .latitude = fix->latitude, .longitude = fix->longitude,
        .altMSL = fix->altMSL, .altHAE = fix->altHAE, .geoidSeparation = fix->geoid_sep,
        .track = fix->track, .speed = fix->speed, .climb = fix->climb,
        .ept = fix->ept, .epx = fix->epx, .epy = fix->epy, .epv = fix->epv,
        // JSON's epd is the error of the course; its epc is that of the climb.
        .epd = fix->epd, .eps = fix->eps, .eph = fix->eph,
    };
    if (data->set & TIME_SET)
        read.milliseconds = (int64_t)fix->time.tv_sec * 1000 + (fix->time.tv_nsec + 500000) / 1000000;
    return read;
}

static inline struct CGPS_satellite CGPS_readSatellite(const struct gps_data_t *data, int index) {
    const struct satellite_t *seen = &data->skyview[index];
    // A byte up to 3.27; what comes after it has an enumeration there.
    return (struct CGPS_satellite){
        .prn = seen->PRN, .gnssid = (int)seen->gnssid, .svid = seen->svid, .used = seen->used,
        .elevation = seen->elevation, .azimuth = seen->azimuth, .signal = seen->ss,
    };
}

/// Whether the library fills the structure as this header lays it out.
///
/// Four layouts share API 14.0 and two of them a soname, so only a look at what the library writes can tell.
/// `data` has CGPS_CAPACITY bytes; reports are unpacked that set the fields used here, and the bytes behind
/// the structure have to stay as they were.
static inline int CGPS_fits(const struct CGPS_library *library, struct gps_data_t *data) {
    char tpv[] = "{\"class\":\"TPV\",\"mode\":3,\"status\":2,\"time\":\"2026-05-01T10:00:00.250Z\",\"lat\":51.5,"
                 "\"lon\":-0.25,\"altHAE\":95.5,\"altMSL\":48.5,\"geoidSep\":47.0,\"track\":12.5,\"speed\":3.5,"
                 "\"climb\":0.5,\"ept\":0.125,\"epx\":1.5,\"epy\":2.5,\"epv\":4.5,\"epd\":6.5,\"eps\":7.5,"
                 "\"eph\":8.5}";
    char sky[] = "{\"class\":\"SKY\",\"hdop\":1.25,\"tdop\":2.25,\"satellites\":["
                 "{\"PRN\":5,\"el\":10.5,\"az\":20.5,\"ss\":30.5,\"used\":true,\"gnssid\":2,\"svid\":5},"
                 "{\"PRN\":6,\"el\":11.5,\"az\":21.5,\"ss\":31.5,\"used\":false,\"gnssid\":6,\"svid\":6}],"
                 // From 3.24 on these say how many of the list there are; before, they are passed over.
                 "\"nSat\":2,\"uSat\":1}";
    char gst[] = "{\"class\":\"GST\",\"lat\":1.5,\"lon\":2.5,\"alt\":3.5}";
    const unsigned char *bytes = (const unsigned char *)data;
    memset(data, 0, sizeof *data);
    memset((char *)data + sizeof *data, 0xA5, CGPS_CAPACITY - sizeof *data);
    CGPS_clear(library, data);
    CGPS_unpack(library, data, tpv);
    struct CGPS_fix fix = CGPS_readFix(data);
    if (fix.milliseconds != 1777629600250 || fix.mode != 3 || fix.status != 2 || fix.latitude != 51.5 ||
        fix.longitude != -0.25 || fix.altHAE != 95.5 || fix.altMSL != 48.5 || fix.geoidSeparation != 47.0 ||
        fix.track != 12.5 || fix.speed != 3.5 || fix.climb != 0.5 || fix.ept != 0.125 || fix.epx != 1.5 ||
        fix.epy != 2.5 || fix.epv != 4.5 || fix.epd != 6.5 || fix.eps != 7.5 || fix.eph != 8.5)
        return 0;
    CGPS_clear(library, data);
    CGPS_unpack(library, data, sky);
    struct CGPS_satellite last = CGPS_readSatellite(data, 1);
    if (!(data->set & SATELLITE_SET) || data->satellites_visible != 2 || data->satellites_used != 1 ||
        data->dop.hdop != 1.25 || data->dop.tdop != 2.25 || !data->skyview[0].used || last.prn != 6 ||
        last.elevation != 11.5 || last.azimuth != 21.5 || last.signal != 31.5 || last.gnssid != 6 ||
        last.svid != 6)
        return 0;
    CGPS_clear(library, data);
    CGPS_unpack(library, data, gst);
    if (!(data->set & GST_SET) || data->gst.lat_err_deviation != 1.5 ||
        data->gst.lon_err_deviation != 2.5 || data->gst.alt_err_deviation != 3.5)
        return 0;
    for (size_t i = sizeof *data; i < CGPS_CAPACITY; i++)
        if (bytes[i] != 0xA5) return 0;
    return 1;
}

static inline int CGPS_isSky(const struct gps_data_t *data) { return (data->set & SATELLITE_SET) != 0; }
static inline int CGPS_isGST(const struct gps_data_t *data) { return (data->set & GST_SET) != 0; }
static inline double CGPS_latitudeDeviation(const struct gps_data_t *data) { return data->gst.lat_err_deviation; }
static inline double CGPS_longitudeDeviation(const struct gps_data_t *data) { return data->gst.lon_err_deviation; }
static inline double CGPS_altitudeDeviation(const struct gps_data_t *data) { return data->gst.alt_err_deviation; }

/// The header's API, as 11.0 for gpsd 3.22.
static inline int CGPS_apiMajor(void) { return GPSD_API_MAJOR_VERSION; }
static inline int CGPS_apiMinor(void) { return GPSD_API_MINOR_VERSION; }

/// Looks up a host name in a child process, which writes one numeric address a line to `output` and ends.
///
/// A look-up can hang for minutes and cannot be cancelled; a child can be killed. The caller has one thread.
/// Returns the child's process id, or -1.
static inline pid_t CGPS_resolve(const char *host, int output) {
    pid_t child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    int status = getaddrinfo(host, NULL, &hints, &found);
    if (status != 0) {
        dprintf(output, "!%s\n", gai_strerror(status));
        _exit(1);
    }
    for (struct addrinfo *each = found; each; each = each->ai_next) {
        char name[256];
        if (getnameinfo(each->ai_addr, each->ai_addrlen, name, sizeof name, NULL, 0, NI_NUMERICHOST) == 0)
            dprintf(output, "%s\n", name);
    }
    _exit(0);
}
