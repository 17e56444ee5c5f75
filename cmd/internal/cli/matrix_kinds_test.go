package cli

import (
	"bytes"
	"crypto/sha1"
	"os"
	"path/filepath"
	"strings"
)

// matrixKind is a kind of repository and how to make one.
type matrixKind struct {
	name string
	make func(*matrixRow)
}

const (
	matrixLib = "def g():\n    return 1\n"
	matrixApp = "from lib import g\n\n\ndef f():\n    return g()\n"
)

// init makes a repository with the two files, committed; options go to git init.
// ok is false where this git does not know an option.
func (m *matrixRow) init(options ...string) (ok bool) {
	m.Helper()
	if out, err := m.try("git", append([]string{"init", "-q"}, options...)...); err != nil {
		if len(options) == 0 {
			m.Fatal(out)
		}
		return false
	}
	m.write("lib.py", matrixLib)
	m.write("app.py", matrixApp)
	m.add("first")
	return true
}

func (m *matrixRow) add(message string) {
	m.Helper()
	m.git("add", "-A")
	m.git("commit", "-q", "-m", message)
}

// needs makes a repository with options of git init, or skips.
func needs(what string, options ...string) func(*matrixRow) {
	return func(m *matrixRow) {
		if !m.init(options...) {
			m.skip(gitVersion() + " has no " + what)
		}
	}
}

// and makes a plain repository and goes on with it.
func and(more func(*matrixRow)) func(*matrixRow) {
	return func(m *matrixRow) { m.init(); more(m) }
}

// configured makes a plain repository with some configuration.
func configured(keysAndValues ...string) func(*matrixRow) {
	return and(func(m *matrixRow) {
		for i := 0; i < len(keysAndValues); i += 2 {
			m.git("config", keysAndValues[i], keysAndValues[i+1])
		}
		m.git("update-index", "--force-write-index")
		m.git("status", "-s")
	})
}

// moveTo goes on in another work tree.
func (m *matrixRow) moveTo(elsewhere ...string) {
	m.top = filepath.Join(append([]string{m.root}, elsewhere...)...)
}

// linked makes a linked work tree and goes on there.
func linked(options ...string) func(*matrixRow) {
	return and(func(m *matrixRow) {
		if out, err := m.try("git", append(append([]string{"worktree", "add", "-q"}, options...), "../linked", "-b", "other")...); err != nil {
			if len(options) == 0 {
				m.Fatal(out)
			}
			m.skip(gitVersion() + " has no git worktree add " + options[0])
		}
		m.moveTo("linked")
	})
}

// clone makes a clone of a repository with two commits and goes on there. The
// origin cannot be reached afterwards, and trying to runs the canary.
func clone(options ...string) func(*matrixRow) {
	return and(func(m *matrixRow) {
		m.git("config", "uploadpack.allowFilter", "true")
		m.git("config", "uploadpack.allowAnySHA1InWant", "true")
		m.write("deep/far.py", "def far():\n    return 1\n")
		m.add("second")
		m.write("deep/far.py", "def far():\n    return 2\n")
		m.add("third")
		m.git(append(append([]string{"clone", "-q"}, options...), "file://"+m.top, "../clone")...)
		m.moveTo("clone")
		m.must(os.Rename(filepath.Join(m.root, "w"), filepath.Join(m.root, "gone")))
		m.git("config", "remote.origin.uploadpack", m.sing("sang"))
	})
}

// sing makes a program that brings a canary about, and returns its path.
func (m *matrixRow) sing(canary string) string {
	m.canary = filepath.Join(m.root, canary)
	program := filepath.Join(m.root, "sing")
	m.must(os.WriteFile(program, []byte("#!/bin/sh\n: >'"+m.canary+"'\ncat\n"), 0o755))
	return program
}

// silent forgets the canary: git itself may run it from here on.
func (m *matrixRow) silent() { m.canary = "" }

// commitFirst runs commands of git before the edit is committed.
func (m *matrixRow) commitFirst(commands ...[]string) {
	m.commit = func() {
		m.silent()
		for _, c := range commands {
			m.git(c...)
		}
		m.git("add", "app.py")
		m.git("commit", "-q", "-m", "edit")
	}
}

// patchIndex changes the bytes of an index of SHA-1 and makes its checksum right.
func (m *matrixRow) patchIndex(change func([]byte) []byte) {
	data, err := os.ReadFile(m.path(".git/index"))
	m.must(err)
	data = change(data[:len(data)-sha1.Size])
	sum := sha1.Sum(data)
	m.must(os.WriteFile(m.path(".git/index"), append(data, sum[:]...), 0o644))
}

