/* faults.c: a library to be preloaded that lets calls on files fail, or writes down what a disk is told.
 *
 *   FAULTS_DIR    the folder whose files are meant
 *   FAULTS_FAIL   OP:ERRNO:AFTER:COUNT: of the calls write or sync, AFTER pass, then COUNT fail (0: all);
 *                 with ERRNO 0 the process is killed instead
 *   FAULTS_HIT    a file that is made when one has failed
 *   FAULTS_LOG    where each call is written down: a header of 24 bytes (type, file, offset, length), then bytes
 *
 * cc -O2 -fPIC -shared -o faults.so faults.c -ldl
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { FILES = 1024 };
static char *names[FILES];       /* of open descriptors that are meant */
static const char *folder, *hit;
static int log_fd = -1, is_ready, fails_sync, fails_write, fail_errno;
static long fail_after, fail_count, seen;

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = dlsym(RTLD_NEXT, #name); \
    start()

static void start(void) {
    if (is_ready) return;
    is_ready = 1;
    folder = getenv("FAULTS_DIR");
    hit = getenv("FAULTS_HIT");
    const char *rule = getenv("FAULTS_FAIL"), *log = getenv("FAULTS_LOG");
    char op[8] = "";
    if (rule && sscanf(rule, "%7[a-z]:%d:%ld:%ld", op, &fail_errno, &fail_after, &fail_count) == 4) {
        fails_write = !strcmp(op, "write");
        fails_sync = !strcmp(op, "sync");
    }
    if (log) {
        int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
        log_fd = real_open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    }
}

static const char *meant(const char *path) {
    static char whole[PATH_MAX];
    if (!folder || !path) return NULL;
    if (path[0] != '/') {
        if (!getcwd(whole, sizeof whole)) return NULL;
        size_t length = strlen(whole);
        snprintf(whole + length, sizeof whole - length, "/%s", path);
    } else snprintf(whole, sizeof whole, "%s", path);
    return strncmp(whole, folder, strlen(folder)) ? NULL : whole;
}

static const char *file(int fd) { return fd >= 0 && fd < FILES ? names[fd] : NULL; }

static void put(char type, const char *name, uint64_t offset, const void *bytes, uint64_t length) {
    if (log_fd < 0) return;
    struct { uint32_t type, name; uint64_t offset, length; } header =
        {(uint32_t)type, (uint32_t)strlen(name), offset, length};
    size_t size = sizeof header + header.name + (bytes ? length : 0);
    char *record = malloc(size);
    memcpy(record, &header, sizeof header);
    memcpy(record + sizeof header, name, header.name);
    if (bytes) memcpy(record + sizeof header + header.name, bytes, length);
    ssize_t (*real_write)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    if (real_write(log_fd, record, size) != (ssize_t)size) _exit(99);
    free(record);
}

static int fails(int is_sync) {
    if (!(is_sync ? fails_sync : fails_write)) return 0;
    long number = seen++;
    if (number < fail_after || (fail_count && number >= fail_after + fail_count)) return 0;
    if (!fail_errno) raise(SIGKILL);
    if (hit) {
        int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
        close(real_open(hit, O_WRONLY | O_CREAT, 0644));
    }
    errno = fail_errno;
    return 1;
}

static void opened(int fd, const char *path, int flags) {
    if (fd < 0 || fd >= FILES) return;
    free(names[fd]);
    const char *name = meant(path);
    names[fd] = name ? strdup(name) : NULL;
    if (!name) return;
    if (flags & O_CREAT) put('O', name, 0, NULL, 0);
    if (flags & O_TRUNC) put('T', name, 0, NULL, 0);
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(int, name, const char *, int, ...); \
        va_list list; va_start(list, flags); mode_t mode = va_arg(list, mode_t); va_end(list); \
        int fd = real(path, flags, mode); opened(fd, path, flags); return fd; \
    }
OPEN(open)
OPEN(open64)

int close(int fd) {
    REAL(int, close, int);
    if (fd >= 0 && fd < FILES) { free(names[fd]); names[fd] = NULL; }
    return real(fd);
}

#define PWRITE(name, type) \
    ssize_t name(int fd, const void *bytes, size_t count, type offset) { \
        REAL(ssize_t, name, int, const void *, size_t, type); \
        if (file(fd) && fails(0)) return -1; \
        ssize_t done = real(fd, bytes, count, offset); \
        if (file(fd) && done > 0) put('W', file(fd), offset, bytes, done); \
        return done; \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    if (file(fd) && fails(0)) return -1;
    ssize_t done = real(fd, bytes, count);
    if (file(fd) && done > 0) put('W', file(fd), lseek(fd, 0, SEEK_CUR) - done, bytes, done);
    return done;
}

#define TRUNCATE(name, type) \
    int name(int fd, type length) { \
        REAL(int, name, int, type); \
        if (file(fd) && fails(0)) return -1; \
        int code = real(fd, length); \
        if (file(fd) && !code) put('T', file(fd), length, NULL, 0); \
        return code; \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name) \
    int name(int fd) { \
        REAL(int, name, int); \
        if (file(fd) && fails(1)) return -1; \
        int code = real(fd); \
        if (file(fd) && !code) put('S', file(fd), 0, NULL, 0); \
        return code; \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
    REAL(int, unlink, const char *);
    int code = real(path);
    if (!code && meant(path)) put('U', meant(path), 0, NULL, 0);
    return code;
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    int code = real(from, to);
    if (!code && meant(from)) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%s", meant(from));
        if (meant(to)) put('R', name, 0, meant(to), strlen(meant(to)));
    }
    return code;
}
