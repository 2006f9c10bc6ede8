"""The steps of a stranger's walk: what is typed, and what has to hold then."""

from __future__ import annotations

from stranger_rules import (
    Step,
    beaten_by,
    beats,
    compiles,
    fetches,
    prints,
    python,
    refuses,
    solves,
)

ITEMS = {
    0: "A fresh clone",
    1: "The best by default",
    2: "The first run",
    3: "Signs of life",
    4: "A result worth keeping",
    5: "Pictures",
    6: "The files people have",
    7: "Installation",
    8: "Instances by name",
    9: "scikit-learn, pandas, and errors",
    10: "Documentation",
    11: "What stays by hand",
    12: "Completion and versions",
}

# The weights come first: read as x, y, weight the cost would not be 120.
FILES = {
    "named.csv": "weight,x,y\n0,0,0\n3,0,30\n4,40,0\n",
    "named.sol": "Route #1: 1 2\nCost 120\n",
    "bare.csv": "0,0,0\n3,0,30\n4,40,0\n",
    "ids.csv": "id,x,y,demand\nhome,0,0,0\nann,0,30,3\nbob,40,0,4\n",
    "ids.json": '[{"id": "home", "x": 0, "y": 0, "demand": 0},'
    ' {"id": "ann", "x": 0, "y": 30, "demand": 3}]',
    "world.csv": "id,lon,lat,demand\nhome,10,50,0\nann,10,51,1\n",
    "points.csv": "weight,x,y\n"
    + "".join(f"{1 + k % 3},{k % 7},{k * k % 11}\n" for k in range(60)),
    "unit.vrp": "NAME : unit\nTYPE : CVRP\nDIMENSION : 4\n"
    "EDGE_WEIGHT_TYPE : EUC_2D\nCAPACITY : 2\nNODE_COORD_SECTION\n"
    "1 0.1 0.1\n2 0.3 0.2\n3 0.2 0.4\n4 0.4 0.4\nDEMAND_SECTION\n"
    "1 0\n2 1\n3 1\n4 1\nDEPOT_SECTION\n1\n-1\nEOF\n",
    "driven.csv": "0,4,9\n5,0,6\n9,7,0\n",
}

FRESH = "NUMBA_CACHE_DIR=$(mktemp -d)"
MINE = "NUMBA_CACHE_DIR=$PWD/kernels"
BIG = "ncc-route solve NCC-n0401-s1 --time-limit 10 --json"
SMALL = "ncc-route solve NCC-n0101-s1 --time-limit 2 --json"
LONG = "ncc-route solve NCC-n0401-s1 --time-limit 60"
DEFAULT = "10 s and no other option"
FIRST = "the first solve of a machine, 2 s"
HTML = "ncc-route plot NCC-n0401-s1 $REPO/instances/NCC-n0401-s1.sol"

WITH_PLACES = ["ckm", "savings", "sweep", "petal"]

