#pragma once
#include <zlib.h>

/// inflateInit2 is a macro: 15 window bits + 32 reads both zlib and gzip headers.
static inline int CZlib_inflateInit(z_stream *stream) { return inflateInit2(stream, 15 + 32); }
