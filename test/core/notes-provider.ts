import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DataSourceDefinition } from "../../src/core/definitions/data-source-definition";
import type { ProviderDefinition } from "../../src/core/definitions/provider-definition";
import type { ResourceDefinition } from "../../src/core/definitions/resource-definition";
import { computed, list, optional, required, string } from "../../src/core/schema/attribute";

/* A provider of notes in a folder: it proves that the engine's half needs no console. */

const note = {
  id: computed(string(), "The name.", { stable: true }),
  name: required(string(), "The name of the file.", { requiresReplace: true }),
  text: required(string(), "The content of the file."),
  password: optional(string(), "Stored next to the note.", { writeOnly: true }),
  password_version: optional(string(), "A change stores the password again."),
};

const textOf = (path: string) => readFile(path, "utf8").catch(() => undefined);

const noteResource: ResourceDefinition<typeof note, string> = {
  type: "notes_note",
  description: "A note.",
  version: 0,
  attributes: note,
  async read(state, _, { connection }) {
    const text = await textOf(join(connection, state.name));
    return { state: text === undefined ? null : { ...state, text } };
  },
  async create({ name, text, password_version }, { password }, { connection }) {
    await writeFile(join(connection, name), text);
    if (password !== null) await writeFile(join(connection, `.${name}`), password);
    return { state: { id: name, name, text, password: null, password_version } };
  },
  async update({ planned, config: { password } }, { connection }) {
    const { name, text, password_version } = planned;
    await writeFile(join(connection, name), text);
    if (password !== null) await writeFile(join(connection, `.${name}`), password);
    return { state: { id: name, name, text, password: null, password_version } };
  },
  async delete({ name }, _, { connection }) {
    await rm(join(connection, name), { force: true });
    await rm(join(connection, `.${name}`), { force: true });
    return { state: null };
  },
  import: (id) =>
    Promise.resolve({ state: { id, name: id, text: "", password: null, password_version: null } }),
};

const folder = { names: computed(list(string()), "The names of all notes, in order.") };

const folderSource: DataSourceDefinition<typeof folder, string> = {
  type: "notes_folder",
  description: "The notes.",
  attributes: folder,
  async read(_, { connection }) {
    const names = await readdir(connection);
    return { state: { names: names.filter((name) => !name.startsWith(".")).sort() } };
  },
};

export const notesProvider: ProviderDefinition<string> = {
  source: "test/notes",
  name: "notes",
  description: "Notes in a folder.",
  configuration: { folder: required(string(), "The folder.") },
  resources: [noteResource],
  dataSources: [folderSource],
  ephemeralResources: [],
  functions: [],
  actions: [],
  configure: ({ folder: connection }) =>
    Promise.resolve({
      connection: typeof connection === "string" ? connection : undefined,
      diagnostics: [],
    }),
  close: () => Promise.resolve(),
};
