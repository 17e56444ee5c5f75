# Everything here is a convenience: README.md has the two commands that matter.

default: build

# build the binary into ./bin
build:
    go build -o bin/git-codeidx ./cmd/git-codeidx

# install the binary and the man pages below PREFIX
install prefix="$HOME/.local": build
    install -D -m 755 bin/git-codeidx {{prefix}}/bin/git-codeidx
    bin/git-codeidx man --install {{prefix}}/share/man

test:
    go test ./...

lint:
    test -z "$(gofmt -l $(git ls-files '*.go'))"
    go vet ./...
    go test ./cmd/internal/lint
    CGO_ENABLED=0 go build ./facts ./graph/... ./fulltext ./gitstore ./query

# staticcheck, fetched and pinned here: not a part of CI, which needs no network
staticcheck:
    go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 -tests=false ./...

race:
    go test -race ./gitstore/... ./facts/worker ./query ./hooks/...

# run each fuzz target on a number of inputs
fuzz count="20000":
    sh .ci/fuzz {{count}}

# break disks, processes and files under the binary; counts go into docs/RELIABILITY.md
reliability *what:
    sh .ci/reliability {{what}}

# speed as ratios: index against parse and hash, query against ripgrep, on TREE
bench tree name:
    sh .ci/bench {{tree}} {{name}}

# the Git matrix as a Markdown table; each DIR holds a git
matrix *dirs:
    sh .ci/matrix {{dirs}}

# accuracy against compiler-made facts: clones in SRC, oracle in ORACLE
accuracy src oracle +names:
    sh .ci/accuracy {{src}} {{oracle}} {{names}}

# write new golden files and script outputs
update-golden:
    UPDATE_SCRIPTS=1 go test ./cmd/internal/cli
    go test ./facts ./facts/golang ./facts/python ./facts/ecma ./facts/php -rewrite
    go test ./cmd/internal/mcp -update

man: build
    bin/git-codeidx man --install docs/man

# explore against ripgrep and BM25 over commit subjects; REPOS are clones with history and an index
eval-explore +repos: build
    go run ./cmd/internal/evalexplore -binary {{justfile_directory()}}/bin/git-codeidx {{repos}}

# other tools beside ours, on copies of TREE, asking for NAME: those that are installed
bench-peers tree name *flags: build
    go run ./cmd/internal/bench peers -binary {{justfile_directory()}}/bin/git-codeidx {{flags}} {{tree}} {{name}}

# time, memory and disk against size, with the picture of docs/PERFORMANCE.md
bench-scale *flags: build
    go run ./cmd/internal/bench scale -binary {{justfile_directory()}}/bin/git-codeidx -svg docs/scale.svg {{flags}}

# tests against what each test executes; PAIRS are REPOSITORY=COVERAGE, COVERAGE made by .ci/cover.py
eval-tests +pairs: build
    go run ./cmd/internal/evaltests -n 100 -binary {{justfile_directory()}}/bin/git-codeidx {{pairs}}

# a scripted agent with our tools against grep and reading; flags such as -gold FOLDER come before the REPOS
eval-agent +args: build
    go run ./cmd/internal/evalagent -binary {{justfile_directory()}}/bin/git-codeidx {{args}}

# every operation as one process beside rg -w NAME, on a copy of TREE
bench-ops tree name *flags: build
    go run ./cmd/internal/bench ops -binary {{justfile_directory()}}/bin/git-codeidx {{flags}} {{tree}} {{name}}
