package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every field of a frozen answer is explained.
func TestAnswersAreExplained(t *testing.T) {
	page, err := os.ReadFile("../../../docs/ANSWERS.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(golden, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	data := map[string]bool{"langs": true, "omitted": true, "operation": true} // whose keys are no fields
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				visit(e)
			}
		case map[string]any:
			for k, e := range v {
				if !strings.Contains(string(page), "`"+k+"`") {
					t.Errorf("docs/ANSWERS.md does not explain %q", k)
				}
				if !data[k] {
					visit(e)
				}
			}
		}
	}
	for _, file := range files {
		if filepath.Base(file) == "status.json" { // a document of its own
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var doc any
		if err := json.Unmarshal(b, &doc); err != nil {
			t.Fatal(err)
		}
		visit(doc)
	}
}
