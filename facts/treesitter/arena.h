// Memory for one parse. Nearly everything that tree-sitter allocates lives
// until the tree is flattened, so it comes from chunks that are reset as a
// whole: allocating is an addition, and the tree is never walked to free it.
// What is freed earlier is kept by size and given out again.
#ifndef CODEIDX_ARENA_H
#define CODEIDX_ARENA_H

#include <stddef.h>

typedef struct cx_arena cx_arena;

cx_arena *cx_arena_new(void);
void cx_arena_free(cx_arena *a);

// Between enter and leave, this thread's allocations by tree-sitter come from
// the arena; leave gives all of them up.
void cx_arena_enter(cx_arena *a);
void cx_arena_leave(cx_arena *a);

// Counts bytes that are held outside the arenas. Above the limit the process
// ends with CX_EXIT_MEMORY.
void cx_charge(size_t bytes);
void cx_uncharge(size_t bytes);

#endif
