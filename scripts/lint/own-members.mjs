import { join, relative, resolve, sep } from "node:path";
import { getTokenPosOfNode, SyntaxKind } from "typescript-7/unstable/ast";
import { API, TypeFlags } from "typescript-7/unstable/sync";

/*
 * Forbids `object[name]` and `name in object` in src where the name may be any string: names such as
 * `constructor` and `__proto__` are members of every object. A read is allowed after a check with
 * `Object.hasOwn`. Lists, and names of a union of literals, are not concerned.
 *
 * A program, because oxlint gives its plugins no types. `node own-members.mjs [FOLDER]` checks the
 * project in FOLDER.
 */

const ACCESS = "Use memberOf or setMember of src/core/member-of.ts, or a Map.";
const IN = "Use Object.hasOwn, or a Map.";

function isAnyString(type, checker) {
  if (type.isUnionType() || type.isIntersectionType()) {
    const parts = type.getTypes();
    // `keyof T & string`
    if (type.isIntersectionType() && parts.some(({ flags }) => flags & TypeFlags.Index))
      return false;
    return parts.some((part) => isAnyString(part, checker));
  }
  if (type.flags & TypeFlags.String) return true;
  const constraint =
    type.flags & TypeFlags.TypeParameter ? checker.getBaseConstraintOfType(type) : undefined;
  return constraint !== undefined && constraint.id !== type.id && isAnyString(constraint, checker);
}

/** `Object.hasOwn(object, name) ? object[name] : …` */
function isChecked(node, source) {
  const { parent, expression, argumentExpression } = node;
  if (parent.kind !== SyntaxKind.ConditionalExpression || parent.whenTrue !== node) return false;
  const textOf = (part) => source.text.slice(getTokenPosOfNode(part, source), part.end);
  const check = `Object.hasOwn(${textOf(expression)}, ${textOf(argumentExpression)})`;
  return textOf(parent.condition).split(" && ").includes(check);
}

/** The names by which a file reads members of objects, with what to do where one may be any string. */
function namesIn(source) {
  const names = [];
  const visit = (node) => {
    if (node.kind === SyntaxKind.ElementAccessExpression && !isChecked(node, source)) {
      names.push({ node, name: node.argumentExpression, advice: ACCESS });
    }
    if (
      node.kind === SyntaxKind.BinaryExpression &&
      node.operatorToken.kind === SyntaxKind.InKeyword &&
      node.left.kind !== SyntaxKind.PrivateIdentifier
    ) {
      names.push({ node, name: node.left, advice: IN });
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return names;
}

/** The problems of the sources of a project, one a line. */
function problemsOf(folder) {
  const sources = join(folder, "src") + sep;
  const exempted = join(sources, "core", "member-of.ts");
  const api = new API({ cwd: folder });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(folder, "tsconfig.json")] });
    const [{ program, checker }] = snapshot.getProjects();
    const files = program.getSourceFileNames().filter((file) => resolve(file).startsWith(sources));
    if (files.length === 0) throw new Error(`No sources in ${sources}`);
    return files
      .filter((file) => resolve(file) !== exempted)
      .flatMap((file) => {
        const source = program.getSourceFile(file);
        const names = namesIn(source);
        if (names.length === 0) return [];
        const types = checker.getTypeAtLocation(names.map(({ name }) => name));
        return names.flatMap(({ node, advice }, at) => {
          if (!isAnyString(types[at], checker)) return [];
          const line = source.text.slice(0, getTokenPosOfNode(node, source)).split("\n").length;
          return [`${relative(folder, file)}:${line}: local(own-members): ${advice}`];
        });
      });
  } finally {
    api.close();
  }
}

const problems = problemsOf(resolve(process.argv[2] ?? "."));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
