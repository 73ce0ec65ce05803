import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { validate } from "../../../src/runtime";
import { isTextTooDeep } from "../../../src/language/expressions/limits";
import { parseExpression, parseHcl } from "../../../src/language/expressions/parse";
import { executorResult } from "../../conformance/expressions/executor-result";
import { readTable } from "../../conformance/expressions/table";
import { scopeOf } from "../../language/expressions/scope";
import { Bench, type StackJson } from "../../runtime/engine/bench";
import type { Reader } from "../reader";

/** A stack with a block of each kind. */
export const STACK: StackJson = {
  "//": { metadata: { backend: "local", stackName: "main", version: "0.21.0" } },
  terraform: { required_version: ">= 1.0" },
  provider: { memory: [{ token: "${var.note}" }, { alias: "other", token: "t" }] },
  variable: {
    note: { type: "string", default: "n", sensitive: true },
    sizes: {
      type: "map(object({size = number, on = optional(bool, true)}))",
      default: { a: { size: 1 } },
      validation: [
        { condition: "${length(var.sizes) > 0}", error_message: "None: ${jsonencode(var.sizes)}" },
      ],
    },
  },
  locals: { names: ["a", "b"], text: "%{ for n in local.names }${upper(n)},%{ endfor }" },
  resource: {
    memory_thing: {
      a: {
        "//": { metadata: { path: "main/a" } },
        name: "a",
        size: 2.5,
        tags: { x: "${local.text}" },
        groups: ["g", "h"],
        parts: [{ label: "p" }],
        note: "${var.note}",
        lifecycle: {
          precondition: [{ condition: "${var.note != null}", error_message: "never" }],
          ignore_changes: ["note"],
        },
      },
      each: {
        for_each: "${var.sizes}",
        name: "${each.key}",
        size: "${each.value.size}",
        provider: "memory.other",
        depends_on: ["memory_thing.a"],
      },
      count: { count: 2, name: "c${count.index}", kind: "${memory_thing.a.id}" },
    },
    null_resource: { n: { triggers: { id: "${memory_thing.a.id}" } } },
  },
  data: { memory_reading: { r: { name: "${memory_thing.a.name}" } } },
  ephemeral: { memory_key: { k: { seed: "s" } } },
  output: {
    all: { value: "${[for key, one in memory_thing.each : one.size if one.size > 0]}" },
    secret: { value: "${var.note}", sensitive: true },
  },
  moved: [{ from: "memory_thing.old", to: "memory_thing.a" }],
  removed: [{ from: "memory_thing.gone", lifecycle: [{ destroy: false }] }],
  import: [{ to: "memory_thing.a", id: "id-1" }],
  check: {
    size: { assert: [{ condition: "${memory_thing.a.size > 1}", error_message: "small" }] },
  },
};

/** Opens a bench with the stack. */
async function openBench(stack: StackJson = STACK): Promise<Bench> {
  const bench = await Bench.open();
  await bench.synth({ main: stack });
  return bench;
}

function optionsOf(bench: Bench) {
  const { outDir, providers, environment } = bench;
  return { outDir, providers, environment, variables: { environment, directories: [], given: [] } };
}

/** A reader of one file of the bench. */
function fileOf(name: string, path: (bench: Bench) => string): Reader {
  return {
    name,
    async open() {
      const bench = await openBench();
      const file = path(bench);
      const valid: unknown = JSON.parse(await readFile(file, "utf8"));
      return {
        async read(mutations) {
          await writeFile(file, mutations.json(valid));
          await validate(optionsOf(bench));
          await bench.planOnly();
        },
        close: () => bench.close(),
      };
    },
  };
}

export const stacks = fileOf("cdk.tf.json", ({ outDir }) =>
  join(outDir, "stacks", "main", "cdk.tf.json"),
);
export const manifest = fileOf("manifest.json", ({ outDir }) => join(outDir, "manifest.json"));

const where = { address: "output.e", path: [] };

export const expressions: Reader = {
  name: "expressions",
  open() {
    const samples = readTable().map(({ expression }) => expression);
    const values = {
      a: ["${local.m.a}", { '${upper("x")}': "%{ if true }${1 + 2}%{ endif }" }, 1.5],
    };
    return {
      async read(mutations) {
        if (mutations.chance(0.2)) {
          const text = mutations.json(values);
          // Files are refused before.
          if (isTextTooDeep(text)) return;
          const { expression } = await parseExpression(parsed(text), where);
          expression.evaluate(scopeOf({ "local.m": { a: 1 } }));
          return;
        }
        const source = mutations.text(mutations.pick(samples));
        await executorResult(source);
        const { expression } = await parseExpression(`a \${${source}} b`, where);
        expression.evaluate(scopeOf());
        (await parseHcl(source, where)).expression.evaluate(scopeOf({}, { applying: true }));
      },
    };
  },
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const HCL = `# A comment
note  = "n"
sizes = {
  a = { size = 1, on = false }
  "b" : { size = 2.5e3 }
}
list = [1, "two", true, null, <<EOT
text \${upper("x")}
EOT
]
`;

const SIZES = { a: { size: 1, on: false }, b: { size: 2500 } };

export const variables: Reader = {
  name: "values of variables",
  async open() {
    const bench = await openBench();
    const hcl = join(bench.outDir, "v.tfvars");
    const json = join(bench.outDir, "v.tfvars.json");
    return {
      async read(mutations) {
        const given = [];
        const environment: Record<string, string> = {};
        switch (mutations.below(4)) {
          case 0:
            await writeFile(hcl, mutations.text(HCL));
            given.push({ kind: "file", file: hcl } as const);
            break;
          case 1:
            await writeFile(json, mutations.json({ note: "n", sizes: SIZES, "//": 1 }));
            given.push({ kind: "file", file: json } as const);
            break;
          case 2:
            given.push({
              kind: "value",
              text: mutations.text(`sizes=${JSON.stringify(SIZES)}`),
            } as const);
            break;
          default:
            environment.TF_VAR_sizes = mutations.json(SIZES);
        }
        const inputs = { environment, directories: [], given };
        await bench.planOnly({ variables: inputs });
      },
      close: () => bench.close(),
    };
  },
};
