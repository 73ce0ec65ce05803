/*
 * Forbids to read files, pipes and programs outside of src/core/io, which reads them within bounds: a
 * FIFO never ends, and a file may be larger than the memory.
 */

/** Functions of node:fs that read any file to its end, or may never return, as where a FIFO is opened. */
const UNBOUNDED = new Set(
  [
    "readFile readFileSync createReadStream ReadStream read readSync readv readvSync",
    "writeFile appendFile appendFileSync createWriteStream WriteStream open openSync",
    "mkdir mkdirSync promises default *",
  ].flatMap((names) => names.split(" ")),
);
const FILES = new Set(["node:fs", "node:fs/promises"]);
const PROGRAMS = new Set(["node:child_process", "node:readline", "node:readline/promises"]);
const WITHOUT_NODE = /^(fs|fs\/promises|child_process|readline|readline\/promises)$/;

export const boundedReads = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      files: "src/core/io/ reads files within bounds, opens files to write, and makes folders.",
      programs: "src/core/io/ runs programs and reads standard input.",
      streams: "src/core/io/ reads streams.",
      stdin: "src/core/io/ reads standard input.",
      method: "src/core/io/ reads files within bounds.",
      name: "Use the name with node:.",
    },
  },
  create(context) {
    const refuse = (node, messageId) => {
      context.report({ node, messageId });
    };
    const imported = (node) => {
      const from = node.source?.value;
      if (PROGRAMS.has(from)) refuse(node, "programs");
      if (from === "node:stream/consumers") refuse(node, "streams");
      if (WITHOUT_NODE.test(from)) refuse(node, "name");
      if (!FILES.has(from)) return;
      const names =
        node.type === "ExportAllDeclaration"
          ? ["*"]
          : node.specifiers.map(({ type, imported, local }) => {
              if (type === "ImportNamespaceSpecifier") return "*";
              if (type === "ExportSpecifier") return local.name;
              return imported?.name ?? "default";
            });
      if (names.some((name) => UNBOUNDED.has(name))) refuse(node, "files");
    };
    return {
      ImportDeclaration: imported,
      ExportNamedDeclaration: imported,
      ExportAllDeclaration: imported,
      "MemberExpression[object.name='process'][property.name='stdin']"(node) {
        refuse(node, "stdin");
      },
      "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name='stdin']"(node) {
        refuse(node, "stdin");
      },
      "CallExpression > MemberExpression[property.name=/^(readFile|readFileSync|readLines|createReadStream|readableWebStream)$/]"(
        node,
      ) {
        refuse(node, "method");
      },
    };
  },
};
