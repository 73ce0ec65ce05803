/** A mutant that `npm run prove` has to find. */
export interface Recorded {
  readonly file: string;
  /** It is in the file once. */
  readonly text: string;
  readonly replacement: string;
}

/** Mutants of functions that many rooms use, whose suites take a few seconds. */
export const RECORDED: readonly Recorded[] = [
  {
    file: "src/core/member-of.ts",
    text: "object && Object.hasOwn(object, name)",
    replacement: "object || Object.hasOwn(object ?? {}, name)",
  },
  {
    file: "src/core/alike.ts",
    text: "return first && isAlike(first, value) ? first : value;",
    replacement: "return first ?? value;",
  },
  {
    file: "src/core/suggest.ts",
    text: "return best?.candidate;",
    replacement: "return undefined;",
  },
  {
    file: "src/core/redact.ts",
    text: "if (found.length === 0) return text;",
    replacement: "if (found.length !== 0) return text;",
  },
  {
    file: "src/core/types.ts",
    text: "a.elements.length === b.elements.length &&",
    replacement: "a.elements.length <= b.elements.length &&",
  },
  {
    file: "src/core/values.ts",
    text: "if (String(number) === digits) return number;",
    replacement: "if (String(number) !== digits) return number;",
  },
  {
    file: "src/core/marks.ts",
    text: "return sensitive || ephemeral || hidden;",
    replacement: "return sensitive || (ephemeral && hidden);",
  },
  {
    file: "src/core/type-json.ts",
    text: "if (!Array.isArray(json) || json.length < 2) return undefined;",
    replacement: "if (!Array.isArray(json) && json.length < 2) return undefined;",
  },
  {
    file: "src/core/suggest.ts",
    text: "const isSame = a[row - 1] === b[column - 1];",
    replacement: "const isSame = a[row - 1] !== b[column - 1];",
  },
  {
    file: "src/core/type-json.ts",
    text: 'if (json === "dynamic") return ANY;',
    replacement: 'if (json !== "dynamic") return ANY;',
  },
];
