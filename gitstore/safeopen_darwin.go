package gitstore

import "golang.org/x/sys/unix"

// openFolder opens a folder below root; no component may be a symbolic link.
func openFolder(root int, folder string) (int, error) { return walkFolder(root, folder) }

func fillKey(key *StatKey, st *unix.Stat_t) {
	*key = StatKey{
		Dev: uint64(st.Dev), Ino: st.Ino, Size: st.Size,
		Mtime: st.Mtim.Nano(), Ctime: st.Ctim.Nano(), Mode: uint32(st.Mode),
	}
}
