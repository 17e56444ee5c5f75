"""What each test executes, as JSON lines: the truth that evaltests reads.

cover.py go TREE PACKAGE…      every test of these packages alone, by a binary built with -cover over the whole module
cover.py python TREE [ARG…]    one run of pytest with a coverage context per test; the arguments are pytest's

A line is {"test": ID, "path": FILE, "lines": [[FIRST, LAST], …]}, ranges that
were executed, paths from the top of TREE. The id of a Go test is
"DIR::TestName", or "DIR::TestName/TestMethod" for one of a testify suite; that
of a Python test is pytest's without parameters.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

TIMEOUT = 60  # seconds for one Go test


def ranges(lines):
    out = []
    for line in sorted(lines):
        if out and line <= out[-1][1] + 1:
            out[-1][1] = line
        else:
            out.append([line, line])
    return out


def emit(test, executed):
    for path in sorted(executed):
        print(json.dumps({"test": test, "path": path, "lines": ranges(executed[path])}))


def go(tree, packages):
    module = subprocess.run(["go", "list", "-m"], cwd=tree, check=True, capture_output=True, text=True).stdout.split()[0]
    with tempfile.TemporaryDirectory() as tmp:
        for package in packages:
            folder = os.path.normpath(os.path.join(tree, package))
            binary = os.path.join(tmp, "test.bin")
            build = ["go", "test", "-c", "-cover", "-covermode=set", "-coverpkg=./...", "-o", binary, "./" + package]
            subprocess.run(build, cwd=tree, check=True)
            for name in go_tests(binary, folder):
                emit(package + "::" + name, go_profile(binary, folder, name, module, os.path.join(tmp, "profile")))
            print(package, file=sys.stderr)


def go_tests(binary, folder):
    """Top-level tests, those that run a suite replaced by its methods."""
    source = "".join(open(os.path.join(folder, f)).read() for f in sorted(os.listdir(folder)) if f.endswith("_test.go"))
    suites = set(re.findall(r"^func (Test\w*)\([^)]*\) *\{\n(?:(?!^\}).*\n)*?.*\bsuite\.Run\(", source, re.M))
    listing = subprocess.run([binary, "-test.v"], cwd=folder, capture_output=True, text=True, errors="replace", timeout=20 * TIMEOUT)
    names = re.findall(r"^=== RUN +(\S+)$", listing.stdout, re.M)
    for name in sorted(set(names)):
        top, _, rest = name.partition("/")
        if not rest and top not in suites or top in suites and re.fullmatch(r"Test\w*", rest):
            yield name


def go_profile(binary, folder, name, module, profile):
    pattern = "/".join("^%s$" % part for part in name.split("/"))
    executed = collections.defaultdict(set)
    try:
        subprocess.run([binary, "-test.run", pattern, "-test.coverprofile", profile], cwd=folder, capture_output=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return executed
    if not os.path.exists(profile):  # the test ended the process
        return executed
    for line in open(profile):
        m = re.fullmatch(r"(.*):(\d+)\.\d+,(\d+)\.\d+ \d+ ([1-9]\d*)\n", line)
        if m and m[1].startswith(module + "/"):
            executed[m[1][len(module) + 1:]].update(range(int(m[2]), int(m[3]) + 1))
    os.remove(profile)
    return executed


def python(tree, arguments):
    import coverage
    with tempfile.TemporaryDirectory() as tmp:
        data = os.path.join(tmp, "coverage")
        env = dict(os.environ, COVERAGE_FILE=data)
        settings = os.path.join(tmp, "coveragerc")  # not the project's own, which may be for another version
        open(settings, "w").close()
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--cov=" + os.path.abspath(tree), "--cov-config=" + settings,
                   "--cov-context=test", "--cov-report="]
        subprocess.run(command + arguments, cwd=tree, env=env, stdout=sys.stderr)
        got = coverage.CoverageData(data)
        got.read()
        executed = collections.defaultdict(lambda: collections.defaultdict(set))
        for file in got.measured_files():
            path = os.path.relpath(file, os.path.abspath(tree))
            for line, contexts in got.contexts_by_lineno(file).items():
                for context in contexts:
                    if context:
                        executed[re.sub(r"\[.*|\|\w+$", "", context)][path].add(line)
        for test in sorted(executed):
            emit(test, executed[test])


if __name__ == "__main__":
    {"go": go, "python": python}[sys.argv[1]](sys.argv[2], sys.argv[3:])
