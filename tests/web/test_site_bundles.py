"""The few files that a first game without a server loads: every module once, whoever imports it by whatever name."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from test_site_size import differing

from plyground.web.bundler import exported, variable
from plyground.web.joined import STATIC
from plyground.web.site import bundles
from plyground.web.site.bundles import ALONE, BUNDLES, Scripts
from plyground.web.site.write import FIRST
from sites import shared
from wasm_core import NODE


@pytest.fixture(scope="module")
def scripts() -> Scripts:
    return Scripts(STATIC / "js")


def test_each_module_stands_behind_those_it_imports(scripts: Scripts) -> None:
    names = list(scripts.homes)
    for place, name in enumerate(names):
        assert set(scripts.imported(name)) <= set(names[:place]), name
    assert {"alone/table.js", ALONE, "home.js", "game.js", "alone/thinker.js"} <= set(names)


def test_the_worker_needs_nothing_that_only_a_page_has(scripts: Scripts) -> None:
    shared_with_a_page = set(scripts.members("shared.js"))
    for name in scripts.members("alone/worker.js") + scripts.members("shared.js"):
        assert set(scripts.imported(name)) <= shared_with_a_page | {"alone/thinker.js"}, name


def test_a_bundle_has_the_code_of_each_of_its_modules(scripts: Scripts) -> None:
    for bundle in BUNDLES:
        text = scripts.bundle(bundle)
        assert text.count(" = (() => {\n") + text.count(" = await (async () => {\n") >= len(scripts.members(bundle))
        for name in scripts.members(bundle):
            assert re.search(rf"^const {re.escape(variable(name))} = ", text, re.MULTILINE), name
            lines = [
                line for line in scripts.source(name).splitlines() if line.startswith("  ") and "import" not in line
            ]
            assert set(lines) <= set(text.splitlines()), name


def test_every_name_that_a_module_exports_is_exported_by_its_own_file_too(scripts: Scripts) -> None:
    files = scripts.all()
    for name in scripts.homes:
        assert sorted(exported(files[name])) >= sorted(exported(scripts.source(name))), name
    assert exported(files["backend.js"]) == exported(scripts.source(ALONE))


def test_with_and_without_a_server_the_backend_offers_the_same_names(scripts: Scripts) -> None:
    assert sorted(exported(scripts.source("backend.js"))) == sorted(exported(scripts.source(ALONE)))


def test_imports_of_a_module_in_a_bundle_lead_to_the_bundle(scripts: Scripts) -> None:
    files = scripts.all()
    assert 'import { $board } from "./first.js";\nconst { Board } = $board;' in files["analyse.js"]
    assert 'import { $alone_table } from "../shared.js";' in files["alone/judge.js"]
    assert 'import("./game.js").then((all) => all.$seats)' in files["first.js"]
    assert 'new URL("../../wasm/", new URL("./alone/table.js", import.meta.url).href)' in files["shared.js"]
    lists = re.findall(r"^  (\w+): (\[.*\]),$", files["main.js"], re.MULTILINE)
    found = {name: json.loads(listed) for name, listed in lists if name != "new"}
    assert found["game"] == ["./game.js"]
    assert found["analyse"][0] == "./analyse.js"
    assert all(max(Counter(listed).values()) == 1 for listed in found.values())


@pytest.mark.parametrize(
    "odd", ['export * from "./a.js";', "export default 1;", 'import "./a.js";', "export let a = 1;"]
)
def test_a_form_that_a_bundle_cannot_have_is_refused(tmp_path: Path, odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.js").write_text(f"{odd}\n")
    monkeypatch.setattr(bundles, "BUNDLES", {"shared.js": ("a.js",)})
    with pytest.raises(ValueError, match=r"a\.js cannot be part of a bundle: it has "):
        Scripts(tmp_path)


def test_modules_in_a_bundle_work_as_they_do_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if NODE is None:
        pytest.skip("node is missing: install the package nodejs")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.js").write_text(
        "export const one = 1;\nclass A {}\nexport { A };\nexport const here = import.meta.url;\n"
        'export const late = () => import("../c.js");\n'
    )
    (tmp_path / "b.js").write_text(
        'import { one as first, A } from "./deep/a.js";\nimport * as all from "./deep/a.js";\n'
        "export const waited = await Promise.resolve(2);\n"
        "export function sum() {\n  return first + waited + Number(all.A === A);\n}\n"
    )
    (tmp_path / "c.js").write_text(
        'import { one } from "./deep/a.js";\nimport { sum } from "./b.js";\n'
        'export const total = sum() + one;\nexport const [again] = [await import("./b.js")];\n'
    )
    monkeypatch.setattr(bundles, "BUNDLES", {"shared.js": ("deep/a.js",), "b.js": ("b.js",)})
    monkeypatch.setattr(bundles, "ALONE", "b.js")
    ask = (
        'const c = await import("./c.js"); const a = await import("./deep/a.js"); const b = await import("./b.js");'
        "console.log(JSON.stringify([c.total, a.here.endsWith('deep/a.js'), b.sum(), c.again.sum === b.sum,"
        " (await a.late()).total, a.A === (await import('./deep/a.js')).A]))"
    )

    def said() -> object:
        done = subprocess.run(
            [str(NODE), "--input-type=module", "-e", ask], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    apart = said()
    for name, text in Scripts(tmp_path).all().items():
        (tmp_path / name).write_text(text)
    assert said() == apart == [5, True, 4, True, 5, True]


def test_the_folder_has_bundles_that_a_parser_reads(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = shared(tmp_path_factory) / "js"
    files = {path.name: path.read_text(encoding="utf-8") for path in folder.rglob("*.js")}
    assert differing({name: (text, text) for name, text in files.items()}) == []
    page = (folder.parent / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'(?:src|href)="(js/[\w/.]+)"', page) == [
        "js/alone/ahead.js",
        "js/texts/en.js",
        *FIRST,
        "js/main.js",
    ]
