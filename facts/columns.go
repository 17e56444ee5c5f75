package facts

import "math"

// coder writes columns to b, or reads them from it. The same calls serve both
// directions, so that layout is written down once. After a violation in the
// input, bad is set and everything read is zero.
type coder struct {
	b       []byte
	writing bool
	bad     bool
	values  []uint32 // the column in hand, see scratch
	end     uint32   // where the last range ended
}

// encoding says how a column is written, see layout.
type encoding uint8

const (
	plain encoding = iota
	delta
	optional
	below // 0 for 0; else by how much the value is below the record's index in its table, which starts at 1
)

func (c *coder) fail() {
	c.bad = true
	c.b = nil
}

// scratch returns room for one column, valid until the next call.
func (c *coder) scratch(n int) []uint32 {
	if cap(c.values) < n {
		c.values = make([]uint32, n+n/4)
	}
	return c.values[:n]
}

// table writes or reads the number of records from index first on and returns
// them; when it reads, it makes them. Each record takes at least min bytes.
func table[T any](c *coder, t *[]T, first, min int) []T {
	count := [1]uint32{}
	if c.writing {
		count[0] = uint32(len(*t) - first)
	}
	c.run(plain, count[:])
	if c.writing {
		return (*t)[first:]
	}
	n := int(count[0])
	if n > len(c.b)/min {
		c.fail()
		n = 0
	}
	if n+first > 0 {
		*t = make([]T, n+first)
	}
	return (*t)[first:]
}

// column writes or reads one field of all records of a table.
func column[T any, V ~uint8 | ~uint16 | ~uint32](c *coder, t []T, how encoding, at func(*T) *V) {
	values := c.scratch(len(t))
	if c.writing {
		for i := range t {
			values[i] = uint32(*at(&t[i]))
		}
	}
	c.run(how, values)
	if !c.writing {
		for i := range t {
			v := V(values[i])
			if uint32(v) != values[i] {
				c.fail()
				return
			}
			*at(&t[i]) = v
		}
	}
}

// byteColumn is a column of one byte a record.
func byteColumn[T any, V ~uint8](c *coder, t []T, at func(*T) *V) {
	if c.writing {
		for i := range t {
			c.b = append(c.b, byte(*at(&t[i])))
		}
		return
	}
	if len(c.b) < len(t) {
		c.fail()
		return
	}
	b := c.b[:len(t)]
	for i := range t {
		*at(&t[i]) = V(b[i])
	}
	c.b = c.b[len(t):]
}

// relative is a column of differences to the value that base gives.
func relative[T any](c *coder, t []T, base func(*T) uint32, at func(*T) *uint32) {
	values := c.scratch(len(t))
	if c.writing {
		for i := range t {
			values[i] = zigzag(*at(&t[i]) - base(&t[i]))
		}
	}
	c.run(plain, values)
	if !c.writing {
		for i := range t {
			*at(&t[i]) = base(&t[i]) + unzigzag(values[i])
		}
	}
}

func spans[T any](c *coder, t []T, at func(*T) *Span) {
	column(c, t, delta, func(x *T) *uint32 { return &at(x).Start })
	values := c.scratch(len(t))
	if c.writing {
		for i := range t {
			s := at(&t[i])
			values[i] = s.End - s.Start
		}
	}
	c.run(plain, values)
	if !c.writing {
		for i := range t {
			s := at(&t[i])
			s.End = s.Start + values[i]
		}
	}
}

// ranges writes or reads one Range field. An empty one has First 0.
func ranges[T any](c *coder, t []T, at func(*T) *Range) {
	column(c, t, plain, func(x *T) *uint32 { return &at(x).N })
	firsts := c.scratch(len(t))[:0]
	for i := range t {
		if r := at(&t[i]); r.N != 0 {
			firsts = append(firsts, zigzag(r.First-c.end))
			if c.writing {
				c.end = r.First + r.N
			}
		}
	}
	c.run(plain, firsts)
	if c.writing {
		return
	}
	for i := range t {
		if r := at(&t[i]); r.N != 0 {
			r.First = c.end + unzigzag(firsts[0])
			firsts = firsts[1:]
			c.end = r.First + r.N
		}
	}
}

