// The files of the folder: as they are on disk, as they are in the editor, and how they were before the newest edit.

const KEPT = "rulewright draft ";

// The text that an edit of a file is compared with.
export const baseline = (file) => file.linked ?? file.saved;

export class Files {
  constructor(channel, folder) {
    this.channel = channel;
    this.folder = folder;
    this.opened = new Map(); // name → {text, saved, version, writable, theirs, linked, clean}
    this.names = [];
    this.lastEdit = null; // {name, before}: what was saved last, and the text before it
    this.listeners = [];
  }

  changed(name, why) {
    for (const listener of this.listeners) listener(name, why);
  }

  get(name) {
    return this.opened.get(name);
  }

  isDirty(name) {
    const file = this.opened.get(name);
    return Boolean(file) && file.text !== file.saved;
  }

  async open(name) {
    if (this.opened.has(name)) return this.opened.get(name);
    const read = await this.channel.ask({ do: "read", name });
    const file = { text: read.text, saved: read.text, version: read.version, writable: read.writable, theirs: null };
    const draft = this.draft(name);
    if (draft && file.writable && draft.text !== read.text) {
      file.text = draft.text;
      file.restored = true;
      if (draft.version !== read.version) file.theirs = read;
    }
    this.opened.set(name, file);
    return file;
  }

  // The language server has looked at a text of a file. What an edit does is told from the last saved text without errors (`linked`);
  // where the file never had one, from the first that is typed.
  checked(name, text, isClean) {
    const file = this.opened.get(name);
    if (!file) return;
    if (isClean) file.clean = text;
    else if (text === file.saved && file.linked === undefined) file.isBroken = true;
    if (isClean && (text === file.saved || (file.isBroken && file.linked === undefined))) file.linked = text;
  }

  // What was typed and not saved outlives the page.
  draft(name) {
    try {
      return JSON.parse(localStorage.getItem(KEPT + this.folder + " " + name));
    } catch {
      return null;
    }
  }

  keep(name) {
    const file = this.opened.get(name);
    try {
      if (this.isDirty(name)) localStorage.setItem(KEPT + this.folder + " " + name, JSON.stringify({ text: file.text, version: file.version }));
      else localStorage.removeItem(KEPT + this.folder + " " + name);
    } catch {
      // Without room in the browser, the text is in the page only.
    }
  }

  // New files are there.
  add(...names) {
    this.names = [...new Set([...this.names, ...names])].sort();
  }

  drafts() {
    const start = KEPT + this.folder + " ";
    return Object.keys(localStorage).filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
  }

  type(name, text) {
    const file = this.opened.get(name);
    if (!file || file.text === text) return;
    file.text = text;
    this.keep(name);
    this.changed(name, "typed");
  }

  async save(name) {
    const file = this.opened.get(name);
    const { text, saved } = file;
    try {
      file.saving = this.channel.ask({ do: "write", name, text, version: file.version });
      const written = await file.saving;
      const fresh = file.version === "";
      if (!fresh && saved !== text) this.lastEdit = { name, before: baseline(file) };
      Object.assign(file, { saved: text, version: written.version, theirs: null, restored: false });
      if (!file.isBroken) file.linked ??= saved;
      if (file.clean === text) file.linked = text;
      this.add(name);
      this.keep(name);
      this.changed(name, "saved");
    } catch (error) {
      if (error.refused?.conflict) {
        file.theirs = error.refused.theirs || { text: null, version: "" };
        this.changed(name, "conflict");
      }
      throw error;
    }
  }

  // Another program, or another page, has changed some files on disk.
  async onDisk(changed, names) {
    this.names = names;
    for (const name of changed.filter((one) => this.opened.has(one))) {
      const file = this.opened.get(name);
      let read = { text: null, version: "" };
      try {
        read = await this.channel.ask({ do: "read", name });
      } catch (error) {
        if (error.refused?.lost) return;
      }
      await file.saving?.catch(() => {});
      if (read.version === file.version || read.version === file.theirs?.version) continue;
      if (read.text === file.text) {
        Object.assign(file, { saved: read.text, version: read.version, theirs: null });
        this.keep(name);
        this.changed(name, "saved");
        continue;
      }
      if (this.isDirty(name) || read.text === null) {
        file.theirs = read;
        this.changed(name, "conflict");
      } else {
        Object.assign(file, { text: read.text, saved: read.text, version: read.version });
        this.changed(name, "reloaded");
      }
    }
    this.changed(null, "listed");
  }

  takeTheirs(name) {
    const file = this.opened.get(name);
    const { theirs } = file;
    file.theirs = null;
    if (theirs.text === null) {
      this.opened.delete(name);
      localStorage.removeItem(KEPT + this.folder + " " + name);
      this.changed(name, "gone");
      return;
    }
    Object.assign(file, { text: theirs.text, saved: theirs.text, version: theirs.version });
    this.keep(name);
    this.changed(name, "reloaded");
  }

  // What is typed goes over what is on disk, the next time it is saved.
  keepMine(name) {
    const file = this.opened.get(name);
    Object.assign(file, { saved: file.theirs.text ?? "", version: file.theirs.version, theirs: null });
    this.keep(name);
    this.changed(name, "kept");
  }

  // The texts that are not on disk.
  typed() {
    return Object.fromEntries([...this.opened].filter(([name]) => this.isDirty(name)).map(([name, file]) => [name, file.text]));
  }

  // The texts before the newest edit: those on disk, or where all is saved, the one before the last saved; all as they last linked.
  before() {
    const typed = Object.keys(this.typed()).filter((name) => this.opened.get(name).version !== "");
    if (typed.length) return Object.fromEntries(typed.map((name) => [name, baseline(this.opened.get(name))]));
    return this.lastEdit ? { [this.lastEdit.name]: this.lastEdit.before } : null;
  }
}
