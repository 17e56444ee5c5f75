#ifndef CODEIDX_FLATTEN_H
#define CODEIDX_FLATTEN_H

#include "layout.h"
#include "shim.h"

// The node array and the stack of the walk, kept between files.
typedef struct {
	cx_node *nodes;
	struct frame *frames;
	uint32_t node_cap, frame_cap;
} cx_flat;

// Writes the visible nodes of a tree to flat->nodes in pre-order, as
// CX_MAX_DEPTH says, and returns their number.
uint32_t cx_flatten(cx_flat *flat, const TSTree *tree, const TSLanguage *language);

// Frees the arrays when a large file has left them large.
void cx_flat_shrink(cx_flat *flat);
void cx_flat_free(cx_flat *flat);

#endif
