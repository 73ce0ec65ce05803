import { nameOf, type Template } from "./template";

/** What surrounds text that may be a URL. */
export type Context =
  /** It is given to an HTTP client, or to something that is called like one. */
  | "request"
  /** It is a value. */
  | "plain"
  /** It is given to something unknown: only its address tells what it is. */
  | "passed"
  /** It is an entry of an object, which may be anything's path. */
  | "member"
  /** It is printed, names a file, belongs to a body or declares a route: no call is made with it. */
  | "inert";

/** Where the method of a call is read from. */
export interface MethodEvidence {
  /** As written; a variable's name where one is given instead. */
  readonly text?: string;
  readonly variable?: string;
}

/** Text that may be a URL, at the place where it is used. */
export interface Use {
  readonly template: Template;
  /** In the file. */
  readonly offset: number;
  /** Of the statement around it. */
  readonly start: number;
  readonly end: number;
  readonly context: Context;
  /** Undefined where nothing says; the call is a GET then. */
  readonly method?: MethodEvidence | undefined;
  /** The variable that is given the text; the call is made where it is used then. */
  readonly assigned?: string;
  /** The function that is given the text, which may turn out to send requests. */
  readonly callee?: string;
}

/** A variable with what it may hold from here on. */
export interface Constant {
  readonly name: string;
  readonly offset: number;
  readonly values: readonly Template[];
  /**
   * An entry of an object is no variable of that name; a function's parameter hides the variables
   * around the function.
   */
  readonly kind: "variable" | "member" | "parameter";
  /** The function whose parameter it is. */
  readonly of?: string;
}

const DEEPEST = 5;

/** What reading a file gathers. */
export class Gathered {
  readonly uses: Use[] = [];
  readonly constants: Constant[] = [];
  readonly comments: { readonly start: number; readonly end: number }[] = [];
  #depth = 0;

  /** Reads commands and code within others, as deep as anybody writes them. */
  nested(read: () => void): void {
    if (this.#depth >= DEEPEST) return;
    this.#depth++;
    read();
    this.#depth--;
  }

  constant(
    name: string,
    offset: number,
    values: readonly Template[],
    kind: Constant["kind"] = "variable",
    of?: string,
  ): void {
    const short = nameOf(name);
    if (short !== undefined && values.length > 0) {
      this.constants.push({ name: short, offset, values, kind, ...(of !== undefined && { of }) });
    }
  }

  comment(start: number, end: number): void {
    this.comments.push({ start, end });
  }
}

const METHODS = /^(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)$/;

/** In upper case; undefined for any other text. */
export function methodNamed(text: string, upperCaseOnly = false): string | undefined {
  const name = upperCaseOnly ? text : text.toUpperCase();
  return METHODS.test(name) ? name : undefined;
}
