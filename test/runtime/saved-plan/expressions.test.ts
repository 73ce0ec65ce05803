import { join } from "node:path";
import { parse, stringify } from "lossless-json";
import { PLAN_PROVIDERS } from "../../../src/cli/stacks/built-in-schema";
import { formatJson } from "../../../src/core/json/format-json";
import { renderPlanJson } from "../../../src/formats/json/plan-json";
import { readPlanJson } from "../../../src/formats/json/read-plan";
import { Session } from "../../../src/runtime";
import { formatEntry, parseJournal } from "../../../src/backends/journal-format";
import type { PlanDocument } from "../../../src/core/documents/plan-document";
import { comparePlans } from "../../../src/runtime/saved-plan/compare-plans";
import { formatSavedPlans, readSavedPlans } from "../../../src/runtime/saved-plan/format";
import type { SavedPlans } from "../../../src/runtime/saved-plan/save";
import { canonicalJson, UNKNOWN_MARKER } from "../../conformance/expressions/table";
import { copyFiles, rowsOf, tableStack, type Row } from "../../conformance/expressions/table-stack";
import { withUnknowns } from "../../conformance/expressions/terraform-results";
import { slice } from "../../support/cases";
import { Bench, problems } from "../engine/bench";

/*
 * Rows of the table of expressions, every fourth or with LONG_TESTS each, are an output, whose value goes through all forms in which
 * values are written: the saved plan, the JSON of a plan, the journal and the state.
 */
const rows = slice(rowsOf(), 4);
const isConstant = ({ expression, value }: Row) =>
  !expression.includes("terraform_data.") && !value.includes(UNKNOWN_MARKER);
const constant = rows.filter(isConstant);
const STACKS = { constant, planned: rows.filter((row) => !isConstant(row)) };

let bench: Bench;
let documents: readonly PlanDocument[];
let saved: SavedPlans;

beforeAll(async () => {
  bench = await Bench.open();
  const stacks = Object.entries(STACKS).map(([name, part]) => [name, tableStack(part)] as const);
  await bench.synth(Object.fromEntries(stacks));
  for (const name of Object.keys(STACKS)) copyFiles(join(bench.outDir, "stacks", name));
  const session = await bench.plan();
  documents = session.documents();
  const files = { workingDirectory: bench.outDir, program: "test" };
  const bytes = formatSavedPlans(await session.save(), files);
  await session.close();
  const read = await readSavedPlans(bytes, "p", bench.providers, bench.outDir);
  if (!read.saved) throw new Error(problems(read.diagnostics).join("\n"));
  saved = read.saved;
});
afterAll(() => bench.close());

describe.each(["constant", "planned"] as const)("of %s values,", (stack) => {
  let document: PlanDocument;
  let read: PlanDocument;
  beforeAll(() => {
    const isOfStack = ({ plan }: PlanDocument) => plan.stack === stack;
    [document] = documents.filter(isOfStack) as [PlanDocument];
    [read] = saved.plans.map((plan) => plan.document).filter(isOfStack) as [PlanDocument];
  });

  test("a saved plan has the values that were planned", () => {
    expect(comparePlans(read, document)).toEqual([]);
    expect(renderPlanJson(read)).toBe(renderPlanJson(document));
  });

  test("the JSON of a saved plan has the values of Terraform", () => {
    const { output_changes: changes } = parse(renderPlanJson(read)) as PlanJson;
    const values = STACKS[stack].map(({ expression, name }) => {
      const { after = null, after_unknown: unknown } = changes[name] ?? {};
      const value = stringify(withUnknowns(after, unknown)) ?? "";
      return { expression, value: canonicalJson(value) };
    });
    expect(values).toEqual(STACKS[stack].map(({ expression, value }) => ({ expression, value })));
  });

  test("a review reads the values that were planned", () => {
    const { plans, diagnostics } = readPlanJson(renderPlanJson(read), "main", "p", PLAN_PROVIDERS);
    expect(diagnostics).toEqual([]);
    const [{ outputs }] = plans as [PlanDocument["plan"]];
    expect(outputs).toHaveLength(STACKS[stack].length);
    expect(comparePlans(document, { ...document, plan: { ...document.plan, outputs } })).toEqual(
      [],
    );
  });

  test("a journal has the values that were planned", () => {
    const entries = Object.entries(document.outputs).map(
      ([name, output]) => ({ kind: "output", name, output }) as const,
    );
    const header = { kind: "header", format: 1, lineage: "any", serial: 1 } as const;
    const text = [header, ...entries].map(formatEntry).join("");
    const { content } = parseJournal(Buffer.from(text), "journal");
    const outputs = (content?.records ?? []).map((record) =>
      record.kind === "output" ? (record.output ?? undefined) : undefined,
    );
    expect(outputs.map(textOf)).toEqual(entries.map(({ output }) => textOf(output)));
  });
});

interface PlanJson {
  readonly output_changes: Readonly<
    Record<string, { readonly after?: unknown; readonly after_unknown?: unknown }>
  >;
}

function textOf(output: PlanDocument["outputs"][string] | undefined) {
  const { value = null, type = "dynamic" } = output ?? {};
  return { value: formatJson(value), type: formatJson(type) };
}

test("the apply of a saved plan stores the values of Terraform, and leaves nothing to do", async () => {
  const { environment, providers } = bench;
  const variables = { environment, directories: [], given: [] };
  const plans = saved.plans.filter(({ stack }) => stack.name === "constant");
  const session = await Session.resume({ ...saved, plans }, { providers, variables, environment });
  expect(problems(session.diagnostics)).toEqual([]);
  const { stacks } = await session.apply();
  await session.close();
  expect(stacks.flatMap(({ diagnostics }) => problems(diagnostics))).toEqual([]);
  const { outputs } = await bench.state("constant");
  const stored = constant.map(({ name }) => canonicalJson(textOf(outputs[name]).value));
  expect(stored).toEqual(constant.map(({ value }) => value));
  expect((await bench.planOnly({ stacks: ["constant"] })).plan).toEqual([]);
});
