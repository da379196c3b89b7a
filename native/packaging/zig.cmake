# Compiles with zig, whose program ZIG names. It brings its own C and C++ libraries and needs nothing of the machine; the
# C++ library becomes a part of each module, so that the module loads everywhere.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZIG)
set(CMAKE_CXX_COMPILER "${ZIG}" c++)
# For any processor of the kind: by itself zig compiles for the very one it runs on.
set(CMAKE_CXX_FLAGS_INIT -mcpu=baseline)
# The archiver is a part of zig too.
set(CMAKE_AR "${ZIG}" CACHE FILEPATH "")
set(CMAKE_RANLIB "${ZIG}" CACHE FILEPATH "")
set(CMAKE_CXX_ARCHIVE_CREATE "<CMAKE_AR> ar qc <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_APPEND "<CMAKE_AR> ar q <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_FINISH "<CMAKE_RANLIB> ranlib <TARGET>")
# Looking for modules of C++20, of which there are none here, takes a program that zig has not got.
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
# As zig spells it.
set(X86_64_V3_FLAG -march=x86_64_v3)
