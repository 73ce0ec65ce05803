import fc from "fast-check";
import { readRunLog } from "../../../src/fleet/run-log/read-run-log";
import { changesOf } from "../../../src/fleet/run-log/join-shards";
import { digestOfLine, shortDigest } from "../../../src/fleet/run-log/line-digest";
import { leftToDo } from "../../../src/fleet/run-log/left-to-do";

const start = (stacks: readonly string[], resumed = false, operation = "apply") => ({
  type: "run_start",
  run: { operation, resumed, stacks },
});
const result = (stack: string, status = "applied") => ({
  type: "stack_result",
  stack,
  result: { status, add: 1, change: 0, remove: 0 },
});
const lines = (...entries: readonly unknown[]) =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");

const read = (text: string) => readRunLog(text, "run.jsonl");
const recordOf = (text: string) => {
  const found = read(text);
  if ("problem" in found) throw new Error(found.problem.detail);
  return found.record;
};
const problemOf = (text: string) => {
  const found = read(text);
  return "problem" in found ? [found.problem.summary, found.problem.detail] : [];
};

test("knows which stacks a run had, and which are done", () => {
  const record = recordOf(
    lines(
      { type: "version", "@level": "info" },
      start(["a", "b", "c", "d"]),
      result("a"),
      result("b", "failed"),
      { type: "stack_start", stack: "c" },
      result("d", "excluded"),
      {
        type: "run_result",
        run: { applied: 1, failed: 1, excluded: 1, not_started: 1, interrupted: true },
      },
    ),
  );
  expect(record).toMatchObject({
    operation: "apply",
    stacks: ["a", "b", "c", "d"],
    done: new Set(["a"]),
  });
});

test("adds a resumed run to the one before it, and starts again with another", () => {
  const first = lines(start(["a", "b", "c"]), result("a"), result("b", "failed"));
  expect(recordOf(first + lines(start(["b", "c"], true), result("b")))).toMatchObject({
    operation: "apply",
    stacks: ["a", "b", "c"],
    done: new Set(["a", "b"]),
  });
  expect(recordOf(first + lines(start(["c"]))).stacks).toEqual(["c"]);
  expect(recordOf(first + lines(start(["a"], true, "destroy"))).done.size).toBe(0);
});

test("ignores a last line that was not written completely", () => {
  const { done } = recordOf(`${lines(start(["a"]))}{"type":"stack_result","stack":"a`);
  expect(done.size).toBe(0);
});

test.each([
  ["no JSON", "line 2: the line is not JSON."],
  ["[1]", 'line 2: the line is no object with a "type".'],
  ['{"type":7}', 'line 2: the line is no object with a "type".'],
  ['{"type":"stack_result","stack":"a"}', "line 2: invalid stack_result: result: "],
  ['{"type":"run_start","run":{"operation":"plan"}}', "line 2: invalid run_start: run.operation: "],
])("reports the line of %s", (line, expected) => {
  const [summary, detail] = problemOf(`${lines(start(["a"]))}${line}\n`);
  expect(summary).toBe("Invalid run log");
  expect(detail).toContain(`run.jsonl, ${expected}`);
});

test.each(["", lines({ type: "version" })])("reports a log without a run: %j", (text) => {
  expect(problemOf(text)[0]).toBe("No run in the log");
});

test("every cut of a log is a record or has one problem", () => {
  const text = lines(start(["a", "b"]), result("a"), { type: "stack_start", stack: "b" });
  fc.assert(
    fc.property(fc.nat(text.length), (length) => {
      const found = read(text.slice(0, length));
      const started = length > text.indexOf("\n");
      expect("record" in found).toBe(started);
    }),
  );
});

test("what is left and what is done are all stacks of the run", () => {
  const names = fc.uniqueArray(fc.integer({ min: 0, max: 12 }).map((at) => `s${at}`));
  fc.assert(
    fc.property(names, names, names, (stacks, done, selected) => {
      const divided = leftToDo(
        { stacks, done: new Set(done.filter((name) => stacks.includes(name))) },
        selected.map((name) => ({ name })),
      );
      const left = divided.left.map(({ name }) => name);
      expect([...left, ...divided.done, ...divided.missing].sort()).toEqual([...stacks].sort());
      expect(left.filter((name) => !selected.includes(name) || done.includes(name))).toEqual([]);
      expect(divided.missing.filter((name) => selected.includes(name))).toEqual([]);
    }),
  );
});

