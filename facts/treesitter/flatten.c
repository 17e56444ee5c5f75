#include "flatten.h"

#include <stdlib.h>
#include <unistd.h>

#include "arena.h"

// Flags of a node, as in facts/syntax.
enum { NAMED = 1, ERROR = 2, MISSING = 4, HAS_ERROR = 8, EXTRA = 16 };

enum { ERROR_SYMBOL = 65535, HIDDEN = UINT32_MAX, KEPT_NODES = 1 << 20 };

// A subtree whose children are being visited.
typedef struct frame {
	const subtree *child, *end;
	const uint16_t *aliases; // by structural index, or NULL
	const field_entry *fields, *fields_end;
	uint32_t position;   // end of the child before; at first the subtree's start
	uint32_t structural; // number of children so far that are not extras
	uint32_t node;       // index of its node, HIDDEN where it has none
	uint8_t field;       // of a hidden subtree: its own field, which its children inherit
	bool first;
} frame;

static void *grown(void *array, uint32_t *cap, size_t size) {
	uint32_t bigger = *cap ? *cap * 2 : 1 << 12;
	cx_charge((size_t)(bigger - *cap) * size);
	array = realloc(array, (size_t)bigger * size);
	if (!array) _exit(CX_EXIT_MEMORY);
	*cap = bigger;
	return array;
}

void cx_flat_free(cx_flat *f) {
	cx_uncharge(f->node_cap * sizeof *f->nodes + f->frame_cap * sizeof *f->frames);
	free(f->nodes);
	free(f->frames);
	*f = (cx_flat){0};
}

void cx_flat_shrink(cx_flat *f) {
	if (f->node_cap > KEPT_NODES) cx_flat_free(f);
}

static const heap_node *heap_of(const subtree *s) { return s->leaf.is_inline ? NULL : s->heap; }

static uint8_t field_of(const frame *f) {
	for (const field_entry *e = f->fields; e < f->fields_end; e++) {
		if (!e->inherited && e->child == f->structural) return (uint8_t)e->field;
	}
	return f->field;
}

static frame frame_of(const TSLanguage *l, const heap_node *h, uint32_t start, uint32_t node, uint8_t field) {
	frame f = {.end = (const subtree *)h, .position = start, .node = node, .field = field, .first = true};
	f.child = f.end - h->child_count;
	if (h->inner.production) f.aliases = l->alias_sequences + (size_t)h->inner.production * l->max_aliases;
	if (l->fields) {
		field_slice s = l->field_slices[h->inner.production];
		f.fields = l->field_entries + s.first;
		f.fields_end = f.fields + s.count;
	}
	return f;
}

static cx_node node_of(const TSLanguage *l, const subtree *s, const heap_node *h, uint16_t alias, uint32_t start, uint32_t next) {
	cx_node n = {.start = start, .next = next};
	bool named, extra, missing;
	uint16_t symbol;
	if (h) {
		symbol = h->symbol, named = h->named, extra = h->extra, missing = h->missing;
		n.end = start + h->size.bytes;
		if (h->error_cost) n.flags |= HAS_ERROR;
	} else {
		symbol = s->leaf.symbol, named = s->leaf.named, extra = s->leaf.extra, missing = s->leaf.missing;
		n.end = start + s->leaf.size_bytes;
	}
	if (alias) symbol = alias, named = l->traits[alias].named;
	n.kind = symbol == ERROR_SYMBOL ? symbol : l->public_symbols[symbol];
	if (named) n.flags |= NAMED;
	if (extra) n.flags |= EXTRA;
	if (missing) n.flags |= MISSING | HAS_ERROR;
	if (symbol == ERROR_SYMBOL) n.flags |= ERROR;
	return n;
}

// Turns the node at the depth limit into an error that its ancestors know of.
static void cut(cx_flat *flat, uint32_t node, uint32_t frames) {
	flat->nodes[node].flags |= ERROR | HAS_ERROR;
	while (frames > 0) {
		uint32_t above = flat->frames[--frames].node;
		if (above == HIDDEN) continue;
		if (flat->nodes[above].flags & HAS_ERROR) return;
		flat->nodes[above].flags |= HAS_ERROR;
	}
}

uint32_t cx_flatten(cx_flat *flat, const TSTree *tree, const TSLanguage *l) {
	uint32_t count = 0, depth = 0, height = 0;
	// The root stands in a frame of its own that has no node.
	const subtree *root = &tree->root;
	const heap_node *root_heap = heap_of(root);
	uint32_t start = root_heap ? root_heap->padding.bytes : root->leaf.padding_bytes;
	if (!flat->frame_cap) flat->frames = grown(flat->frames, &flat->frame_cap, sizeof *flat->frames);
	flat->frames[height++] = (frame){.child = root, .end = root + 1, .position = start, .node = HIDDEN, .first = true};
	while (height > 0) {
		frame *f = &flat->frames[height - 1];
		if (f->child == f->end) {
			if (f->node != HIDDEN) {
				flat->nodes[f->node].next = count;
				depth--;
			}
			height--;
			continue;
		}
		const subtree *s = f->child++;
		const heap_node *h = heap_of(s);
		bool visible = h ? h->visible : s->leaf.visible, extra = h ? h->extra : s->leaf.extra;
		uint32_t at = f->position, node = HIDDEN;
		if (!f->first) at += h ? h->padding.bytes : s->leaf.padding_bytes;
		f->first = false;
		f->position = at + (h ? h->size.bytes : s->leaf.size_bytes);
		uint16_t alias = 0;
		uint8_t field = 0;
		if (!extra) {
			if (f->aliases) alias = f->aliases[f->structural];
			field = field_of(f);
			f->structural++;
		}
		if (visible || alias || height == 1) {
			if (count == flat->node_cap) flat->nodes = grown(flat->nodes, &flat->node_cap, sizeof *flat->nodes);
			flat->nodes[count] = node_of(l, s, h, alias, at, count + 1);
			flat->nodes[count].field = field;
			node = count++;
			field = 0;
		}
		if (!h || h->child_count == 0) continue;
		if (node == HIDDEN && h->inner.visible_children == 0) continue;
		if (node != HIDDEN && ++depth >= CX_MAX_DEPTH) {
			cut(flat, node, height);
			depth--;
			continue;
		}
		if (height == flat->frame_cap) flat->frames = grown(flat->frames, &flat->frame_cap, sizeof *flat->frames);
		flat->frames[height++] = frame_of(l, h, at, node, field);
	}
	return count;
}
