package gitstore

import "errors"

// Pointer returns the commit that a binding's pointer names, zero where it
// names none or one that cannot be read: publishing mends it.
func (s *Store) Pointer(binding string, name RefName) (OID, error) {
	if err := checkBinding(binding); err != nil {
		return OID{}, err
	}
	oid, err := s.Ref(bindingRef(binding, name))
	if errors.Is(err, ErrNoRef) || errors.Is(err, ErrCorrupt) {
		return OID{}, nil
	}
	return oid, err
}

// Serving opens the generation that answers for a binding: live, or current
// where live was built under the other rule about untracked files, as the sync
// of an agent's server may be.
func (s *Store) Serving(binding string, untracked bool) (*Generation, error) {
	g, err := s.Generation(binding, Live)
	if err != nil || g.WithUntracked() == untracked {
		return g, err
	}
	return s.Generation(binding, Current)
}
