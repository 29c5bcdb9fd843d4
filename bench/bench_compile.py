"""Whether compilers run on all cores: a run of eight C++ solutions whose header is slow to compile.

Then, a program that is edited and judged again and again, beside the compiler alone.

python -m bench.bench_compile
"""

import itertools
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.measure import JUDGE, ROOT, interleaved, seconds, show, write_cases
from judge.languages.precompiled import make_wanted

SOLUTIONS = 8
CASES = 5
ROUNDS = 3
SOURCE = """#include <bits/stdc++.h>
int main() {{ long long a, b; std::cin >> a >> b; std::vector<std::string> v{{"{}"}}; std::cout << a + b << "\\n"; }}
"""
EDITS = 4
SHORT = SOURCE.format("")
LONG = r"""#include <bits/stdc++.h>
using namespace std;
typedef long long ll;
const int INF = 1e9;
struct Edge { int to; ll w; };
vector<vector<Edge>> g;
vector<ll> dijkstra(int s) {
    vector<ll> d(g.size(), LLONG_MAX);
    priority_queue<pair<ll,int>, vector<pair<ll,int>>, greater<pair<ll,int>>> q;
    q.push({0, s}); d[s] = 0;
    while (!q.empty()) {
        auto [x, u] = q.top(); q.pop();
        if (x > d[u]) continue;
        for (auto &e : g[u]) if (d[e.to] > x + e.w) { d[e.to] = x + e.w; q.push({d[e.to], e.to}); }
    }
    return d;
}
int main() {
    ios::sync_with_stdio(false); cin.tie(nullptr);
    int n, m; cin >> n >> m;
    g.resize(++n);
    map<string,int> id; set<int> seen; unordered_map<int, vector<int>> um;
    for (int i = 0; i < m; i++) {
        int a, b; ll w;
        if (!(cin >> a >> b >> w)) break;
        a--; b--;
        g[a].push_back({b, w}); g[b].push_back({a, w});
        id[to_string(a)]++; seen.insert(b); um[a].push_back(b);
    }
    auto d = dijkstra(0);
    vector<int> p(n); iota(p.begin(), p.end(), 0);
    sort(p.begin(), p.end(), [&](int a, int b) { return d[a] < d[b]; });
    for (int i : p) cout << i + 1 << " " << d[i] << "\n";
    string s; for (auto &[k, v] : id) s += k + ":" + to_string(v) + ",";
    cout << s << seen.size() << um.size() << endl;
}
"""


def main() -> None:
    """Measure and print."""
    compiler = shutil.which("g++")
    if compiler is None:
        sys.exit("this benchmark needs g++")
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = [folder / f"solution{number}.cpp" for number in range(SOLUTIONS)]
        for number, source in enumerate(sources):
            source.write_text(SOURCE.format(number))
        write_cases(folder / "cases", CASES)

        def compile_alone() -> None:
            with ThreadPoolExecutor(cores) as pool:
                argv = [[compiler, "-O2", "-o", f"{source}.out", str(source)] for source in sources]
                list(pool.map(lambda each: subprocess.run(each, check=True), argv))

        def judge(workers: int) -> None:
            with tempfile.TemporaryDirectory() as cache:  # nothing is compiled yet
                options = [option for source in sources for option in ("-s", source.name)]
                argv = [*JUDGE, "run", *options, "--cases", "cases", "-j", str(workers)]
                environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": cache}
                subprocess.run(argv, cwd=folder, env=environment, check=True, capture_output=True)

        calls = [compile_alone, lambda: judge(1), lambda: judge(cores)]
        alone, one, all_cores = interleaved([lambda call=call: seconds(call) for call in calls], ROUNDS)  # type: ignore[misc]
    show(f"the compilers alone, {cores} at a time", f"{alone:.1f} s", "1.00 x")
    show("judge run -j 1", f"{one:.1f} s", f"{one / alone:.2f} x")
    show(f"judge run -j {cores}", f"{all_cores:.1f} s", f"{all_cores / alone:.2f} x")
    measure_edits()


def cpu_seconds(argv: Sequence[str], folder: Path, environment: Mapping[str, str]) -> float:
    """Run a command; return the CPU time of it and all that it started and waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, cwd=folder, env=environment, check=False, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_edits() -> None:
    """Edit and judge a program again and again, beside the compiler alone with the same standard.

    By CPU time, which is also the elapsed time on an idle machine: a compiler is one process at a time. The header is
    made between the first edit and the second one, here and not in the background.
    """
    for compiler, standard in itertools.product(filter(shutil.which, ("g++", "clang++")), ("17", "20", "23")):
        for name, text in {"short": SHORT, "long": LONG}.items():
            with tempfile.TemporaryDirectory() as folder:
                rounds = [edit_again(Path(folder), compiler, standard, text) for _ in range(ROUNDS)]
            for number, ratios in enumerate(zip(*rounds, strict=True), 1):
                spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
                title = f"{compiler}, C++{standard}, {name} program, edit {number}"
                show(title, f"{statistics.median(ratios):.2f} x", f"of {compiler} -O2, {spread}")


def edit_again(folder: Path, compiler: str, standard: str, text: str) -> list[float]:
    """Return the CPU time of `judge run` against that of the compiler, for each edit."""
    flag = f"-std=gnu++{'2b' if standard == '23' else standard}"  # Clang 14 does not know the final name
    headers, made = folder / "judge/headers", folder / "made"
    if headers.exists():
        headers.rename(made)  # in the round before
    else:
        (folder / "judge").mkdir()
        (folder / "judge/config.toml").write_text(f'[language.cpp]\nflags = ["{flag}"]\n')
        write_cases(folder / "cases", 1)
        (folder / "judge/languages.toml").write_text(f'[cpp]\ntools = {{ cxx = ["{compiler}"] }}\n')
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "XDG_CACHE_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "CI": "true",  # makes nothing in the background
    }
    ratios = []
    for _ in range(EDITS):
        (folder / "a.cpp").write_text(f"{text}// {time.time_ns()}\n")
        alone = cpu_seconds([compiler, "-O2", flag, "-o", "a.out", "a.cpp"], folder, environment)
        ratios.append(cpu_seconds([*JUDGE, "run", "a.cpp", "--cases", "cases"], folder, environment) / alone)
        if made.exists():
            shutil.rmtree(headers)
            made.rename(headers)
        make_wanted(headers)
    return ratios


if __name__ == "__main__":
    main()