func (c *coder) flag(v *bool) {
	var values [1]uint32
	if *v {
		values[0] = 1
	}
	c.run(plain, values[:])
	if values[0] > 1 {
		c.fail()
	}
	*v = values[0] == 1
}

// text writes or reads one string with its length.
func (c *coder) text(s *string) {
	length := [1]uint32{uint32(len(*s))}
	one := [1]string{*s}
	c.run(plain, length[:])
	c.strings(one[:], length[:])
	*s = one[0]
}

// strings writes or reads the bytes of strings whose lengths are known. All
// strings that are read together share one allocation.
func (c *coder) strings(s []string, lengths []uint32) {
	if c.writing {
		for _, x := range s {
			c.b = append(c.b, x...)
		}
		return
	}
	total := uint64(0)
	for _, n := range lengths {
		total += uint64(n)
	}
	if total > uint64(len(c.b)) {
		c.fail()
		return
	}
	all := string(c.b[:total])
	c.b = c.b[total:]
	for i, n := range lengths {
		s[i], all = all[:n], all[n:]
	}
}

// run writes or reads one column of values.
func (c *coder) run(how encoding, values []uint32) {
	switch {
	case c.writing:
		c.write(how, values)
	case c.bad:
		clear(values)
	default:
		c.read(how, values)
	}
}

func zigzag(d uint32) uint32   { return d<<1 ^ uint32(int32(d)>>31) }
func unzigzag(v uint32) uint32 { return v>>1 ^ -(v & 1) }

func (c *coder) write(how encoding, values []uint32) {
	b, last := c.b, uint32(0)
	for i, v := range values {
		w := uint64(v)
		switch how {
		case delta:
			w = uint64(zigzag(v - last))
			last = v
		case optional:
			if v != 0 {
				w = uint64(zigzag(v-last)) + 1
				last = v
			}
		case below:
			if v != 0 {
				w = uint64(uint32(i) + 1 - v)
			}
		}
		for ; w >= 0x80; w >>= 7 {
			b = append(b, byte(w)|0x80)
		}
		b = append(b, byte(w))
	}
	c.b = b
}

func (c *coder) read(how encoding, values []uint32) {
	if how == optional {
		c.readOptional(values)
		return
	}
	c.readPlain(values)
	switch how {
	case delta:
		last := uint32(0)
		for i, v := range values {
			last += unzigzag(v)
			values[i] = last
		}
	case below:
		for i, v := range values {
			if v == 0 {
				continue
			}
			if v > uint32(i) {
				clear(values)
				c.fail()
				return
			}
			values[i] = uint32(i) + 1 - v
		}
	}
}

func (c *coder) readPlain(values []uint32) {
	b, pos := c.b, 0
	for i := range values {
		if pos < len(b) && b[pos] < 0x80 {
			values[i] = uint32(b[pos])
			pos++
			continue
		}
		v, n := uvarint(b[pos:])
		if n == 0 || v > math.MaxUint32 {
			clear(values)
			c.fail()
			return
		}
		values[i] = uint32(v)
		pos += n
	}
	c.b = b[pos:]
}

func (c *coder) readOptional(values []uint32) {
	b, pos, last := c.b, 0, uint32(0)
	for i := range values {
		if pos < len(b) && b[pos] == 0 {
			values[i] = 0
			pos++
			continue
		}
		v, n := uvarint(b[pos:])
		if n != 0 {
			last += unzigzag(uint32(v - 1))
		}
		if n == 0 || last == 0 {
			clear(values)
			c.fail()
			return
		}
		values[i] = last
		pos += n
	}
	c.b = b[pos:]
}

// uvarint reads a varint below 2^32+1 in its shortest form; its length is 0
// where there is none.
func uvarint(b []byte) (v uint64, n int) {
	for n < len(b) && n < 5 {
		x := b[n]
		v |= uint64(x&0x7f) << (7 * n)
		n++
		if x < 0x80 {
			if v > math.MaxUint32+1 || x == 0 && n > 1 {
				return 0, 0
			}
			return v, n
		}
	}
	return 0, 0
}
