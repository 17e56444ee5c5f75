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

typedef struct {
	cx_node *nodes; // owned by the parser, valid until its next parse
	uint32_t count;
	int32_t status; // see CX_*
} cx_result;

enum { CX_OK = 0, CX_TIMEOUT = 1, CX_TOO_DEEP = 2, CX_BAD_LANGUAGE = 3 };

typedef struct cx_parser cx_parser;

// Sends tree-sitter's allocations straight to C and counts them. Above limit
// bytes (0: none) the process ends with CX_EXIT_MEMORY.
enum { CX_EXIT_MEMORY = 97 };
void cx_use_allocator(size_t limit);
size_t cx_peak_allocated(void);

cx_parser *cx_parser_new(const void *language);
void cx_parser_free(cx_parser *p);
cx_result cx_parse(cx_parser *p, const char *src, uint32_t len, uint64_t timeout_micros);

uint32_t cx_abi(const void *language);
uint32_t cx_symbol_count(const void *language);
const char *cx_symbol_name(const void *language, uint16_t symbol);
int cx_symbol_named(const void *language, uint16_t symbol);
uint32_t cx_field_count(const void *language);
const char *cx_field_name(const void *language, uint16_t field);

#endif
