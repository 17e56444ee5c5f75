package cli

import (
	"fmt"
	"os"
	"path/filepath"
)

type manCmd struct {
	outputFlags
	Install string `help:"Write the pages below DIR/man1 (DIR is usually PREFIX/share/man)." placeholder:"DIR" type:"path"`
	Page    string `arg:"" optional:"" help:"Print one page to stdout: git-codeidx, or a verb."`
}

func (c *manCmd) Run(a *app) error {
	c.apply(a)
	pages, err := manPages()
	if err != nil {
		return err
	}
	if c.Install == "" {
		return a.printPage(pages, c.Page)
	}
	dir := filepath.Join(c.Install, "man1")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("install man pages: %w", err)
	}
	for _, p := range pages {
		if err := os.WriteFile(filepath.Join(dir, p.name+".1"), p.text, 0o644); err != nil {
			return fmt.Errorf("install man pages: %w", err)
		}
	}
	if !a.quiet {
		fmt.Fprintf(a.out, "%s in %s\n", plural(len(pages), "page"), printable(dir))
	}
	return nil
}

func (a *app) printPage(pages []manPage, name string) error {
	if name == "" {
		name = "git-codeidx"
	}
	for _, p := range pages {
		if p.name == name || p.name == "git-codeidx-"+name {
			_, err := a.out.Write(p.text)
			return err
		}
	}
	return badValue(fmt.Sprintf("there is no page %q", name), "pages are called after verbs: git codeidx -h")
}
