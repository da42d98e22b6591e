# Builds the engine as WebAssembly, build-wasm/caxton.wasm, for makebook explore --engine:
#
#   cmake --toolchain cmake/wasm.cmake -B build-wasm
#   cmake --build build-wasm --target caxton-wasm
#
# Debian: apt-get install emscripten. One thread, vectors of 128 bits; the other programs and the
# tests are not for it.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER emcc)
set(CMAKE_AR emar CACHE FILEPATH "")
set(CMAKE_RANLIB emranlib CACHE FILEPATH "")
set(CAXTON_TESTS OFF CACHE BOOL "" FORCE)
