#pragma once
#include <zlib.h>

/// inflateInit2 is a macro: 15 window bits + 32 reads both zlib and gzip headers.
static inline int CZlib_inflateInit(z_stream *stream) { return inflateInit2(stream, 15 + 32); }

/// deflateInit2 is a macro: negative window bits write no header.
static inline int CZlib_deflateInit(z_stream *stream)
{
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
