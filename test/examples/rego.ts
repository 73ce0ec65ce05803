import { Parser, type Json, type Rule, type Step, type Term } from "./rego-parser";

type Result = Json | undefined;

/**
 * Evaluates the set `name` of a policy, sorted.
 *
 * Supports the part of Rego (v1) that our example policy uses, because no program that runs policies
 * is available in the tests. Anything else is an error. Undefined means undefined in Rego.
 */
export function evaluateSet(files: readonly string[], name: string, input: Json): readonly Json[] {
  const rules = files.flatMap((file) => new Parser(file).rules());
  return new Evaluation(rules, input).set(name);
}

type Bindings = ReadonlyMap<string, Json>;

class Evaluation {
  constructor(
    private readonly rules: readonly Rule[],
    private readonly input: Json,
  ) {}

  set(name: string): readonly Json[] {
    const found = new Map<string, Json>();
    for (const { contains, body } of this.rules.filter((rule) => rule.name === name)) {
      if (!contains) throw new Error(`${name} is not a set`);
      for (const bindings of this.solve(body, 0, new Map())) {
        const value = this.value(contains, bindings);
        if (value !== undefined) found.set(JSON.stringify(value), value);
      }
    }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
  }

  private *solve(body: readonly Step[], index: number, bindings: Bindings): Generator<Bindings> {
    const step = body[index];
    if (!step) {
      yield bindings;
      return;
    }
    const go = (more: Bindings) => this.solve(body, index + 1, more);
    if (step.kind === "some") {
      const [key, value] = step.names.length === 1 ? [undefined, step.names[0]] : step.names;
      const of = this.value(step.of, bindings);
      if (typeof of !== "object" || of === null) return;
      for (const [at, element] of Object.entries<Json>(of)) {
        const more = new Map(bindings).set(value ?? "", element);
        yield* go(key === undefined ? more : more.set(key, Array.isArray(of) ? Number(at) : at));
      }
      return;
    }
    const value = this.value(step.term, bindings);
    if (step.kind === "not") {
      if (value === undefined || value === false) yield* go(bindings);
    } else if (step.kind === "assign") {
      if (value !== undefined) yield* go(new Map(bindings).set(step.name, value));
    } else if (value !== undefined && value !== false) yield* go(bindings);
  }

  private value(term: Term, bindings: Bindings): Result {
    switch (term.kind) {
      case "literal":
        return term.value;
      case "list":
        return this.all(term.terms, bindings);
      case "object": {
        const keys = this.all(
          term.members.map(([key]) => key),
          bindings,
        );
        const values = this.all(
          term.members.map(([, value]) => value),
          bindings,
        );
        return (
          keys &&
          values &&
          Object.fromEntries(keys.map((key, at) => [textOf(key), values[at] ?? null]))
        );
      }
      case "collect":
        return [...this.solve(term.body, 0, bindings)].flatMap((found) => {
          const value = this.value(term.head, found);
          return value === undefined ? [] : [value];
        });
      case "name":
        return this.named(term.name, bindings);
      case "member": {
        const [of, key] = [this.value(term.of, bindings), this.value(term.key, bindings)];
        if (typeof of !== "object" || of === null || key === undefined) return undefined;
        return new Map(Object.entries<Json>(of)).get(textOf(key));
      }
      case "call": {
        const args = this.all(term.args, bindings);
        return args && this.call(term.name, args);
      }
      case "compare": {
        const sides = this.all([term.left, term.right], bindings);
        return sides && compare(term.operator, sides[0] ?? null, sides[1] ?? null);
      }
    }
  }

  private all(terms: readonly Term[], bindings: Bindings): readonly Json[] | undefined {
    const values = terms.flatMap((term) => {
      const value = this.value(term, bindings);
      return value === undefined ? [] : [value];
    });
    return values.length === terms.length ? values : undefined;
  }

  private named(name: string, bindings: Bindings): Result {
    if (bindings.has(name)) return bindings.get(name);
    if (name === "input") return this.input;
    const rule = this.rules.find((one) => one.name === name);
    if (!rule) throw new Error(`${name} is nothing`);
    return rule.contains ? this.set(name) : this.value(rule.value, new Map());
  }

  private call(name: string, args: readonly Json[]): Result {
    const builtIn = BUILT_IN[name];
    if (builtIn) return builtIn(...args);
    const rules = this.rules.filter((one) => one.name === name && one.parameters);
    if (rules.length === 0) throw new Error(`${name} is no function`);
    for (const { parameters = [], value, body } of rules) {
      const bindings = new Map(parameters.map((parameter, at) => [parameter, args[at] ?? null]));
      for (const found of this.solve(body, 0, bindings)) return this.value(value, found);
    }
    return undefined;
  }
}

/** Rego sorts values of different types: null, booleans, numbers, texts, lists. */
function rank(value: Json): number {
  return value === null ? 0 : ["boolean", "number", "string", "object"].indexOf(typeof value) + 1;
}

function compare(operator: string, left: Json, right: Json): boolean {
  const isLess = (a: Json, b: Json) =>
    rank(a) === rank(b) ? Number(a) < Number(b) : rank(a) < rank(b);
  const equals = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b);
  switch (operator) {
    case "==":
      return equals(left, right);
    case "!=":
      return !equals(left, right);
    case "<":
      return isLess(left, right);
    case ">":
      return isLess(right, left);
    default:
      return Array.isArray(right) && right.some((element) => equals(left, element as Json));
  }
}

const BUILT_IN: Readonly<Record<string, (...args: Json[]) => Result>> = {
  is_array: (value) => Array.isArray(value),
  "object.keys": (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.keys(value)
      : undefined,
  "object.get": (object, path, fallback) => {
    const found = (Array.isArray(path) ? (path as readonly Json[]) : []).reduce<Result>(
      (at, key) =>
        typeof at === "object" && at !== null
          ? new Map(Object.entries<Json>(at)).get(textOf(key))
          : undefined,
      object,
    );
    return found === undefined ? fallback : found;
  },
  endswith: (text, end) => textual(text, end, (a, b) => a.endsWith(b)),
  startswith: (text, start) => textual(text, start, (a, b) => a.startsWith(b)),
  trim_suffix: (text, end) =>
    textual(text, end, (a, b) => (a.endsWith(b) ? a.slice(0, a.length - b.length) : a)),
  sprintf: (format, values) => {
    const rest = Array.isArray(values) ? [...(values as readonly Json[])] : [];
    return textOf(format).replace(/%[svq]/g, (verb) => {
      const value = rest.shift() ?? null;
      return verb === "%q" || typeof value !== "string" ? JSON.stringify(value) : value;
    });
  },
};

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function textual(
  a: Json | undefined,
  b: Json | undefined,
  apply: (a: string, b: string) => Json,
): Result {
  return typeof a === "string" && typeof b === "string" ? apply(a, b) : undefined;
}
