package gitstore

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"path/filepath"
)

// What a work tree remembers about itself lies in its binding folder. Every
// file there can be lost: it is only asked when it speaks of the generation and
// commit at hand.
const (
	dirtyFile = "dirty.json"
	statsFile = "stats"
)

// dirtyRecord says whether the included files of a manifest differ from a
// commit.
type dirtyRecord struct {
	Manifest string `json:"manifest"`
	Commit   string `json:"commit"`
	Dirty    bool   `json:"dirty"`
}

// LoadDirty returns what SaveDirty recorded for this manifest and HEAD.
func (r *Repo) LoadDirty(manifest Digest) (known, dirty bool) {
	b, err := readOwn(filepath.Join(r.BindingDir(), dirtyFile), maxSmallFile)
	var d dirtyRecord
	if err != nil || json.Unmarshal(b, &d) != nil {
		return false, false
	}
	return d.Manifest == manifest.String() && d.Commit == string(r.Head), d.Dirty
}

// SaveDirty records whether the files of a manifest differ from HEAD. Failing
// to is no error: the question is then asked again.
func (r *Repo) SaveDirty(manifest Digest, dirty bool) {
	b, err := json.Marshal(dirtyRecord{manifest.String(), string(r.Head), dirty})
	if err == nil {
		_ = writeFile(filepath.Join(r.BindingDir(), dirtyFile), b, rebuildable)
	}
}

var errStats = errors.New("no stat record of this generation")

// SaveStats keeps what stat said of each file of a snapshot when its bytes
// were hashed, for FreshnessStat:
//
//	manifest digest, SeenAt, number of files, StatKeys; SHA-256 of all that
func (r *Repo) SaveStats(manifest Digest, s *Snapshot) error {
	b := append([]byte(nil), manifest[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(s.SeenAt))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(s.Files)))
	for i := range s.Files {
		b = appendStat(b, &s.Files[i].Stat)
	}
	sum := DigestOf(b)
	return writeFile(filepath.Join(r.BindingDir(), statsFile), append(b, sum[:]...), rebuildable)
}

func appendStat(b []byte, k *StatKey) []byte {
	for _, v := range [...]uint64{k.Dev, k.Ino, uint64(k.Size), uint64(k.Mtime), uint64(k.Ctime), uint64(k.Mode)} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

const statSize = 6 * 8

// LoadStats fills in the stat of each file of a snapshot made from the
// manifest. Without a record of exactly these files it is an error and the
// snapshot stays as it was.
func (r *Repo) LoadStats(manifest Digest, s *Snapshot) error {
	const head = len(Digest{}) + 16
	whole := head + statSize*len(s.Files) + len(Digest{})
	b, err := readOwn(filepath.Join(r.BindingDir(), statsFile), int64(whole))
	if err != nil {
		return err
	}
	body := len(b) - len(Digest{})
	if len(b) != whole || DigestOf(b[:body]) != Digest(b[body:]) || Digest(b) != manifest {
		return errStats
	}
	s.SeenAt = int64(binary.LittleEndian.Uint64(b[len(Digest{}):]))
	for i := range s.Files {
		s.Files[i].Stat = cutStat(b[head+statSize*i:])
	}
	return nil
}

func cutStat(b []byte) StatKey {
	v := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return StatKey{Dev: v(0), Ino: v(1), Size: int64(v(2)), Mtime: int64(v(3)), Ctime: int64(v(4)), Mode: uint32(v(5))}
}

// String returns the mode's name in configuration and answers.
func (f Freshness) String() string {
	if f == FreshnessStat {
		return "stat"
	}
	return "strict"
}
