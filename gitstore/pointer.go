package gitstore

import "errors"

// Pointer returns the commit that a binding's pointer names, zero where it
// names none.
func (s *Store) Pointer(binding string, name RefName) (OID, error) {
	if err := checkBinding(binding); err != nil {
		return OID{}, err
	}
	oid, err := s.Ref(bindingRef(binding, name))
	if errors.Is(err, ErrNoRef) {
		return OID{}, nil
	}
	return oid, err
}
