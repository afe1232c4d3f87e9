// Compiles the Python of a page at build, by the Python of the page: node compile.mjs PYODIDE_FOLDER PACKAGES.zip PACKED
// What a page would compile on each visit takes it seconds. The standard library stays an archive, from which Python imports; the
// packages become one file that worker.js unpacks. Kernels are compiled from their text, so Rulewright keeps it.

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [folder, packages, packed] = process.argv.slice(2);
const library = join(folder, "python_stdlib.zip");
const { loadPyodide } = await import(join(resolve(folder), "pyodide.mjs"));
const lock = readFileSync(join(folder, "lock.json"), "utf-8");
const python = await loadPyodide({ indexURL: folder, lockFileContents: lock });
python.FS.writeFile("/library.zip", readFileSync(library));
python.FS.writeFile("/packages.zip", readFileSync(packages));
python.runPython(`
import gzip, io, json, py_compile, zipfile
from pathlib import Path, PurePath

UNCHECKED = py_compile.PycInvalidationMode.UNCHECKED_HASH

def compiled(content, shown, optimize):
    Path("/text").write_bytes(content)
    py_compile.compile("/text", "/compiled", shown, doraise=True, optimize=optimize, invalidation_mode=UNCHECKED)
    return Path("/compiled").read_bytes()

def files_of(archive, root, optimize=-1):
    with zipfile.ZipFile(archive) as read:
        for name in sorted(name for name in read.namelist() if not name.endswith("/")):
            path, content = PurePath(name), read.read(name)
            keeps_text = path.parts[0] == "rulewright"
            if path.suffix != ".py" or keeps_text:
                yield name, content
            if path.suffix == ".py":
                place = path.parent / "__pycache__" / f"{path.stem}.cpython-314.pyc" if keeps_text else path.with_suffix(".pyc")
                yield str(place), compiled(content, f"{root}/{name}", optimize)

library = io.BytesIO()
with zipfile.ZipFile(library, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as written:
    for name, content in files_of("/library.zip", "/lib", 2):  # without its docstrings
        written.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)

files = dict(files_of("/packages.zip", "/rulewright"))
index = json.dumps([[name, len(content)] for name, content in files.items()])
packed = gzip.compress(b"".join([index.encode(), b"\\n", *files.values()]), mtime=0)
`);
writeFileSync(library, python.globals.get("library").getvalue().toJs());
writeFileSync(packed, python.globals.get("packed").toJs());
