/* What a call can answer. Functions that cannot fail return void; nothing here prints or exits. */
#ifndef GELU_STATUS_H
#define GELU_STATUS_H

#include "ieee.h"

typedef enum {
  GELU_OK = 0,
  GELU_UNKNOWN_FUNCTION = 1, /* no such index in the activation table */
  GELU_UNKNOWN_ORDER = 2,    /* derivative order outside 0, 1, 2 */
  GELU_BAD_PARAMETER = 3,    /* a parameter is NaN or infinite */
  GELU_BAD_INTERVAL = 4,     /* from >= to, not finite, or beyond 1e4 in size */
  GELU_NULL_POINTER = 5,     /* a required pointer is NULL although n > 0 */
  GELU_UNKNOWN_OPTION = 6,   /* an option value outside its enumeration */
  GELU_TOO_LARGE = 7,        /* arrays of these sizes cannot be addressed */
  GELU_BAD_SIZE = 8,         /* a size or a label outside what the header allows */
  GELU_NOT_FINITE = 9        /* a training run met a NaN or an overflow and stopped */
} gelu_status;

#endif
