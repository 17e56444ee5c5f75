#include "shim.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __APPLE__
#include <malloc/malloc.h>
#define usable malloc_size
#else
#include <malloc.h>
#define usable malloc_usable_size
#endif

// The part of tree-sitter's C interface (ABI 15) that this file calls. The
// library itself is linked from the go-tree-sitter module, whose header is not
// on this package's include path.
typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct {
	uint32_t context[4];
	const void *id;
	const TSTree *tree;
} TSNode;
typedef struct {
	const void *tree;
	const void *id;
	uint32_t context[3];
} TSTreeCursor;

TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *);
bool ts_parser_set_language(TSParser *, const TSLanguage *);
void ts_parser_set_timeout_micros(TSParser *, uint64_t);
TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
void ts_parser_reset(TSParser *);
void ts_tree_delete(TSTree *);
TSNode ts_tree_root_node(const TSTree *);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
uint16_t ts_node_symbol(TSNode);
bool ts_node_is_named(TSNode);
bool ts_node_is_missing(TSNode);
bool ts_node_is_extra(TSNode);
bool ts_node_is_error(TSNode);
bool ts_node_has_error(TSNode);
TSTreeCursor ts_tree_cursor_new(TSNode);
void ts_tree_cursor_delete(TSTreeCursor *);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
uint32_t ts_language_abi_version(const TSLanguage *);
uint32_t ts_language_symbol_count(const TSLanguage *);
const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
uint32_t ts_language_symbol_type(const TSLanguage *, uint16_t);
uint32_t ts_language_field_count(const TSLanguage *);
const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);
void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

// Trees deeper than this are refused: extractors recurse over them.
enum { MAX_DEPTH = 100000 };

static size_t limit_bytes;
static _Atomic size_t live_bytes, peak_bytes;

static void *grown(void *p) {
	if (!p) _exit(CX_EXIT_MEMORY);
	size_t now = atomic_fetch_add_explicit(&live_bytes, usable(p), memory_order_relaxed) + usable(p);
	if (now > atomic_load_explicit(&peak_bytes, memory_order_relaxed)) atomic_store_explicit(&peak_bytes, now, memory_order_relaxed);
	if (limit_bytes && now > limit_bytes) _exit(CX_EXIT_MEMORY);
	return p;
}
static void shrunk(void *p) {
	if (p) atomic_fetch_sub_explicit(&live_bytes, usable(p), memory_order_relaxed);
}
static void *count_malloc(size_t n) { return grown(malloc(n ? n : 1)); }
static void *count_calloc(size_t n, size_t size) { return grown(calloc(n ? n : 1, size ? size : 1)); }
static void *count_realloc(void *p, size_t n) {
	shrunk(p);
	return grown(realloc(p, n ? n : 1));
}
static void count_free(void *p) {
	shrunk(p);
	free(p);
}

void cx_use_allocator(size_t limit) {
	limit_bytes = limit;
	ts_set_allocator(count_malloc, count_calloc, count_realloc, count_free);
}
size_t cx_peak_allocated(void) { return atomic_load(&peak_bytes); }

struct cx_parser {
	TSParser *ts;
	cx_node *nodes;
	uint32_t cap;
	uint32_t *stack;
	uint32_t stack_cap;
};

cx_parser *cx_parser_new(const void *language) {
	cx_parser *p = calloc(1, sizeof *p);
	if (!p) return NULL;
	p->ts = ts_parser_new();
	if (!p->ts || !ts_parser_set_language(p->ts, language)) {
		cx_parser_free(p);
		return NULL;
	}
	return p;
}

void cx_parser_free(cx_parser *p) {
	if (!p) return;
	if (p->ts) ts_parser_delete(p->ts);
	free(p->nodes);
	free(p->stack);
	free(p);
}

// Memory that flattening needs counts like the tree's own.
static void *need(void *array, uint32_t *cap, uint32_t count, size_t size) {
	if (count < *cap) return array;
	uint32_t cap2 = *cap ? *cap * 2 : 1 << 14;
	void *bigger = realloc(array, (size_t)cap2 * size);
	if (!bigger || (limit_bytes && (size_t)cap2 * size > limit_bytes)) _exit(CX_EXIT_MEMORY);
	*cap = cap2;
	return bigger;
}

static uint8_t flags_of(TSNode n) {
	uint8_t f = 0;
	if (ts_node_is_named(n)) f |= 1;
	if (ts_node_is_error(n)) f |= 2;
	if (ts_node_is_missing(n)) f |= 4;
	if (ts_node_has_error(n)) f |= 8;
	if (ts_node_is_extra(n)) f |= 16;
	return f;
}

static cx_result flatten(cx_parser *p, TSTree *tree) {
	cx_result r = {NULL, 0, CX_OK};
	uint32_t n = 0, depth = 0;
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	for (;;) {
		TSNode node = ts_tree_cursor_current_node(&c);
		p->nodes = need(p->nodes, &p->cap, n, sizeof *p->nodes);
		cx_node *out = &p->nodes[n];
		out->start = ts_node_start_byte(node);
		out->end = ts_node_end_byte(node);
		out->next = n + 1;
		out->kind = ts_node_symbol(node);
		out->field = (uint8_t)ts_tree_cursor_current_field_id(&c);
		out->flags = flags_of(node);
		n++;
		if (ts_tree_cursor_goto_first_child(&c)) {
			if (depth + 1 >= MAX_DEPTH) {
				r.status = CX_TOO_DEEP;
				break;
			}
			p->stack = need(p->stack, &p->stack_cap, depth, sizeof *p->stack);
			p->stack[depth++] = n - 1;
			continue;
		}
		while (!ts_tree_cursor_goto_next_sibling(&c)) {
			if (!ts_tree_cursor_goto_parent(&c)) goto done;
			p->nodes[p->stack[--depth]].next = n;
		}
	}
done:
	ts_tree_cursor_delete(&c);
	r.nodes = p->nodes;
	r.count = n;
	return r;
}

cx_result cx_parse(cx_parser *p, const char *src, uint32_t len, uint64_t timeout_micros) {
	ts_parser_set_timeout_micros(p->ts, timeout_micros);
	TSTree *tree = ts_parser_parse_string(p->ts, NULL, src, len);
	// Without a reset the next parse would resume this input after a timeout.
	ts_parser_reset(p->ts);
	if (!tree) return (cx_result){NULL, 0, CX_TIMEOUT};
	cx_result r = flatten(p, tree);
	ts_tree_delete(tree);
	return r;
}

uint32_t cx_abi(const void *l) { return ts_language_abi_version(l); }
uint32_t cx_symbol_count(const void *l) { return ts_language_symbol_count(l); }
const char *cx_symbol_name(const void *l, uint16_t s) { return ts_language_symbol_name(l, s); }
int cx_symbol_named(const void *l, uint16_t s) { return ts_language_symbol_type(l, s) == 0; }
uint32_t cx_field_count(const void *l) { return ts_language_field_count(l); }
const char *cx_field_name(const void *l, uint16_t f) { return ts_language_field_name_for_id(l, f); }
