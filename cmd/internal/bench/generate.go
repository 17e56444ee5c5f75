package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

// A package of a generated tree has perPackage files of one language; packages
// take the languages in turn.
const (
	perPackage = 10
	languages  = 4
)

// generate writes a tree of n source files, whole packages only, each of which
// imports the next one of its language, the last the first. The same n gives the same bytes.
func generate(dir string, n int) error {
	if err := writeFile(filepath.Join(dir, "go.mod"), []byte("module example.org/made\n\ngo 1.22\n")); err != nil {
		return err
	}
	packs := n / perPackage
	for i := range packs * perPackage {
		pack := i / perPackage
		path, text := generated(pack, packs, i%perPackage)
		if err := writeFile(filepath.Join(dir, fmt.Sprintf("part%02d/pack%05d", pack%100, pack), path), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// generated is one file of one of packs packages.
func generated(pack, packs, file int) (path, text string) {
	var b strings.Builder
	next := pack + languages
	if next >= packs {
		next = pack % languages
	}
	switch pack % languages {
	case 0:
		fmt.Fprintf(&b, "package pack%05d\n\n", pack)
		if file == 0 {
			fmt.Fprintf(&b, "import \"example.org/made/part%02d/pack%05d\"\n\n", next%100, next)
			fmt.Fprintf(&b, "// Reach goes on to the next package.\nfunc Reach(n int) int { return pack%05d.Worker0(n) + Worker1(n) }\n\n", next)
		}
		goBody(&b, file)
		return fmt.Sprintf("file%d.go", file), b.String()
	case 1:
		if file == 0 {
			fmt.Fprintf(&b, "from part%02d.pack%05d.file1 import Worker1 as Next\n\n\ndef reach(n):\n    return Next().step0(n)\n\n\n", next%100, next)
		}
		pythonBody(&b, file)
		return fmt.Sprintf("file%d.py", file), b.String()
	case 2:
		if file == 0 {
			fmt.Fprintf(&b, "import { Worker1 as Next } from '../../part%02d/pack%05d/file1'\n\n", next%100, next)
			fmt.Fprintf(&b, "export function reach(n: number): number {\n  return new Next().step0(n)\n}\n\n")
		}
		scriptBody(&b, file)
		return fmt.Sprintf("file%d.ts", file), b.String()
	}
	fmt.Fprintf(&b, "<?php\nnamespace Made\\Pack%05d;\n\n", pack)
	if file == 0 {
		fmt.Fprintf(&b, "use Made\\Pack%05d\\Worker1 as Next;\n\nfunction reach(int $n): int {\n    return (new Next())->step0($n);\n}\n\n", next)
	}
	phpBody(&b, file)
	return fmt.Sprintf("Worker%d.php", file), b.String()
}

// stepsPerFile is the number of functions of one generated file: with their
// bodies some 3 kB, the size of an ordinary source file.
const stepsPerFile = 12

func goBody(b *strings.Builder, file int) {
	fmt.Fprintf(b, "// Worker%d counts.\nfunc Worker%d(n int) int { return step%d_0(n) }\n\n", file, file, file)
	for i := range stepsPerFile {
		fmt.Fprintf(b, "// step%d_%d adds what the next step gives.\nfunc step%d_%d(n int) int {\n\ttotal := 0\n\tfor i := 0; i < n; i++ {\n\t\tif i%%%d == 0 {\n\t\t\ttotal += i\n\t\t}\n\t}\n", file, i, file, i, i+2)
		if i+1 < stepsPerFile {
			fmt.Fprintf(b, "\treturn total + step%d_%d(n-1)\n}\n\n", file, i+1)
		} else {
			fmt.Fprintf(b, "\treturn total\n}\n")
		}
	}
}

func pythonBody(b *strings.Builder, file int) {
	fmt.Fprintf(b, "class Worker%d:\n    \"\"\"Counts in steps.\"\"\"\n\n", file)
	for i := range stepsPerFile {
		fmt.Fprintf(b, "    def step%d(self, n):\n        \"\"\"Adds what the next step gives.\"\"\"\n        total = 0\n        for i in range(n):\n            if i %% %d == 0:\n                total += i\n        return total + self.step%d(n - 1)\n\n", i, i+2, (i+1)%stepsPerFile)
	}
}

func scriptBody(b *strings.Builder, file int) {
	fmt.Fprintf(b, "/** Counts in steps. */\nexport class Worker%d {\n", file)
	for i := range stepsPerFile {
		fmt.Fprintf(b, "  /** Adds what the next step gives. */\n  step%d(n: number): number {\n    let total = 0\n    for (let i = 0; i < n; i++) {\n      if (i %% %d === 0) total += i\n    }\n    return total + this.step%d(n - 1)\n  }\n\n", i, i+2, (i+1)%stepsPerFile)
	}
	b.WriteString("}\n")
}

func phpBody(b *strings.Builder, file int) {
	fmt.Fprintf(b, "/** Counts in steps. */\nclass Worker%d {\n", file)
	for i := range stepsPerFile {
		fmt.Fprintf(b, "    /** Adds what the next step gives. */\n    public function step%d(int $n): int {\n        $total = 0;\n        for ($i = 0; $i < $n; $i++) {\n            if ($i %% %d === 0) {\n                $total += $i;\n            }\n        }\n        return $total + $this->step%d($n - 1);\n    }\n\n", i, i+2, (i+1)%stepsPerFile)
	}
	b.WriteString("}\n")
}
