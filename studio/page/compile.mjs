// Compiles the Python of an archive for the Python of a page, at build: node compile.mjs PYODIDE_FOLDER ARCHIVE
// What a page would compile on each visit takes it about a second. Kernels are compiled from their text, so Rulewright keeps it.

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [folder, archive] = process.argv.slice(2);
const { loadPyodide } = await import(join(resolve(folder), "pyodide.mjs"));
const lock = readFileSync(join(folder, "lock.json"), "utf-8");
const python = await loadPyodide({ indexURL: folder, lockFileContents: lock });
python.FS.writeFile("/archive.zip", readFileSync(archive));
python.runPython(`
import io, py_compile, shutil, zipfile
from pathlib import Path

UNCHECKED = py_compile.PycInvalidationMode.UNCHECKED_HASH
found, root = io.BytesIO(), Path("/packages")
shutil.unpack_archive("/archive.zip", root)
with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
    def add(name, content):
        packed.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    for path in sorted(root.rglob("*.*")):
        name = path.relative_to(root)
        is_own = name.parts[0] == "rulewright"
        if path.is_file() and (is_own or path.suffix != ".py"):
            add(str(name), path.read_bytes())
        if path.suffix == ".py":
            place = name.parent / "__pycache__" / f"{name.stem}.cpython-314.pyc" if is_own else name.with_suffix(".pyc")
            py_compile.compile(path, "/compiled", f"/rulewright/{name}", doraise=True, invalidation_mode=UNCHECKED)
            add(str(place), Path("/compiled").read_bytes())
`);
writeFileSync(archive, python.globals.get("found").getvalue().toJs());
