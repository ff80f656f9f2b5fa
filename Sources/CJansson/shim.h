#pragma once
#include <jansson.h>

/// json_decref is a static inline with a reference-count macro that Swift cannot import.
static inline void CJansson_release(json_t *value) { json_decref(value); }
