#include "arena.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim.h"

void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

static size_t limit_bytes;
static _Atomic size_t held_bytes, peak_bytes;

void cx_charge(size_t bytes) {
	size_t now = atomic_fetch_add(&held_bytes, bytes) + bytes;
	size_t peak = atomic_load(&peak_bytes);
	while (now > peak && !atomic_compare_exchange_weak(&peak_bytes, &peak, now)) {}
	if (limit_bytes && now > limit_bytes) _exit(CX_EXIT_MEMORY);
}
void cx_uncharge(size_t bytes) { atomic_fetch_sub(&held_bytes, bytes); }
size_t cx_allocated(void) { return atomic_load(&held_bytes); }
size_t cx_peak_allocated(void) { return atomic_load(&peak_bytes); }

// A block is its capacity and the bytes that follow. Blocks are aligned so
// that the bytes are aligned to 16; capacities are 16 n + 8.
typedef struct block {
	size_t cap;
	struct block *next_free; // overlays the bytes while the block is free
} block;

enum {
	HEAD = sizeof(size_t),
	SMALL = 64,             // classes of small blocks, 16 bytes apart
	CLASSES = SMALL + 64,   // above: powers of two
	SMALL_CAP = SMALL * 16 - HEAD,
	CHUNK = 1 << 20,
	KEPT_CHUNKS = 16,       // chunks that stay for the next parse
};

typedef struct chunk {
	struct chunk *next;
	size_t size; // bytes after this head
} chunk;

struct cx_arena {
	chunk *first, *now;
	char *top, *end; // free part of chunk now; top is 8 past a multiple of 16
	block *free[CLASSES];
};

static _Thread_local cx_arena *current;

static block *block_of(void *p) { return (block *)((char *)p - HEAD); }
static void *bytes_of(block *b) { return (char *)b + HEAD; }

static size_t round_up(size_t n) {
	if (n <= SMALL_CAP) return n <= 8 ? 8 : ((n + 7) & ~(size_t)15) + 8;
	size_t cap = 2048;
	while (cap - HEAD < n) cap *= 2;
	return cap - HEAD;
}

static int class_of(size_t cap) {
	if (cap <= SMALL_CAP) return (int)(cap / 16);
	return SMALL + 63 - __builtin_clzll(cap);
}

// Makes c the chunk that blocks are cut from.
static void use_chunk(cx_arena *a, chunk *c) {
	a->now = c;
	a->top = (char *)(c + 1) + 8;
	a->end = (char *)(c + 1) + c->size;
}

// Moves on to a chunk with room for a block of capacity cap.
static void next_chunk(cx_arena *a, size_t cap) {
	size_t size = cap + HEAD + 16 > CHUNK ? cap + HEAD + 16 : CHUNK;
	chunk *after = a->now ? a->now->next : a->first;
	if (!after || after->size < size) {
		cx_charge(size);
		chunk *c = malloc(sizeof *c + size);
		if (!c) _exit(CX_EXIT_MEMORY);
		c->size = size;
		c->next = after;
		if (a->now) a->now->next = c;
		else a->first = c;
		after = c;
	}
	use_chunk(a, after);
}

static void *arena_malloc(size_t n) {
	cx_arena *a = current;
	if (!a) return malloc(n ? n : 1);
	size_t cap = round_up(n);
	block **list = &a->free[class_of(cap)], *b = *list;
	if (b) {
		*list = b->next_free;
		return bytes_of(b);
	}
	if ((size_t)(a->end - a->top) < cap + HEAD) next_chunk(a, cap);
	b = (block *)a->top;
	a->top += cap + HEAD;
	b->cap = cap;
	return bytes_of(b);
}

static void arena_free(void *p) {
	cx_arena *a = current;
	if (!a) {
		free(p);
		return;
	}
	if (!p) return;
	block *b = block_of(p);
	block **list = &a->free[class_of(b->cap)];
	b->next_free = *list;
	*list = b;
}

static void *arena_calloc(size_t count, size_t size) {
	if (size && count > SIZE_MAX / 2 / size) _exit(CX_EXIT_MEMORY);
	void *p = arena_malloc(count * size);
	if (!p) _exit(CX_EXIT_MEMORY);
	return memset(p, 0, count * size);
}

static void *arena_realloc(void *p, size_t n) {
	if (!current) return realloc(p, n ? n : 1);
	if (p && block_of(p)->cap >= n) return p;
	void *bigger = arena_malloc(n);
	if (p) {
		memcpy(bigger, p, block_of(p)->cap);
		arena_free(p);
	}
	return bigger;
}

void cx_use_arenas(size_t limit) {
	limit_bytes = limit;
	ts_set_allocator(arena_malloc, arena_calloc, arena_realloc, arena_free);
}

cx_arena *cx_arena_new(void) { return calloc(1, sizeof(cx_arena)); }

static void free_chunks(chunk *c) {
	while (c) {
		chunk *next = c->next;
		cx_uncharge(c->size);
		free(c);
		c = next;
	}
}

void cx_arena_free(cx_arena *a) {
	if (!a) return;
	free_chunks(a->first);
	free(a);
}

void cx_arena_enter(cx_arena *a) { current = a; }

void cx_arena_leave(cx_arena *a) {
	current = NULL;
	memset(a->free, 0, sizeof a->free);
	// Chunks of the usual size stay; what a large file needed goes back.
	chunk **link = &a->first;
	for (int kept = 0; *link && kept < KEPT_CHUNKS && (*link)->size == CHUNK; kept++) link = &(*link)->next;
	free_chunks(*link);
	*link = NULL;
	a->now = NULL;
	a->top = a->end = NULL;
	if (a->first) use_chunk(a, a->first);
}