// extension appends an extension to the index.
func (m *matrixRow) extension(name string) {
	m.patchIndex(func(b []byte) []byte { return append(append(append(b, name...), 0, 0, 0, 3), "abc"...) })
}

// conflict brings about a conflict in c.py by a command of git.
func (m *matrixRow) conflict(command ...string) {
	m.write("c.py", "x = 0\n")
	m.add("zero")
	m.git("checkout", "-q", "-b", "side")
	m.write("c.py", "x = 1\n")
	m.add("one")
	m.git("checkout", "-q", "main")
	m.write("c.py", "x = 2\n")
	m.add("two")
	if out, err := m.try("git", command...); err == nil {
		m.Fatalf("git %q has no conflict: %s", command, out)
	}
	m.omitted = map[string]int{"unmerged": 1}
}

func matrixKinds() []matrixKind {
	return []matrixKind{
		{"SHA-1, files", needs("SHA-1", "--object-format=sha1")},
		{"SHA-256, files", needs("SHA-256", "--object-format=sha256")},
		{"SHA-1, reftable", needs("reftable", "--ref-format=reftable")},
		{"SHA-256, reftable", needs("reftable", "--ref-format=reftable", "--object-format=sha256")},
		{"SHA-256 that knows SHA-1 ids", func(m *matrixRow) {
			needs("SHA-256", "--object-format=sha256")(m)
			m.git("config", "extensions.compatObjectFormat", "sha1")
			if _, err := m.try("git", "rev-parse", "--show-object-format=compat"); err != nil {
				m.skip(gitVersion() + " is built without extensions.compatObjectFormat")
			}
		}},
		{"linked work tree", linked()},
		{"linked, relative paths", linked("--relative-paths")},
		{"linked, its .git made relative by hand", func(m *matrixRow) {
			linked()(m)
			m.write(".git", "gitdir: ../w/.git/worktrees/linked\n")
		}},
		{"linked, reftable", func(m *matrixRow) {
			needs("reftable", "--ref-format=reftable")(m)
			m.git("worktree", "add", "-q", "../linked", "-b", "other")
			m.moveTo("linked")
		}},
		{"linked, moved after it was indexed", func(m *matrixRow) {
			linked()(m)
			m.between = func() {
				m.git("worktree", "move", "../linked", "../moved")
				m.moveTo("moved")
			}
		}},
		{"linked, moved by hand and repaired", func(m *matrixRow) {
			linked()(m)
			m.between = func() {
				m.must(os.Rename(m.top, m.top+"-2"))
				m.moveTo("linked-2")
				m.git("worktree", "repair")
			}
		}},
		{"main work tree beside an indexed and pruned one", func(m *matrixRow) {
			linked()(m)
			m.git("codeidx", "index")
			m.must(os.RemoveAll(m.top))
			m.moveTo("w")
			m.git("worktree", "prune")
		}},
		{"bare", func(m *matrixRow) {
			m.git("init", "-q", "--bare")
			m.refused = "a bare repository has no work tree to index"
		}},
		{"inside the git directory", and(func(m *matrixRow) {
			m.moveTo("w", ".git")
			m.refused = "must be run in a work tree"
		})},
		{"shallow clone", clone("--depth=1")},
		{"partial clone without blobs, remote gone", clone("--filter=blob:none", "--sparse")},
		{"partial clone without trees, remote gone", clone("--filter=tree:0")},
		{"clone with alternates", and(func(m *matrixRow) {
			m.git("clone", "-q", "--shared", ".", "../clone")
			m.moveTo("clone")
		})},
		{"sparse checkout", and(func(m *matrixRow) { m.sparse("--no-sparse-index") })},
		{"sparse checkout, sparse index", and(func(m *matrixRow) { m.sparse("--sparse-index") })},
		{"split index", and(func(m *matrixRow) {
			m.git("update-index", "--split-index")
			m.write("more.py", "x = 1\n")
			m.git("add", "more.py")
		})},
		{"untracked cache", configured("core.untrackedCache", "true")},
		{"fsmonitor hook", and(func(m *matrixRow) {
			m.git("config", "core.fsmonitor", m.sing("sang"))
			m.git("update-index", "--fsmonitor")
			m.must(os.Remove(m.canary))
			m.commitFirst()
		})},
		{"fsmonitor daemon", and(func(m *matrixRow) {
			m.git("config", "core.fsmonitor", "true")
			if out, err := m.try("git", "fsmonitor--daemon", "status"); err != nil && strings.Contains(out, "not supported") {
				m.skip(gitVersion() + " has no fsmonitor daemon here")
			}
			m.canary = m.path(".git/fsmonitor--daemon.ipc")
			m.commitFirst()
			add := m.commit
			m.commit = func() {
				m.env = append(m.env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0=false")
				add()
			}
		})},
		{"feature.manyFiles", configured("feature.manyFiles", "true")},
		{"index.skipHash", func(m *matrixRow) {
			configured("index.skipHash", "true")(m)
			if data, err := os.ReadFile(m.path(".git/index")); err != nil || !bytes.HasSuffix(data, make([]byte, sha1.Size)) {
				m.skip(gitVersion() + " has no index.skipHash")
			}
		}},
		{"index version 2", and(func(m *matrixRow) { m.git("update-index", "--index-version=2", "--force-write-index") })},
		{"index version 3", and(func(m *matrixRow) {
			m.write("new.py", "x = 1\n")
			m.git("add", "-N", "new.py")
			m.git("update-index", "--index-version=3", "--force-write-index")
		})},
		{"index version 4", and(func(m *matrixRow) { m.git("update-index", "--index-version=4", "--force-write-index") })},
		{"index with an unknown optional extension", and(func(m *matrixRow) { m.extension("ZZZZ") })},
		{"index with an unknown required extension", and(func(m *matrixRow) {
			m.extension("zzzz")
			m.refused = "index file corrupt"
		})},
		{"index that names ../x, .git/x and /x", and(func(m *matrixRow) {
			for _, name := range []string{",,/evil.py", ",git/evil.py", ",zip/evil.py"} {
				m.write(name, "stolen = 1\n")
			}
			m.git("add", "-A")
			m.git("read-tree", m.git("write-tree"))
			m.git("update-index", "--refresh")
			m.patchIndex(func(b []byte) []byte {
				for old, new := range map[string]string{",,/evil.py": "../evil.py", ",git/evil.py": ".git/evil.py", ",zip/evil.py": "/zip/evil.py"} {
					b = bytes.ReplaceAll(b, []byte(old), []byte(new))
				}
				return b
			})
			m.write("../evil.py", "stolen = 1\n")
			m.write(".git/evil.py", "stolen = 1\n")
			m.omitted = map[string]int{"escapes_tree": 3}
			m.noCommit = "git commits no such names"
		})},
		{"intent to add", and(func(m *matrixRow) {
			m.write("new.py", "x = 1\n")
			m.git("add", "-N", "new.py")
		})},
		{"assume-unchanged", and(func(m *matrixRow) {
			m.git("update-index", "--assume-unchanged", "app.py")
			m.commitFirst([]string{"update-index", "--no-assume-unchanged", "app.py"})
		})},
		{"skip-worktree, but on disk", and(func(m *matrixRow) {
			m.git("update-index", "--skip-worktree", "app.py")
			m.commitFirst([]string{"update-index", "--no-skip-worktree", "app.py"})
		})},
		{"unborn HEAD", func(m *matrixRow) {
			m.git("init", "-q")
			m.write("lib.py", matrixLib)
			m.write("app.py", matrixApp)
			m.git("add", "-A")
		}},
		{"detached HEAD", and(func(m *matrixRow) { m.git("checkout", "-q", "--detach") })},
		{"in the middle of a merge", and(func(m *matrixRow) {
			m.conflict("merge", "-q", "side")
			m.commitFirst([]string{"add", "-A"})
		})},
		{"in the middle of a rebase", and(func(m *matrixRow) {
			m.conflict("rebase", "-q", "side")
			m.commit = func() {
				m.git("add", "-A")
				m.git("rebase", "--continue")
			}
		})},
		{"in the middle of a cherry-pick", and(func(m *matrixRow) {
			m.conflict("cherry-pick", "side")
			m.commitFirst([]string{"add", "-A"})
		})},
		{"submodule inside", and(func(m *matrixRow) {
			m.git("clone", "-q", ".", "../module")
			m.git("submodule", "--quiet", "add", "../module", "module")
			m.add("module")
			m.omitted = map[string]int{"submodule": 1}
		})},
		{"inside a submodule", and(func(m *matrixRow) {
			m.git("clone", "-q", ".", "../module")
			m.git("submodule", "--quiet", "add", "../module", "module")
			m.add("module")
			m.moveTo("w", "module")
		})},
		{"nested repository", and(func(m *matrixRow) {
			m.git("config", "codeidx.includeUntracked", "true")
			m.git("init", "-q", "nested")
			m.write("nested/x.py", "x = 1\n")
			m.omitted = map[string]int{"nested_repository": 1}
		})},
		{"separate git directory", needs("--separate-git-dir", "--separate-git-dir=../separate.git")},
		{"core.worktree", func(m *matrixRow) {
			m.init("--separate-git-dir=../separate.git")
			m.must(os.Remove(m.path(".git")))
			m.env = append(m.env, "GIT_DIR="+filepath.Join(m.root, "separate.git"))
			m.git("config", "core.worktree", "../w")
		}},
		{"GIT_DIR and GIT_WORK_TREE", func(m *matrixRow) {
			m.init("--separate-git-dir=../separate.git")
			m.must(os.Remove(m.path(".git")))
			m.env = append(m.env, "GIT_DIR=../separate.git", "GIT_WORK_TREE=.")
		}},
		{"GIT_INDEX_FILE", and(func(m *matrixRow) {
			m.must(os.Rename(m.path(".git/index"), m.path(".git/other")))
			m.env = append(m.env, "GIT_INDEX_FILE=.git/other")
		})},
		{"work tree reached through a link", and(func(m *matrixRow) {
			m.must(os.Symlink("w", filepath.Join(m.root, "link")))
			m.moveTo("link")
		})},
		{"extensions.worktreeConfig", func(m *matrixRow) {
			linked()(m)
			m.write("out.py", "x = 1\n")
			m.add("out")
			m.git("config", "extensions.worktreeConfig", "true")
			m.git("config", "--worktree", "codeidx.exclude", "out.py")
			m.omitted = map[string]int{"excluded": 1}
		}},
		{"another user's, not in safe.directory", foreign(false)},
		{"another user's, in safe.directory", foreign(true)},
		{"core.sharedRepository", needs("--shared", "--shared=0666")},
		{"replace refs", and(func(m *matrixRow) {
			m.write("app.py", "x = 1\n")
			m.add("other")
			m.git("replace", "HEAD", "HEAD~1")
			m.git("read-tree", "--reset", "-u", "HEAD")
			m.write("app.py", matrixApp)
		})},
		{"grafts", and(func(m *matrixRow) {
			m.write("app.py", "# more\n")
			m.add("more")
			m.write("app.py", matrixApp)
			m.add("back")
			m.write(".git/info/grafts", m.git("rev-parse", "HEAD")+"\n")
		})},
		{"core.autocrlf", and(func(m *matrixRow) {
			m.git("config", "core.autocrlf", "true")
			for _, p := range []string{"app.py", "lib.py"} {
				m.must(os.Remove(m.path(p)))
			}
			m.git("checkout", "-q", "--", ".")
		})},
		{"clean and smudge filters", and(func(m *matrixRow) {
			m.write(".gitattributes", "*.py filter=evil\n")
			m.add("attributes")
			m.git("config", "filter.evil.clean", m.sing("sang"))
			m.git("config", "filter.evil.smudge", m.sing("sang"))
			m.git("config", "filter.evil.required", "true")
			m.commitFirst()
		})},
		{"Git LFS pointer", and(func(m *matrixRow) {
			m.write("big.py", "version https://git-lfs.github.com/spec/v1\noid sha256:"+strings.Repeat("0", 64)+"\nsize 12\n")
			m.add("pointer")
			m.omitted = map[string]int{"lfs_pointer": 1}
		})},
		{"names that differ by case, core.ignoreCase", and(func(m *matrixRow) {
			m.git("config", "core.ignoreCase", "false")
			m.write("Twin.py", "x = 1\n")
			m.write("twin.py", "x = 2\n")
			m.add("twins")
			m.git("config", "core.ignoreCase", "true")
		})},
		{"core.fileMode=false", configured("core.fileMode", "false")},
		{"odd names", and(func(m *matrixRow) {
			for _, name := range []string{"new\nline.py", "tab\there.py", "quote\".py", "back\\slash.py", "-dash.py", ":(top)magic.py", "größe.py", " space .py", "\xff.py"} {
				m.write(name, "x = 1\n")
			}
			m.add("odd")
			m.omitted = map[string]int{"path_not_utf8": 1}
		})},
	}
}

// sparse leaves one folder out of the work tree.
func (m *matrixRow) sparse(how string) {
	m.write("in/a.py", "x = 1\n")
	m.write("out/b/c.py", "x = 1\n")
	m.add("folders")
	m.git("sparse-checkout", "init", "--cone", how)
	m.git("sparse-checkout", "set", "in")
	m.omitted = map[string]int{"skip_worktree": 1}
}

// foreign gives the repository to another user.
func foreign(safe bool) func(*matrixRow) {
	return and(func(m *matrixRow) {
		if os.Geteuid() != 0 {
			m.skip("only root gives files away")
		}
		m.must(filepath.WalkDir(m.top, func(p string, _ os.DirEntry, err error) error {
			if err == nil {
				err = os.Lchown(p, 4242, 4242)
			}
			return err
		}))
		if safe {
			m.env = append(m.env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0="+m.top)
		} else {
			m.refused = "dubious ownership"
		}
	})
}
