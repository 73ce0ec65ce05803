import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../cli/stack-files";
import { startSecondConsole, type Content, type SecondConsole } from "../second-console";
import type { JsonObject } from "../second-console/options";
import { LONG_TESTS } from "../support/cases";
import { packedPackage } from "../support/packed-package";
import { Draw } from "../conformance/random/draw";
import { startCli } from "./support/bundle";

jest.setTimeout(600_000);

/* A console that people have changed by hand for years is adopted, changed, and given back. */

const CHANGES = 300;
const SEEDS = LONG_TESTS ? [46, 1, 2, 3, 4, 5, 6, 7] : [46];
const POLICIES = ["policies/compliance/container", "policies/runtime/container"];

let served: SecondConsole | undefined;
afterEach(() => served?.close());

/** One change by hand: an entry that is added, changed, moved or removed. */
function change(content: Content, draw: Draw, index: number): void {
  const next = (below: number) => draw.below(below);
  const entry = (name: string): JsonObject => ({
    ...{ name, notes: `by hand ${next(9)}`, disabled: next(2) === 1, future: { of: [next(5)] } },
    ...(next(2) === 0 && { collections: [{ name: "All" }] }),
  });
  const within = (list: readonly JsonObject[], made: (name: string) => JsonObject) => {
    const at = next(Math.max(1, list.length));
    const found = list[at];
    const rest = list.filter((_, place) => place !== at);
    switch (next(4)) {
      case 0:
        return found ? rest : list;
      case 1:
        return found ? [...rest, found] : list;
      case 2:
        return found
          ? [...rest.slice(0, at), { ...found, notes: `${index}` }, ...rest.slice(at)]
          : list;
      default:
        return [...list, made(`n${index}`)];
    }
  };
  const { lists, policies, documents } = content;
  const kind = next(5);
  const path = POLICIES[kind];
  if (path !== undefined) {
    const found = policies[path] ?? {};
    policies[path] = { ...found, rules: within((found.rules ?? []) as JsonObject[], entry) };
  } else if (kind === 2) {
    const found = documents["settings/registry"] ?? {};
    const specifications = within((found.specifications ?? []) as JsonObject[], (name) => ({
      ...{ registry: `${name}.example.com`, repository: "*", tag: "*", cap: next(9) },
      excludedTags: ["*-dev"],
    }));
    documents["settings/registry"] = { ...found, specifications };
  } else if (kind === 3) {
    const found = documents["settings/logging"] ?? {};
    documents["settings/logging"] = { ...found, [`m${next(4)}`]: { enabled: next(2) === 1 } };
  } else {
    const [all, ...own] = lists.collections ?? [];
    const made = (name: string) => ({ name, images: [`${name}/*`], color: "#000000" });
    lists.collections = [...(all ? [all] : []), ...within(own, made)];
  }
}

test.each(SEEDS)(
  "300 changes by hand are adopted, changed, rolled back and destroyed: %d",
  async (seed) => {
    const console_ = (served = await startSecondConsole());
    const draw = new Draw(seed);
    for (let index = 0; index < CHANGES; index++) change(console_.content(), draw, index);
    const before = structuredClone(console_.content());
    expect(before.policies[POLICIES[0] ?? ""]?.rules).not.toEqual([]);
    const folder = temporaryFolder();
    symlinkSync(packedPackage().modules, join(folder, "node_modules"));
    const run = (words: string) =>
      startCli(words.split(" "), { cwd: folder, environment: console_.environment }).ended;
    const paths = [...POLICIES, "settings/registry", "settings/logging", "collections"];
    const adopted = await run(`adopt --force ${paths.map((path) => `--path ${path}`).join(" ")}`);
    expect(adopted).toMatchObject({ code: 0, err: "" });
    const app = "node_modules/.bin/tsx adopted/main.ts";
    const synthesized = await startCli(["synth", "--app", app], {
      cwd: folder,
      environment: console_.environment,
    }).ended;
    expect(synthesized).toMatchObject({ code: 0, err: "" });
    const on = (words: string) => run(`${words} --out-dir cdktf.out`);
    const planned = await on("plan");
    expect(planned.out).toMatch(/Plan: \d+ to import, 0 to add, 0 to change, 0 to destroy\./);
    expect(await on("apply --auto-approve")).toMatchObject({ code: 0, err: "" });
    expect(await on("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    expect(console_.writes()).toEqual([]);

    const file = join(folder, "cdktf.out/stacks/adopted/cdk.tf.json");
    const source = readFileSync(file, "utf8");
    writeFileSync(file, source.replaceAll('"by hand ', '"by code '));
    const applied = await on("apply --auto-approve --run-log run.jsonl");
    expect(applied).toMatchObject({ code: 0, err: "" });
    expect(console_.writes().length).toBeGreaterThan(0);
    expect(console_.content()).not.toEqual(before);
    expect(await on("apply --auto-approve --rollback run.jsonl")).toMatchObject({ code: 0 });
    expect(withoutMarks(console_.content())).toEqual(withoutMarks(before));

    writeFileSync(file, source);
    expect(await on("destroy --auto-approve")).toMatchObject({ code: 0, err: "" });
    const left = withoutMarks(console_.content());
    const wanted = withoutMarks(before);
    // An object is deleted; a list or a document is as it was before it was adopted.
    expect(left).toEqual({
      ...wanted,
      lists: { collections: wanted.lists.collections?.slice(0, 1) },
    });
  },
);

/** The content without what the console itself sets. Policies name the collections that it answers whole. */
function withoutMarks({ lists, ...content }: Content): Content {
  const unmarked = (name: string, value: unknown) =>
    ["owner", "modified", "previousName"].includes(name) ? undefined : value;
  const named = (name: string, value: unknown) =>
    name === "collections" && Array.isArray(value)
      ? (value as readonly JsonObject[]).map((one) => ({ name: one.name }))
      : unmarked(name, value);
  return {
    ...(JSON.parse(JSON.stringify(content, named)) as Content),
    lists: JSON.parse(JSON.stringify(lists, unmarked)) as Content["lists"],
  };
}
