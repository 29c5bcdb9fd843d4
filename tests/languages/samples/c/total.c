#include "total.h"
long total(long sum, long x) { return sum + x; }