# fmt: off
STEPS = (
    Step(0, "make demo in a fresh clone",
         "git clone --quiet $REPO clone && make --silent -C clone demo",
         prints("feasible")),
    Step(1, DEFAULT, BIG, solves(10.3, least=9.0)),
    Step(1, "beside ckm and ruin-recreate",
         f"{BIG} --method ckm --polish ruin-recreate",
         beaten_by(DEFAULT, 0.3)),
    Step(1, "beside savings and ruin-recreate",
         f"{BIG} --method savings --polish ruin-recreate",
         beaten_by(DEFAULT, 0.3)),
    Step(1, "beside PyVRP's search", f"{BIG} --polish pyvrp",
         beaten_by(DEFAULT, 0.3)),
    Step(1, "twenty customers, no option",
         "ncc-route solve NCC-n0021-s1 --json", solves(2.3, gap=0.0)),
    Step(1, "no option: a time that grows with n",
         "ncc-route solve NCC-n0401-s1 --json", solves(4.3, least=3.5)),
    Step(1, "the help says how", "COLUMNS=200 ncc-route solve --help",
         prints("with a polish n / 100")),
    Step(1, "the paper's method",
         "ncc-route solve NCC-n0101-s1 --method ncc --polish none",
         prints("method    ncc, polish none")),
    python(1, "a path, an Instance, ProblemData, Model", """
        import pyvrp, ncc_routing as nr
        from ncc_routing.io.names import find_instance
        file = find_instance("NCC-n0021-s1")
        data = pyvrp.read(file, round_func="round")
        model = pyvrp.Model.from_data(data)
        kinds = str(file), file, nr.read(file), data, model
        costs = [nr.solve(kind, time_limit=1.0).cost for kind in kinds]
        assert set(costs) == {6180}, costs
        print(costs)
        """),
    Step(2, FIRST, f"{MINE} {SMALL}", compiles(solves(2.3)), most=14.0),
    Step(2, "the same again: the first was as good", f"{MINE} {SMALL}",
         compiles(beaten_by(FIRST, 0.5), times=0)),
    *(
        Step(2, f"first {name}", f"{FRESH} {line}", prints(), most=15.0)
        for name, line in {
            "cluster": "ncc-route cluster points.csv --capacity 12",
            "check": "ncc-route check named.csv named.sol --capacity 7",
            "plot": "ncc-route plot NCC-n0101-s1 "
            "$REPO/instances/NCC-n0101-s1.sol --output first.png",
            "bench": "ncc-route bench NCC-n0021-s1 --polish none",
            "label": "ncc-route label train --count 1 --sizes 30 30",
            "label, other seeds": "ncc-route label valid --count 1 "
            "--sizes 30 30 --seed 9",
            "train": "ncc-route train train --validation valid --epochs 1 "
            "--schedule cpu --output weights",
        }.items()
    ),
    *(
        Step(2, f"{name} compiles nothing", f"{FRESH} {line}",
             compiles(prints(), times=0), most=3.0)
        for name, line in {
            "generate": "ncc-route generate 100",
            "instances": "ncc-route instances",
            "--help": "ncc-route --help",
        }.items()
    ),
    Step(2, "medians of a fresh machine, 3 s",
         f"{FRESH} ncc-route cluster points.csv --capacity 12 "
         "--objective cpmp --time-limit 3 --json", compiles(prints('"cpmp"')),
         most=18.0),
    Step(2, "killed while it compiles, then again",
         "export NUMBA_CACHE_DIR=$PWD/killed\n"
         f"timeout -s KILL 5 {SMALL} 2> first.log\n{SMALL}",
         compiles(beats(FIRST, 0.5, most=2.3))),
    Step(2, "Python says that it compiles",
         f"{FRESH} python -c 'import ncc_routing as nr; "
         'print(nr.solve("NCC-n0021-s1", time_limit=1.0))\'',
         compiles(prints("Result"))),
    Step(2, "warmup", "ncc-route warmup", prints("kernels are ready"),
         most=40.0),
    Step(2, "a small solve with cached kernels",
         "ncc-route solve NCC-n0021-s1 --method savings --polish none",
         compiles(prints("cost"), times=0), most=0.9),
    Step(3, "progress on a terminal",
         'script -qec "ncc-route solve NCC-n0101-s1 --time-limit 2" /dev/null'
         " | tr '\\r' '\\n' | grep -o 'polish.* of 2 s, best.*' | tail -n 1",
         prints("iterations")),
    Step(3, "none on request",
         'script -qec "ncc-route solve NCC-n0101-s1 --time-limit 2 '
         '--no-progress" /dev/null | grep -c " of 2 s, best"',
         prints("0", code=1)),
    Step(3, "none into a pipe",
         "ncc-route solve NCC-n0101-s1 --time-limit 2 2>&1 >/dev/null | wc -c",
         prints("0")),
    Step(3, "lines into a pipe on request",
         "ncc-route solve NCC-n0101-s1 --time-limit 2 --progress 2>&1 "
         ">/dev/null | tail -n 1", prints("best")),
    Step(3, "lines of the log for the stages",
         "ncc-route -v solve NCC-n0101-s1 --time-limit 1 2>&1 >/dev/null",
         prints("savings")),
    Step(3, "display in Python", "python -c 'import ncc_routing as nr; "
         'nr.solve("NCC-n0101-s1", time_limit=2.0, display=True)\' 2>&1',
         prints("best")),
    python(3, "callbacks", """
        import ncc_routing as nr
        heard = []
        class Log(nr.Callbacks):
            def on_start(self, problem, params): heard.append("start")
            def on_best(self, progress): heard.append(progress.cost)
            def on_end(self, result): heard.append("end")
        nr.solve("NCC-n0101-s1", time_limit=1.0, callbacks=Log())
        costs = heard[1:-1]
        assert heard[0] == "start" and heard[-1] == "end"
        assert len(costs) > 1 and costs == sorted(costs, reverse=True)
        print(heard[:3], "...", heard[-2:])
        """),
    python(3, "stopping criteria, alone and together", """
        import ncc_routing as nr
        stops = {
            "iterations": nr.MaxIterations(1000),
            "stale": nr.NoImprovement(1000),
            "target": nr.TargetCost(32000),
            "feasible": nr.FirstFeasible(),
            "any": nr.first_of(nr.TargetCost(1), nr.MaxIterations(1000)),
        }
        for name, stop in stops.items():
            found = nr.solve("NCC-n0101-s1", time_limit=20.0, stop=stop)
            assert found.runtime < 15, name
            print(name, found.cost, f"{found.runtime:.1f} s", end="; ")
        """),
    Step(3, "Ctrl-C in the shell keeps the best",
         f"timeout --preserve-status -s INT 4 {LONG} -o best.sol > best.log\n"
         "echo exit code $?; ncc-route check NCC-n0401-s1 best.sol",
         prints("exit code 130", "feasible"), most=10.0),
    Step(3, "Ctrl-C in Python returns the best",
         "timeout --preserve-status -s INT 5 python -c 'import ncc_routing as "
         'nr; r = nr.solve("NCC-n0401-s1", time_limit=60.0); '
         "print(r.interrupted, r.cost)'", prints("True"), most=10.0),
    python(4, "summary, repr, trace", """
        import ncc_routing as nr
        r = nr.solve("NCC-n0101-s1", time_limit=1.0)
        assert len(r.trace) > 1 and r.trace[-1].cost == r.cost
        assert str(int(r.cost)) in r.summary().replace(",", "")
        assert len(repr(r)) < 200 and "\\n" not in repr(r)
        print(len(r.trace), "points;", repr(r))
        """),
    python(4, "a picture in a notebook", """
        import ncc_routing as nr
        r = nr.solve("NCC-n0101-s1", time_limit=1.0)
        assert "<svg" in r._repr_html_()
        print(len(r._repr_html_()), "characters")
        """),
    python(4, "to JSON and back, to a table", """
        import ncc_routing as nr
        r = nr.solve("NCC-n0101-s1", time_limit=1.0)
        again = nr.Result.from_json(r.to_json())
        assert again.routes == r.routes and again.cost == r.cost
        table = r.to_dataframe()
        assert len(table) == 100
        print(list(table))
        """),
    python(4, "plots of the routes and of the cost", """
        import ncc_routing as nr
        r = nr.solve("NCC-n0101-s1", time_limit=1.0)
        for name, figure in (("r", r.plot()), ("t", r.plot_trace())):
            figure.savefig(f"{name}.png")
        print(figure)
        """),
    python(4, "the same of clusters", """
        import ncc_routing as nr
        found = nr.cluster("points.csv", capacity=12, time_limit=1.0)
        again = type(found).from_json(found.to_json())
        assert (again.labels == found.labels).all()
        assert len(found.to_dataframe()) == 60
        assert "<svg" in found._repr_html_()
        found.plot().savefig("c.png")
        print(found.summary().splitlines()[0], repr(found))
        """),
    *(
        Step(5, f"--plot F.{kind}",
             f"ncc-route solve NCC-n0101-s1 --time-limit 1 --plot F.{kind} "
             f"> plot.log && head -c 9 F.{kind} | tr -cd '[:print:]'",
             prints(begin))
        for kind, begin in {
            "html": "<!doctype",
            "png": "PNG",
            "svg": "<?xml",
            "geojson": "{",
        }.items()
    ),
    Step(5, "size and dpi",
         f"{HTML} -o big.png --size 8x5 --dpi 50 && file big.png",
         prints("400 x 250")),
    *(
        python(5, f"the page in Chromium, {width} pixels wide", f"""
            import os, sys
            from pathlib import Path
            sys.path.insert(0, os.environ["REPO"] + "/tests/plotting")
            from conftest import find_chromium, start_browser
            if find_chromium() is None:
                sys.exit(print("not here: no Chromium"))
            with start_browser(Path.cwd()) as page:
                page.open(Path("F.html").absolute(), {width})
                print("console and requests:", page.errors)
                assert page.errors == []
            """)
        for width in (1280, 390)
    ),
    python(5, "degrees have the aspect of a map", """
        import ncc_routing as nr
        r = nr.solve(nr.read_customers("world.csv", capacity=9))
        print(r.plot().axes[0].get_aspect())
        assert r.plot().axes[0].get_aspect() > 1.5
        """),
    Step(6, "a header weight,x,y is read as it says",
         "ncc-route solve named.csv --capacity 7 -o - 2> named.log",
         prints("Cost 120")),
    Step(6, "a table without names", "ncc-route solve bare.csv --capacity 7",
         refuses("bare.csv")),
    Step(6, "points with a header weight,x,y",
         "ncc-route cluster points.csv --capacity 12 -o - 2> points.log "
         "| sed -n 3p", prints("1.0,1.0,2,")),
    Step(6, "ids are kept",
         "ncc-route solve ids.csv --capacity 7 -o ids.out.csv > ids.log "
         "&& cat ids.out.csv", prints("ann")),
    Step(6, "JSON", "ncc-route solve ids.json --capacity 7 -o - 2> json.log",
         prints("Cost 60")),
    python(6, "a DataFrame", """
        import pandas as pd, ncc_routing as nr
        table = pd.read_csv("named.csv")
        print(nr.solve(nr.read_customers(table, capacity=7)).cost)
        assert nr.solve(nr.read_customers(table, capacity=7)).cost == 120
        """),
    Step(6, "one degree there and back, in metres",
         "ncc-route solve world.csv --capacity 7 -o - 2> world.log",
         prints("Cost 222390")),
    Step(6, "a unit square that rounding makes nothing",
         "ncc-route solve unit.vrp", refuses("unit.vrp", "EUC_2D")),
    *(
        python(6, f"a matrix {beside} coordinates, {method}", f"""
            import numpy as np, subprocess
            from pathlib import Path
            rows = {rows!r}
            Path("m.csv").write_text(rows)
            np.savez("m.npz", matrix=np.loadtxt("driven.csv", delimiter=","))
            subprocess.run(["ncc-route", "solve", "m.csv", "--capacity=7",
                "--matrix=m.npz", "--method={method}", "--polish=none",
                "-om.sol"], check=True, stdout=-3)
            assert "Cost 19" in Path("m.sol").read_text()  # 4 + 6 + 9
            print(Path("m.sol").read_text())
            """)
        for beside, rows, methods in (
            ("without", "id,demand\nhome,0\nann,3\nbob,4\n", ["savings"]),
            ("beside", "x,y,demand\n0,0,0\n0,30,3\n40,0,4\n", WITH_PLACES),
        )
        for method in methods
    ),
    Step(6, "standard input and output", "ncc-route generate 50 -o - > g.vrp\n"
         "ncc-route solve - --time-limit 1 -o - < g.vrp 2> g.log "
         "| ncc-route check g.vrp -", prints("feasible")),
    Step(6, "several files and a folder into --sol-dir",
         "mkdir -p many && cp $REPO/instances/NCC-n00[25]1-s1.vrp many\n"
         "ncc-route solve NCC-n0034-s1 many --time-limit 1 --sol-dir sols "
         "> many.log; ls sols | tr '\\n' ' '",
         prints("NCC-n0021-s1.sol NCC-n0034-s1.sol NCC-n0051-s1.sol")),
    Step(6, "into a pipe with a name", "mkfifo pipe; cat pipe > piped.sol &\n"
         "ncc-route solve NCC-n0021-s1 --time-limit 1 -o pipe; wait\n"
         "ncc-route check NCC-n0021-s1 piped.sol", prints("feasible")),
    Step(7, "wheel and sdist, installed and used read-only",
         "$REPO/.ci/wheel $(command -v python) > wheel.log 2>&1; "
         "tail -n 1 wheel.log", prints("The wheel works.")),
    *(
        Step(7, what, f"grep -F '{text}' wheel.log", prints(text))
        for what, text in {
            "size without extras": "wheel without extras: ",
            "size with PyVRP": "with PyVRP, but not its matplotlib: ",
            "metadata": "PASSED",
            "clusters of points": "cluster [",
            "a warm start for PyVRP": "warm start ",
            "no HOME, nowhere to write": "no folder can be written",
            "without PyVRP": 'pip install "ncc_routing[pyvrp]"',
            "without matplotlib": 'pip install "ncc_routing[plot]"',
            "without elkai": 'pip install "ncc_routing[lkh]"',
            "without pooch": 'pip install "ncc_routing[names]"',
            "without torch": 'pip install "ncc_routing[learning]"',
            "without scikit-learn": 'pip install "ncc_routing[sklearn]"',
            "without pandas": 'pip install "ncc_routing[pandas]"',
        }.items()
    ),
    Step(7, "the licence of elkai at the install line",
         "grep 'pip install.*lkh' $REPO/README.md", prints("NON-COMMERCIAL")),
    Step(8, "names in any case", "ncc-route solve ncc-N0021-S1 --time-limit 1",
         prints("NCC-n0021-s1")),
    Step(8, "a near miss", "ncc-route solve NCC-n0021",
         refuses("NCC-n0021-s1")),
    Step(8, "a folder of one's own",
         "mkdir -p own && cp $REPO/instances/NCC-n0021-s1.vrp own/mine.vrp\n"
         "NCC_ROUTING_DATA=own ncc-route solve MINE --time-limit 1",
         prints("instance  NCC-n0021-s1")),
    Step(8, "fetched by name", "ncc-route instances get X-n101-k25", fetches),
    python(9, "the estimator in a grid, with weights", """
        import numpy as np, ncc_routing as nr
        from sklearn.model_selection import GridSearchCV
        X, w = np.random.default_rng(1).random((60, 2)), np.ones(60)
        model = nr.CapacitatedClustering(capacity=12, time_limit=0.5)
        search = GridSearchCV(model, {"n_clusters": [5, 7]}, cv=2)
        search.fit(X)
        model.set_params(n_clusters=6).set_output(transform="pandas")
        labels = model.fit_predict(X, sample_weight=w)
        assert np.bincount(labels).max() <= 12
        assert model.transform(X).shape == (60, 6)
        model.predict([[0.5, 0.5]], sample_weight=[1], within_capacity=True)
        print(search.best_params_, np.bincount(labels), model.score(X))
        """),
    python(9, "import * without scikit-learn", """
        import sys
        sys.modules["sklearn"] = None
        from ncc_routing import *
        print(ParameterError, write_instance, "sklearn" in str(solve))
        """),
    *(
        python(9, f"the wrong type: {call}", f"""
            import numpy as np, ncc_routing as nr
            try:
                nr.{call}
            except nr.NccRoutingError as error:
                text = str(error)
            assert "NODE_COORD" not in text and len(text.splitlines()) == 1
            print(text)
            """)
        for call in (
            "solve(3)",
            'solve("NCC-n0021-s1", time_limit="ten")',
            'solve("NCC-n0021-s1", method=7)',
            'Instance("mine", np.array([0, 1, 2]), 5)',
            'Instance("mine", ["a", 1], 5, coords=[[0, 0], [1, 1]])',
            'cluster("points.csv", capacity="big")',
            "warm_start(3)",
        )
    ),
    Step(10, "the documentation builds, notebooks included",
         "python -m sphinx -q -W --keep-going -b html $REPO/docs pages "
         "&& ls pages/index.html", prints("pages/index.html")),
    Step(10, "every snippet has a test",
         "grep -c README $REPO/tests/test_docs_snippets.py", prints()),
    *(
        Step(10, f"5 s do not beat the example {name}",
             f"ncc-route solve {name} --time-limit 5 --json",
             solves(5.3, least=0.1, below=0.0))
        for name in ("NCC-n0101-s1", "NCC-n0201-s1", "NCC-n0401-s1")
    ),
    Step(11, "own code that a library might replace",
         "grep -A 20 'stays by hand' $REPO/docs/dev/contributing.md "
         "| grep '^- '", prints("- Files that appear whole")),
    *(
        Step(12, f"Tab after: {line}", "_NCC_ROUTE_COMPLETE=complete_bash "
             f"COMP_WORDS='ncc-route {line}' COMP_CWORD={line.count(' ') + 1} "
             "ncc-route | tr '\\n' ' '", prints(value))
        for line, value in {
            "solve --method sw": "sweep sweep+",
            "solve --polish p": "pyvrp",
            "solve NCC-n0101-s": "NCC-n0101-s1 NCC-n0101-s2",
        }.items()
    ),
    Step(12, "--version", "ncc-route --version | tr '\\n' ' '",
         prints("ncc-route", "numba", "pyvrp", "elkai")),
)
# fmt: on
