// Files of the browser's storage, which other workers write, too: `store` brings there what was changed here since `load`, and
// nothing else.
export function kept(FS, root, sync) {
  let before = new Map();
  const alone = (act) => navigator.locks.request(`rulewright ${root}`, act);
  const load = async () => {
    await alone(() => sync(true));
    before = timesBelow(FS, root);
  };
  const store = () => alone(async () => {
    const now = timesBelow(FS, root);
    const written = [...now].filter(([name, time]) => before.get(name) !== time).map(([name]) => [name, FS.readFile(name)]);
    const removed = [...before.keys()].filter((name) => !now.has(name));
    if (!written.length && !removed.length) return;
    await sync(true);
    for (const name of removed) if (FS.analyzePath(name).exists) FS.unlink(name);
    for (const [name, content] of written) write(FS, name, content);
    await sync(false);
    before = timesBelow(FS, root);
  });
  return { load, store };
}

// When each file below a folder was written.
function timesBelow(FS, folder, found = new Map()) {
  for (const name of FS.readdir(folder).filter((name) => name !== "." && name !== "..")) {
    const { mode, mtime } = FS.stat(`${folder}/${name}`);
    if (FS.isDir(mode)) timesBelow(FS, `${folder}/${name}`, found);
    else found.set(`${folder}/${name}`, mtime.getTime());
  }
  return found;
}

export function write(FS, name, content) {
  const folder = name.slice(0, name.lastIndexOf("/"));
  if (!FS.analyzePath(folder).exists) FS.mkdirTree(folder);
  FS.writeFile(name, content);
}
