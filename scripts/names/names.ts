import ts from "typescript";

/** A source, by its path below the root. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the exported names that have several meanings, with the sources that declare them. A
 * command and its action have one name.
 */
export function sharedNames(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    if (path.startsWith("src/cli/commands/")) continue;
    for (const name of declaredExports(text)) {
      found.set(name, (found.get(name) ?? new Set()).add(path));
    }
  }
  const shared = [...found].filter(([, paths]) => paths.size > 1);
  return new Map(shared.map(([name, paths]) => [name, [...paths]]));
}

function declaredExports(text: string): readonly string[] {
  const source = ts.createSourceFile("a.tsx", text, ts.ScriptTarget.ES2022);
  return source.statements.flatMap((statement): readonly string[] => {
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [name.text] : [],
      );
    }
    const { name } = statement as ts.DeclarationStatement;
    return name && ts.isIdentifier(name) ? [name.text] : [];
  });
}
