package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"codeidx/facts"
)

// repository is one tree to ask about.
type repository struct {
	dir, binary string
	files       []string // indexed source files that hold no tests, sorted
	hits        map[string]map[string]int
	bm          *bm25
}

func open(dir, binary string) (*repository, error) {
	r := &repository{dir: dir, binary: binary, hits: map[string]map[string]int{}}
	out, err := r.git("ls-files", "-z")
	if err != nil {
		return nil, err
	}
	for _, p := range strings.Split(strings.TrimSuffix(out, "\x00"), "\x00") {
		l := facts.ByID(facts.Detect(p))
		info, err := os.Lstat(filepath.Join(dir, p))
		if l != nil && !l.TestFile(p) && err == nil && info.Mode().IsRegular() {
			r.files = append(r.files, p)
		}
	}
	slices.Sort(r.files)
	return r, nil
}

func (r *repository) git(args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", r.dir}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return string(out), nil
}

// question is a commit's subject and the source files that it changed.
type question struct {
	text  string
	files []string
}

// Bounds of a commit that makes a question: one that touches many files has no
// one answer.
const (
	mostFiles  = 5
	fewestWord = 3
)

var (
	// chores say nothing about code: releases, bumps, formatting.
	chores = regexp.MustCompile(`(?i)\b(bump|release|version|merge|revert|changelog|format|lint|gofmt|black|ruff|typos?|pre-commit|dependenc\w+|deps|upgrade|pin|readme|docs?|sponsors?|translations?|copyright|license|ci|workflows?|cleanup|spelling)\b`)
	// dressing is what a subject wears: "(#123)", "fix(scope):".
	dressing = regexp.MustCompile(`\(?#\d+\)?|^\w+(\([^)]*\))?!?:|[^\x00-\x7f]+|:\w+:`)
)

// questions reads the newest commits that qualify.
func (r *repository) questions(most int) ([]question, error) {
	out, err := r.git("log", "--no-merges", "--no-renames", "--name-only", "--format=%x01%s", "-n", "6000")
	if err != nil {
		return nil, err
	}
	var list []question
	for _, commit := range strings.Split(out, "\x01") {
		subject, names, _ := strings.Cut(commit, "\n")
		text := strings.TrimSpace(dressing.ReplaceAllString(subject, " "))
		if chores.MatchString(subject) || len(strings.Fields(text)) < fewestWord {
			continue
		}
		var files []string
		for _, p := range strings.Fields(names) {
			if _, ok := slices.BinarySearch(r.files, p); ok {
				files = append(files, p)
			}
		}
		if len(files) == 0 || len(files) > mostFiles {
			continue
		}
		if list = append(list, question{text, files}); len(list) == most {
			break
		}
	}
	return list, nil
}

// code keeps the files of a ranking that a question can be about.
func (r *repository) code(ranking []string) []string {
	return slices.DeleteFunc(slices.Clone(ranking), func(p string) bool {
		_, ok := slices.BinarySearch(r.files, p)
		return !ok
	})
}
