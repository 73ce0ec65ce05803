import type { Functions } from "../../core/operations/function-operations";
import { mark } from "../../core/marks";
import { UNKNOWN, type Evaluated } from "../../core/values";
import {
  formatSubject,
  type EvaluationScope,
  type StackConfig,
  type Subject,
} from "../../language";
import { selectProvider, type Providers } from "./providers";

/**
 * The values of one stack, set while its graph is walked. Declared values that were not set yet, or
 * failed, are unknown.
 */
export class StackValues implements EvaluationScope {
  readonly path;
  readonly workspace: string;
  /** Set while the stack is validated. */
  problemOf?: EvaluationScope["problemOf"];
  private isApplying = false;
  /** By address: `data.cwp_containers.all`. */
  private readonly objects = new Map<string, Evaluated>();
  private readonly locals = new Map<string, Evaluated>();

  constructor(
    private readonly config: StackConfig,
    private readonly variables: ReadonlyMap<string, Evaluated>,
    private readonly providers: Providers,
    readonly plannedAt?: Date,
  ) {
    this.workspace = config.workspace;
    this.path = { module: ".", root: ".", cwd: config.directory };
  }

  get applying(): boolean {
    return this.isApplying;
  }

  /** From now on, functions such as `timestamp()` have a value. */
  startApply(): void {
    this.isApplying = true;
  }

  /** Sets the value of a block: a resource, a data source or an ephemeral resource. */
  set(address: string, value: Evaluated): void {
    this.objects.set(address, value);
  }

  setLocal(name: string, value: Evaluated): void {
    this.locals.set(name, value);
  }

  resource(mode: "managed" | "data", type: string, name: string): Evaluated | undefined {
    const address = formatSubject({ kind: "resource", mode, type, name });
    const declared = mode === "data" ? this.config.dataSources : this.config.resources;
    return this.objects.get(address) ?? (declared.has(address) ? UNKNOWN : undefined);
  }

  /** Returns an ephemeral resource; unknown values are ephemeral as well. */
  ephemeral(type: string, name: string): Evaluated | undefined {
    const address = formatSubject({ kind: "ephemeral", type, name });
    const unknown = this.config.ephemerals.has(address)
      ? mark(UNKNOWN, { ephemeral: true })
      : undefined;
    return this.objects.get(address) ?? unknown;
  }

  variable(name: string): Evaluated | undefined {
    const value = this.variables.get(name);
    return value === undefined && this.config.variables.has(name) ? UNKNOWN : value;
  }

  local(name: string): Evaluated | undefined {
    const value = this.locals.get(name);
    return value === undefined && this.config.locals.has(name) ? UNKNOWN : value;
  }

  functions(provider: string): Functions | undefined {
    const declared = this.config.requiredProviders.get(provider);
    if (!declared || declared.isImplied) return undefined;
    return selectProvider(this.config, provider, this.providers)?.provider.functions;
  }

  declared(kind: Subject["kind"]): readonly string[] {
    const { variables, locals, resources, dataSources, ephemerals } = this.config;
    if (kind === "variable") return [...variables.keys()].map((name) => `var.${name}`);
    if (kind === "local") return [...locals.keys()].map((name) => `local.${name}`);
    if (kind === "ephemeral") return [...ephemerals.keys()];
    return kind === "resource" ? [...resources.keys(), ...dataSources.keys()] : [];
  }
}

/** The values that blocks with `count` or `for_each` and provisioners have in addition. */
export type Surroundings = Pick<EvaluationScope, "each" | "countIndex" | "self" | "problemOf">;

export function within(scope: EvaluationScope, surroundings: Surroundings): EvaluationScope {
  return {
    resource: (mode, type, name) => scope.resource(mode, type, name),
    ephemeral: (type, name) => scope.ephemeral?.(type, name),
    variable: (name) => scope.variable(name),
    local: (name) => scope.local(name),
    declared: (kind) => scope.declared?.(kind) ?? [],
    functions: (provider) => scope.functions?.(provider),
    ...(scope.problemOf && { problemOf: scope.problemOf }),
    path: scope.path,
    workspace: scope.workspace,
    applying: scope.applying === true,
    ...(scope.plannedAt && { plannedAt: scope.plannedAt }),
    ...(scope.each && { each: scope.each }),
    ...(scope.countIndex !== undefined && { countIndex: scope.countIndex }),
    ...surroundings,
  };
}
