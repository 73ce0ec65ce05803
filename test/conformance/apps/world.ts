import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { terraformProvider } from "../../../src/core/providers/terraform-provider";
import { serveReattach, type ReattachServer } from "../../../src/plugin/serve-reattach";
import { writeStacks, type StackJson } from "../../cli/stack-files";
import { temporaryFolder, TerraformProject } from "../../support/terraform-project";
import { PROGRAM } from "../support/program";
import { FOLDER, type App } from "./app";
import { appProviders } from "./providers";

const NAMES = ["a", "b", "c", "d", "e"];

const state = z.object({
  check_results: z.unknown(),
  outputs: z.record(z.string(), z.unknown()),
  resources: z.array(
    z.looseObject({
      mode: z.string(),
      type: z.string(),
      name: z.string(),
      instances: z.array(
        z.looseObject({
          index_key: z.union([z.string(), z.number()]).optional(),
          deposed: z.string().optional(),
          attributes: z.looseObject({ id: z.string().optional() }),
          sensitive_attributes: z.array(z.unknown()).optional(),
          dependencies: z.array(z.string()).optional(),
        }),
      ),
    }),
  ),
});

/** The folder of an app, in which Terraform was initialized once. */
export class AppWorld {
  /** The IDs of objects, which are random, by their order. */
  readonly #ids = new Map<string, string>();

  private constructor(
    readonly folder: string,
    private readonly projects: ReadonlyMap<string, TerraformProject>,
  ) {}

  static async open(servers: ReattachServer[]): Promise<AppWorld> {
    const folder = temporaryFolder();
    const silent = () => undefined;
    writeStacks(folder, Object.fromEntries(NAMES.map((name) => [name, {}])));
    const served = [...appProviders(silent)].filter(
      ([source]) => source !== terraformProvider.source,
    );
    const entries = served.map(async ([source, provider]) => {
      const server = await serveReattach({ provider, log: silent, directory: folder });
      servers.push(server);
      return [source, server.reattachment] as const;
    });
    const reattached = JSON.stringify(Object.fromEntries(await Promise.all(entries)));
    const projects = new Map<string, TerraformProject>();
    for (const name of NAMES) {
      const directory = join(folder, "cdktf.out/stacks", name);
      const environment = { TF_REATTACH_PROVIDERS: reattached, GOGC: "off" };
      const project = await TerraformProject.open(environment, directory, PROGRAM);
      await project.succeed("init");
      projects.set(name, project);
    }
    return new AppWorld(folder, projects);
  }

  get outDir(): string {
    return join(this.folder, "cdktf.out");
  }

  project(stack: string): TerraformProject {
    const project = this.projects.get(stack);
    if (!project) throw new Error(`There is no stack ${stack}.`);
    return project;
  }

  /** Removes the states of an earlier scenario. */
  clear(): void {
    this.#ids.clear();
    for (const name of NAMES) {
      for (const ending of ["", ".backup", ".journal"])
        rmSync(this.#statePath(name) + ending, { force: true });
    }
    const outputs = { text: { value: "none", type: "string" } };
    const content = {
      version: 4,
      terraform_version: "1.11.4",
      serial: 1,
      lineage: "o",
      outputs,
      resources: [],
    };
    writeFileSync(join(this.folder, "outside.tfstate"), JSON.stringify(content));
  }

  write({ stacks, declared, files = {} }: App): void {
    const placed = Object.entries(stacks).map(([name, stack]): [string, StackJson] => {
      const json = JSON.stringify(stack).replaceAll(FOLDER, this.folder);
      const dependencies = [...(declared[name] ?? [])];
      return [
        name,
        { terraform: this.#settings(name), ...(JSON.parse(json) as StackJson), dependencies },
      ];
    });
    mkdirSync(this.outDir, { recursive: true });
    writeStacks(this.folder, Object.fromEntries(placed));
    for (const stack of NAMES) this.#writeFiles(this.project(stack).directory, files[stack]);
  }

  /** Replaces what Terraform reads beside `cdk.tf.json`. */
  #writeFiles(folder: string, files: Readonly<Record<string, string>> = {}): void {
    const read = readdirSync(folder).filter((name) => /\.tfvars|^override/.test(name));
    for (const name of read) rmSync(join(folder, name));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  }

  /** The states of all stacks, comparable with those of the other world. */
  states(): Readonly<Record<string, unknown>> {
    const read = NAMES.flatMap((name) => {
      const path = this.#statePath(name);
      if (!existsSync(path)) return [];
      const text = readFileSync(path, "utf8");
      return [[name, state.parse(JSON.parse(text))] as const];
    });
    for (const [stack, { resources }] of read) {
      for (const { type, name, instances } of resources) {
        for (const { attributes, index_key: key = "", deposed = "" } of instances) {
          const place = this.#anonymous([type, name, key]) as readonly string[];
          const label = `${stack}.${place.join(".")}${deposed && " deposed"}`;
          if (attributes.id !== undefined && !this.#ids.has(attributes.id)) {
            const count = [...this.#ids.values()].filter((one) =>
              one.startsWith(`${label}#`),
            ).length;
            this.#ids.set(attributes.id, `${label}#${count}`);
          }
        }
      }
    }
    return Object.fromEntries(
      read.flatMap(([name, { outputs, resources, check_results: checks }]) => {
        const objects = resources.flatMap((resource) => this.#objectsOf(resource)).sort();
        if (objects.length === 0 && Object.keys(outputs).length === 0) return [];
        return [[name, { outputs: this.#anonymous(outputs), objects, checks }] as const];
      }),
    );
  }

  /** The stacks whose states have managed objects. */
  withObjects(): readonly string[] {
    return NAMES.filter((name) => {
      const path = this.#statePath(name);
      if (!existsSync(path)) return false;
      const { resources } = state.parse(JSON.parse(readFileSync(path, "utf8")));
      return resources.some(({ mode, instances }) => mode === "managed" && instances.length > 0);
    });
  }

  #objectsOf({
    type,
    name,
    instances,
  }: z.output<typeof state>["resources"][number]): readonly string[] {
    if (type === "terraform_remote_state") return [];
    return instances.map((one) => {
      const {
        attributes,
        sensitive_attributes: sensitive = [],
        dependencies = [],
        deposed,
        ...more
      } = one;
      const { index_key: key, status, create_before_destroy: early } = more;
      const described = {
        key,
        status,
        early,
        deposed: deposed && "deposed",
        attributes,
        sensitive,
      };
      const needs = dependencies.filter((address) => !address.startsWith("data.")).sort();
      return `${type}.${name} ${JSON.stringify(this.#anonymous({ ...described, needs }))}`;
    });
  }

  #anonymous(value: unknown): unknown {
    let text = JSON.stringify(value);
    for (const [id, label] of this.#ids) {
      const quoted = JSON.stringify(label).slice(1, -1);
      text = text.replaceAll(id, quoted).replaceAll(id.toUpperCase(), quoted);
    }
    return JSON.parse(text) as unknown;
  }

  /** Without the console's provider, whose schema would be most of the work of each run. */
  #settings(stack: string): StackJson {
    return {
      backend: { local: { path: this.#statePath(stack) } },
      required_providers: { null: { source: "null" } },
    };
  }

  #statePath(stack: string): string {
    return join(this.folder, `terraform.${stack}.tfstate`);
  }
}
