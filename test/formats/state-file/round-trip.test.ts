import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { listAddresses } from "../../backends/state/list-addresses";
import { readState } from "../../../src/formats/state-file/read";
import type { State } from "../../../src/core/documents/state";
import { formatState } from "../../../src/formats/state-file/write";

const folder = join(__dirname, "fixtures");
const names = (ending: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length));
const fixture = (file: string) => readFileSync(join(folder, file), "utf8");

function read(file: string): State {
  const { state, diagnostics } = readState(readFileSync(join(folder, file)), file);
  expect(diagnostics).toEqual([]);
  return state!;
}

describe("a state that Terraform wrote", () => {
  const written = names(".list");

  test("comes in several kinds", () => {
    expect(written.length).toBeGreaterThanOrEqual(3);
  });

  test.each(written)("is written again byte for byte: %s", (name) => {
    expect(formatState(read(`${name}.tfstate`))).toBe(fixture(`${name}.tfstate`));
  });

  test.each(written)("is listed as Terraform lists it: %s", (name) => {
    expect(`${listAddresses(read(`${name}.tfstate`)).join("\n")}\n`).toBe(fixture(`${name}.list`));
  });

  test.each(written)("is written in Terraform's order: %s", (name) => {
    const state = read(`${name}.tfstate`);
    const shuffled: State = {
      ...state,
      outputs: Object.fromEntries(Object.entries(state.outputs).reverse()),
      resources: state.resources
        .map((resource) => ({ ...resource, instances: resource.instances.toReversed() }))
        .toReversed(),
    };
    expect(formatState(shuffled)).toBe(fixture(`${name}.tfstate`));
  });
});

test.each(names(".in.tfstate"))("a state of another program keeps all that it has: %s", (name) => {
  expect(formatState(read(`${name}.in.tfstate`))).toBe(fixture(`${name}.out.tfstate`));
});
