package graph

// Memo is the state of one memoised question of a type inference.
type Memo int16

// States of a question. Above Done it is open, at the depth that is counted
// from there.
const (
	Unset Memo = iota
	Done
	open
)

// IsOpen says whether the question is being answered further out.
func (m Memo) IsOpen() bool { return m >= open }

// Cycle bounds a recursive inference and keeps it from caching what it found
// while a question further out was still open: such an answer depends on where
// the recursion began, and answers must not.
type Cycle struct {
	MaxDepth int // questions within each other
	MaxFuel  int // questions opened for one outermost question

	depth int
	low   int // least depth of an open question that was met again
	fuel  int
}

const noLow = 1 << 30

// Enter opens a question. It answers false where the question is open already
// or too much was asked.
func (c *Cycle) Enter(m *Memo) bool {
	if c.depth == 0 {
		c.low, c.fuel = noLow, c.MaxFuel
	}
	if m.IsOpen() {
		c.low = min(c.low, int(*m-open))
		return false
	}
	if c.depth >= c.MaxDepth || c.fuel <= 0 {
		c.low = min(c.low, 0)
		return false
	}
	*m = Memo(c.depth) + open
	c.depth++
	c.fuel--
	return true
}

// Leave closes a question: its answer may be kept (the state is Done) unless it
// rests on a question that is still open.
func (c *Cycle) Leave(m *Memo) {
	c.depth--
	if c.low >= c.depth {
		*m = Done
		c.low = noLow
		return
	}
	*m = Unset
}

// Part runs a part of the open question m and says whether what it found rests
// on m itself, and on no question further out.
func (c *Cycle) Part(m Memo, part func()) (onItself bool) {
	low := c.low
	c.low = noLow
	part()
	onItself = m.IsOpen() && c.low == int(m-open)
	c.low = min(low, c.low)
	return onItself
}
