package reliability

import "syscall"

func statFields(st *syscall.Stat_t) [6]uint64 {
	return [...]uint64{uint64(st.Dev), st.Ino, uint64(st.Size), uint64(st.Mtimespec.Nano()), uint64(st.Ctimespec.Nano()), uint64(st.Mode)}
}
