//go:build !linux && !darwin

package gitstore

import "errors"

// errSystem is what every read of a work tree answers on systems where opening
// a file without following links is not implemented.
var errSystem = errors.New("reading a work tree is supported on Linux and macOS only")

func openRoot(string) (int, error)           { return 0, errSystem }
func openFolder(int, string) (int, error)    { return 0, errSystem }
func openFile(int, string) (int, error)      { return 0, errSystem }
func readHandle(int, []byte) (int, error)    { return 0, errSystem }
func statHandle(int, *StatKey) (bool, error) { return false, errSystem }
func statAt(int, string, *StatKey) error     { return errSystem }
func closeHandle(int)                        {}
func rewind(int) error                       { return errSystem }
func folderError(err error) error            { return err }
func fileError(err error) error              { return err }
