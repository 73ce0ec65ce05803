/** Values of JSON, which are those of Rego. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An expression, whose value can be undefined. */
export type Term =
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "list"; readonly terms: readonly Term[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [Term, Term])[] }
  | { readonly kind: "collect"; readonly head: Term; readonly body: readonly Step[] }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "member"; readonly of: Term; readonly key: Term }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Term[] }
  | {
      readonly kind: "compare";
      readonly operator: string;
      readonly left: Term;
      readonly right: Term;
    };
/** A line of a rule's body. */
export type Step =
  | { readonly kind: "some"; readonly names: readonly string[]; readonly of: Term }
  | { readonly kind: "not" | "holds"; readonly term: Term }
  | { readonly kind: "assign"; readonly name: string; readonly term: Term };
export interface Rule {
  readonly name: string;
  readonly parameters?: readonly string[];
  readonly contains?: Term;
  readonly value: Term;
  readonly body: readonly Step[];
}

const TRUE: Term = { kind: "literal", value: true };
const COMPARISONS = ["==", "!=", "<", ">", "in"];

/** Reads the part of Rego that `rego.ts` knows. */
export class Parser {
  private readonly tokens: readonly string[];
  private at = 0;

  constructor(text: string) {
    const code = text.replace(/^\s*#.*$/gm, "");
    this.tokens = code.match(/"(?:[^"\\]|\\.)*"|:=|==|!=|\d+|\w+|[^\s\w]/g) ?? [];
  }

  rules(): readonly Rule[] {
    this.expect("package");
    this.term();
    this.expect("import");
    this.term();
    const rules: Rule[] = [];
    while (this.at < this.tokens.length) rules.push(this.rule());
    return rules;
  }

  private rule(): Rule {
    const name = this.next();
    const parameters = this.take("(") ? this.several(")", () => this.next()) : undefined;
    const head = { name, ...(parameters && { parameters }) };
    if (this.take(":=")) return { ...head, value: this.comparison(), body: [] };
    const contains = this.take("contains") ? this.comparison() : undefined;
    this.expect("if");
    const body = this.take("{") ? this.steps("}") : [this.step()];
    return { ...head, ...(contains && { contains }), value: TRUE, body };
  }

  private steps(end: string): readonly Step[] {
    const steps: Step[] = [];
    while (!this.take(end)) steps.push(this.step());
    return steps;
  }

  private step(): Step {
    if (this.take("some")) {
      const names = [this.next()];
      while (this.take(",")) names.push(this.next());
      this.expect("in");
      return { kind: "some", names, of: this.term() };
    }
    if (this.take("not")) return { kind: "not", term: this.comparison() };
    if (this.tokens[this.at + 1] === ":=") {
      const name = this.next();
      this.expect(":=");
      return { kind: "assign", name, term: this.comparison() };
    }
    return { kind: "holds", term: this.comparison() };
  }

  private comparison(): Term {
    const left = this.term();
    const operator = this.tokens[this.at] ?? "";
    if (!COMPARISONS.includes(operator)) return left;
    this.at += 1;
    return { kind: "compare", operator, left, right: this.term() };
  }

  private term(): Term {
    let term = this.primary();
    let name = term.kind === "name" ? term.name : "";
    for (;;) {
      if (this.take(".")) {
        const key = this.next();
        name += `.${key}`;
        term = { kind: "member", of: term, key: { kind: "literal", value: key } };
      } else if (this.take("[")) {
        term = { kind: "member", of: term, key: this.comparison() };
        this.expect("]");
      } else if (this.take("(")) {
        term = { kind: "call", name, args: this.several(")", () => this.comparison()) };
      } else return term;
    }
  }

  private primary(): Term {
    if (this.take("[")) {
      if (this.take("]")) return { kind: "list", terms: [] };
      const head = this.comparison();
      if (this.take("|")) return { kind: "collect", head, body: this.steps("]") };
      const others = this.take(",") ? this.several("]", () => this.comparison()) : this.end("]");
      return { kind: "list", terms: [head, ...others] };
    }
    if (this.take("{")) {
      const members = this.several("}", () => {
        const key = this.comparison();
        this.expect(":");
        return [key, this.comparison()] as const;
      });
      return { kind: "object", members };
    }
    const token = this.next();
    if (/^["\d]|^(true|false|null)$/.test(token)) {
      return { kind: "literal", value: JSON.parse(token) as Json };
    }
    if (!/^\w+$/.test(token)) throw new Error(`no Rego that is known here: ${token}`);
    return { kind: "name", name: token };
  }

  private several<T>(end: string, read: () => T): readonly T[] {
    const found: T[] = [];
    while (!this.take(end)) {
      found.push(read());
      if (!this.take(",")) return [...found, ...this.end(end)];
    }
    return found;
  }

  private end(token: string): readonly never[] {
    this.expect(token);
    return [];
  }

  private next(): string {
    const token = this.tokens[this.at];
    if (token === undefined) throw new Error("the policy ends too early");
    this.at += 1;
    return token;
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at += 1;
    return true;
  }

  private expect(token: string): void {
    const found = this.next();
    if (found !== token) throw new Error(`${token} is missing before ${found}`);
  }
}
