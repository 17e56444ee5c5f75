// The parts of tree-sitter's memory layout (library v0.25.0, grammar ABI 14
// and 15) that flatten.c reads. The public cursor needs about a third of the
// parsing time for the same walk. TestFlattenAgreesWithTheCursor compares the
// two node by node: run it with every new version of the library.
#ifndef CODEIDX_LAYOUT_H
#define CODEIDX_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#if UINTPTR_MAX != UINT64_MAX || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the layout of inline subtrees is known for 64-bit little-endian machines only"
#endif

typedef struct {
	uint32_t bytes, row, column;
} ts_length;

// A subtree is a word: either the leaf itself, with the lowest bit set, or a
// pointer to a heap node, whose children stand right before it in memory.
typedef union subtree subtree;

typedef struct {
	volatile uint32_t refs;
	ts_length padding, size;
	uint32_t lookahead, error_cost, child_count;
	uint16_t symbol, state;
	bool visible : 1, named : 1, extra : 1, fragile_left : 1, fragile_right : 1, has_changes : 1, external : 1,
		external_change : 1, on_column : 1, missing : 1, keyword : 1;
	struct { // where child_count is not 0
		uint32_t visible_children, named_children, visible_descendants;
		int32_t precedence;
		uint16_t repeat_depth, production;
	} inner;
} heap_node;

union subtree {
	struct {
		bool is_inline : 1, visible : 1, named : 1, extra : 1, has_changes : 1, missing : 1, keyword : 1;
		uint8_t symbol;
		uint16_t state;
		uint8_t padding_columns;
		uint8_t padding_rows : 4, lookahead : 4;
		uint8_t padding_bytes, size_bytes;
	} leaf;
	const heap_node *heap;
};

typedef struct {
	uint16_t field;
	uint8_t child;
	bool inherited;
} field_entry;

typedef struct {
	uint16_t first, count;
} field_slice;

typedef struct {
	bool visible, named, supertype;
} symbol_traits;

typedef struct TSLanguage {
	uint32_t abi, symbols, aliases, tokens, external_tokens, states, large_states, productions, fields;
	uint16_t max_aliases; // per production
	const void *parse_table, *small_table, *small_map, *actions;
	const char *const *symbol_names, *const *field_names;
	const field_slice *field_slices; // by production
	const field_entry *field_entries;
	const symbol_traits *traits; // by symbol
	const uint16_t *public_symbols;
	const uint16_t *alias_map, *alias_sequences;
} TSLanguage;

typedef struct TSTree {
	subtree root;
} TSTree;

#endif
