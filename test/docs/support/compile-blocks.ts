import { join } from "node:path";
import ts from "typescript";
import { ROOT, type Block } from "./pages";

/** Blocks are compiled in the folder of a new project, so that `./stack` is its stack. */
const FOLDER = join(ROOT, "templates/typescript");

/** Modules whose names a block without imports can use. The first one that has a name counts. */
const MODULES = ["cdktf-console", "cdktf-console/testing", "cdktf"];

export interface Compiled {
  /** Type errors of all blocks, with the lines of their pages. */
  readonly errors: readonly string[];
  /** Each block as the text of a module that exports its statements as the function `block`. */
  readonly modules: ReadonlyMap<Block, string>;
}

export function compileBlocks(blocks: readonly Block[]): Compiled {
  const { compilerOptions } = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) =>
    ts.sys.readFile(path),
  ).config as { compilerOptions: object };
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, ROOT);
  const paths = blocks.map((_, index) => join(FOLDER, `block-${index}.ts`));

  const sources = new Map<string, string>();
  const host = inMemory(sources, options);
  const names = join(FOLDER, "names.ts");
  sources.set(names, MODULES.map((module) => `import "${module}";`).join("\n"));
  const first = ts.createProgram([names], options, host);
  const origins = exportsOf(first, names);

  const modules = new Map(blocks.map((block) => [block, moduleOf(block.text, origins)]));
  for (const [index, text] of [...modules.values()].entries())
    sources.set(paths[index] ?? "", text);
  const program = ts.createProgram(paths, options, host, first);
  const errors = blocks.flatMap((block, index) => {
    const file = program.getSourceFile(paths[index] ?? "");
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ];
    return found.map(({ messageText, start = 0 }) => {
      const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
      const message = ts.flattenDiagnosticMessageText(messageText, " ");
      return `${block.page}:${block.line + 1 + line}: ${message}`;
    });
  });
  return { errors, modules };
}

/** The files of the disk, and those of `sources`. */
function inMemory(sources: ReadonlyMap<string, string>, options: ts.CompilerOptions) {
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    getCurrentDirectory: () => ROOT,
    fileExists: (path) => sources.has(path) || disk.fileExists(path),
    readFile: (path) => sources.get(path) ?? disk.readFile(path),
    getSourceFile: (path, version, ...others) => {
      const text = sources.get(path);
      return text === undefined
        ? disk.getSourceFile(path, version, ...others)
        : ts.createSourceFile(path, text, version);
    },
  };
  return host;
}

/** The module that each name comes from. */
function exportsOf(program: ts.Program, path: string): ReadonlyMap<string, string> {
  const checker = program.getTypeChecker();
  const imports = program.getSourceFile(path)?.statements.filter(ts.isImportDeclaration) ?? [];
  const origins = new Map<string, string>();
  for (const [index, { moduleSpecifier }] of imports.entries()) {
    const symbol = checker.getSymbolAtLocation(moduleSpecifier);
    for (const { name } of symbol ? checker.getExportsOfModule(symbol) : []) {
      if (!origins.has(name)) origins.set(name, MODULES[index] ?? "");
    }
  }
  return origins;
}

/**
 * Returns a block as a module with the same lines. Statements behind the imports become the body of
 * a function with `app` and `stack`, which examples use without creating them. A block without
 * imports gets those of the names that it uses.
 */
function moduleOf(text: string, origins: ReadonlyMap<string, string>): string {
  const { statements } = ts.createSourceFile("block.ts", text, ts.ScriptTarget.Latest);
  const imports = statements.filter(ts.isImportDeclaration);
  const end = imports.at(-1)?.end ?? 0;
  const used = imports.length > 0 ? [] : [...new Set(text.match(/\b[A-Z]\w*|\b[a-z]\w+/g))];
  const added = used.flatMap((name) => {
    const module = origins.get(name);
    const isDeclared = new RegExp(`\\b(?:const|let|class|function) ${name}\\b`).test(text);
    return module === undefined || isDeclared ? [] : [`import { ${name} } from "${module}"; `];
  });
  const context = 'app: import("cdktf").App, stack: import("cdktf").TerraformStack';
  return `${added.join("")}${text.slice(0, end)} export async function block(${context}) { { ${text.slice(end)}\n} }`;
}
