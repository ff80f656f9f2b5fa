#pragma once
#include <errno.h>
#include <gps.h>
#include <math.h>
