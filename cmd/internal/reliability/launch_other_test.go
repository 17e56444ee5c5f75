//go:build !(linux && amd64)

package reliability

import "errors"

const launchEnv = "RELIABILITY_LAUNCH"

func launch([]string) error { return errors.New("processes are traced on linux/amd64 only") }
