// The C side of facts/treesitter: parse one buffer and flatten the tree into
// one array, so that Go crosses into C once per file.
#ifndef CODEIDX_SHIM_H
#define CODEIDX_SHIM_H

#include <stddef.h>
#include <stdint.h>

// Same layout as syntax.Node.
typedef struct {
	uint32_t start, end, next;
	uint16_t kind;
	uint8_t field, flags;
} cx_node;

enum { CX_OK = 0, CX_TIMEOUT = 1 };

// A node at this depth is written as an error, without what is below it:
// extractors recurse, and nobody writes code that is nested this deeply.
enum { CX_MAX_DEPTH = 10000 };

typedef struct {
	cx_node *nodes; // owned by the parser, valid until its next parse
	uint32_t count;
	int32_t status; // CX_OK, CX_TIMEOUT
} cx_result;

// A process that passes its memory limit ends with this status.
enum { CX_EXIT_MEMORY = 97 };

// Sends tree-sitter's allocations to the arenas of arena.h. limit is in bytes,
// 0 for none. Call it once, before the first parser.
void cx_use_arenas(size_t limit);
size_t cx_allocated(void);      // bytes held now, by all parsers
size_t cx_peak_allocated(void); // the most that were held at once

typedef struct cx_parser cx_parser;

cx_parser *cx_parser_new(const void *language); // NULL for a language of another ABI
void cx_parser_free(cx_parser *p);
cx_result cx_parse(cx_parser *p, const char *src, uint32_t len, uint64_t timeout_micros);

uint32_t cx_abi(const void *language);
uint32_t cx_symbol_count(const void *language);
const char *cx_symbol_name(const void *language, uint16_t symbol);
int cx_symbol_named(const void *language, uint16_t symbol);
uint32_t cx_field_count(const void *language);
const char *cx_field_name(const void *language, uint16_t field);

#endif
