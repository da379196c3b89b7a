// What a search does at every node. Where a module must stay small, compilers would not put it in line by themselves.
#pragma once

#if defined(PLYGROUND_FAST)
#define PLYGROUND_HOT [[gnu::always_inline]]
#else
#define PLYGROUND_HOT
#endif
