#include "shim.h"

#include <stdlib.h>

#include "arena.h"
#include "flatten.h"
#include "layout.h"

// The part of tree-sitter's C interface that this file calls. The library is
// linked from the go-tree-sitter module, whose header is not on this package's
// include path.
typedef struct TSParser TSParser;

TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *);
bool ts_parser_set_language(TSParser *, const TSLanguage *);
void ts_parser_set_timeout_micros(TSParser *, uint64_t);
TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
uint32_t ts_language_abi_version(const TSLanguage *);
uint32_t ts_language_symbol_count(const TSLanguage *);
const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
uint32_t ts_language_symbol_type(const TSLanguage *, uint16_t);
uint32_t ts_language_field_count(const TSLanguage *);
const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);

// Versions of the grammar format whose layout.h is known.
enum { OLDEST_ABI = 14, NEWEST_ABI = 15 };

struct cx_parser {
	const TSLanguage *language;
	cx_arena *arena;
	cx_flat flat;
};

cx_parser *cx_parser_new(const void *language) {
	uint32_t abi = ts_language_abi_version(language);
	if (abi < OLDEST_ABI || abi > NEWEST_ABI) return NULL;
	cx_parser *p = calloc(1, sizeof *p);
	cx_arena *a = cx_arena_new();
	if (!p || !a) _Exit(CX_EXIT_MEMORY);
	p->language = language;
	p->arena = a;
	return p;
}

void cx_parser_free(cx_parser *p) {
	if (!p) return;
	cx_flat_free(&p->flat);
	cx_arena_free(p->arena);
	free(p);
}

// Each file gets a tree-sitter parser of its own: nothing of a file that timed
// out can be resumed, and the arena can be reset as a whole. The parser is
// deleted for what its external scanner holds outside; the tree is not.
cx_result cx_parse(cx_parser *p, const char *src, uint32_t len, uint64_t timeout_micros) {
	cx_result r = {NULL, 0, CX_TIMEOUT};
	cx_flat_shrink(&p->flat);
	cx_arena_enter(p->arena);
	TSParser *ts = ts_parser_new();
	ts_parser_set_language(ts, p->language);
	ts_parser_set_timeout_micros(ts, timeout_micros);
	TSTree *tree = ts_parser_parse_string(ts, NULL, src, len);
	if (tree) {
		r.count = cx_flatten(&p->flat, tree, p->language);
		r.nodes = p->flat.nodes;
		r.status = CX_OK;
	}
	ts_parser_delete(ts);
	cx_arena_leave(p->arena);
	return r;
}

uint32_t cx_abi(const void *l) { return ts_language_abi_version(l); }
uint32_t cx_symbol_count(const void *l) { return ts_language_symbol_count(l); }
const char *cx_symbol_name(const void *l, uint16_t s) { return ts_language_symbol_name(l, s); }
int cx_symbol_named(const void *l, uint16_t s) { return ts_language_symbol_type(l, s) == 0; }
uint32_t cx_field_count(const void *l) { return ts_language_field_count(l); }
const char *cx_field_name(const void *l, uint16_t f) { return ts_language_field_name_for_id(l, f); }