test("has the changes of the stacks that were started, and of no others", () => {
  const object = { kind: "stored", address: "null_resource.a", after: null };
  const { recorded } = recordOf(
    lines(
      start(["a", "b"]),
      { type: "stack_start", stack: "a" },
      ...["a", "b"].map((stack) => ({ type: "object_record", stack, object })),
    ),
  );
  expect([...recorded.keys()]).toEqual(["a"]);
});

test("begins at the operation after lost lines of a change", () => {
  const address = "cwp_registry_scan.a";
  const provider = 'provider["registry.terraform.io/cdktf-console/cwp"]';
  const instance = (id: string) => ({
    schema_version: 0,
    attributes: { id },
    sensitive_attributes: [],
  });
  const record = (object: object) => ({
    type: "object_record",
    stack: "a",
    object: { address, ...object },
  });
  const begin = (action: string, before: object | null) =>
    record({ kind: "start", provider, action, before });
  const content = record({
    kind: "content",
    content: { object: {}, found: "[1]", written: "[2]" },
  });
  const stored = (after: object) => record({ kind: "stored", after });
  const state = { lineage: "", serial: 0, sha256: "" };
  const origin = { state, workspace: "default", backend: { type: "local" } };
  const started = { type: "stack_start", stack: "a", origin };
  const objectOf = (...changes: object[]) =>
    recordOf(lines(start(["a"]), started, ...changes)).recorded.get("a")?.objects[0];
  const update = [begin("update", instance("1")), content, stored(instance("2"))];
  // The machine has lost power after the write, and before its record was on the disk.
  expect(objectOf(begin("create", null), ...update)?.before?.attributes).toEqual({ id: "1" });
  // A process that was killed before the write.
  expect(objectOf(begin("create", null), begin("create", null), content)?.before).toBeNull();
  const object = objectOf(begin("create", null), stored(instance("1")), ...update);
  expect(object?.before).toBeNull();
  // A process that was killed before the last one was in the state.
  expect(object?.stored.map((one) => one?.attributes)).toEqual([{ id: "1" }, { id: "2" }]);
});

/** Lines as a file has them, each with the digest of the one before it. */
const chained = (...entries: readonly object[]) => {
  let last = "";
  return entries
    .map((entry) => {
      const line = JSON.stringify({ ...entry, previous: shortDigest(last) });
      last = digestOfLine(line);
      return `${line}\n`;
    })
    .join("");
};

describe("a record that several machines have written", () => {
  const state = { lineage: "l", serial: 1, sha256: "s" };
  const origin = { state, workspace: "default", backend: { type: "s3" } };
  const begun = (id: string, stacks: readonly string[]) => ({
    type: "run_start",
    run: { operation: "apply", resumed: false, stacks, id },
  });
  const partOf = (stack: string, id = "night-1") =>
    chained(begun(id, [stack]), { type: "stack_start", stack, origin }, result(stack));
  const counts = { applied: 2, failed: 0, excluded: 1, not_started: 0, interrupted: false };
  const head = chained(begun("night-1", ["a", "b", "c"]), result("a"), result("b"), {
    ...{ type: "run_result", run: counts },
  });
  const provedOf = (text: string) =>
    Object.fromEntries(
      [...changesOf(recordOf(text))].map(([stack, { proof, before }]) => [
        stack,
        {
          lines: proof?.digests.length,
          damagedAt: proof?.damagedAt,
          isThere: before !== undefined,
        },
      ]),
    );
  const whole = { lines: 3, damagedAt: undefined, isThere: true };
  const none = { lines: 0, damagedAt: undefined, isThere: false };

  test("has the result of the run, and the changes of its parts", () => {
    const text = head + partOf("a") + partOf("b");
    expect(recordOf(text)).toMatchObject({ id: "night-1", result: counts, isJoined: true });
    expect(recordOf(text).done).toEqual(new Set(["a", "b"]));
    expect(provedOf(text)).toEqual({ a: whole, b: whole, c: none });
  });

  test("proves each part by itself", () => {
    const [first, second, third] = partOf("a").split("\n");
    const changed = [first, second, second, third, ""].join("\n");
    expect(provedOf(head + changed + partOf("b"))).toMatchObject({
      a: { damagedAt: 3, lines: 2 },
      b: whole,
    });
    expect(provedOf(head + partOf("b"))).toEqual({ a: none, b: whole, c: none });
  });

  test("takes no part of another run", () => {
    const proved = provedOf(head + partOf("a") + partOf("b", "night-2"));
    expect(proved).toMatchObject({ a: { lines: 3, damagedAt: 4 }, b: none });
  });
});
