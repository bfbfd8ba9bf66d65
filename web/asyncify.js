// Emscripten wants a function for each import. wasm-opt --asyncify replaces these.
addToLibrary({start_unwind: () => {}, stop_unwind: () => {}, start_rewind: () => {}, stop_rewind: () => {}});
