import { crc32 } from "node:zlib";
import * as fc from "fast-check";
import type { JournalRecord } from "../../src/backends/backend";
import { fold } from "../../src/backends/recovery";
import { formatEntry, parseJournal, type JournalHeader } from "../../src/backends/journal-format";
import { parseJson } from "../../src/core/json/lossless-json";
import type { Json } from "../../src/core/documents/state-value";
import { emptyState } from "../../src/core/documents/state";
import { formatState } from "../../src/formats/state-file/write";
import { anyRecord, created, intent } from "./records";

const header: JournalHeader = { kind: "header", format: 1, lineage: "l", serial: 3 };
const journal = (records: readonly JournalRecord[]) =>
  Buffer.from([header, ...records].map(formatEntry).join(""));
const folded = (records: readonly JournalRecord[]) => {
  const { state, interrupted } = fold(emptyState("l"), records);
  return { state: formatState(state), interrupted };
};

test.each(['{"kind":', "[".repeat(100_000)])(
  "ignores a last line that is no record: %.10s",
  (text) => {
    const checksum = crc32(Buffer.from(text)).toString(16).padStart(8, "0");
    const bytes = Buffer.concat([journal([]), Buffer.from(`["${checksum}",${text}]\n`)]);
    expect(parseJournal(bytes, "j")).toMatchObject({
      content: { records: [], intactBytes: journal([]).length },
      diagnostics: [],
    });
  },
);

test("reads all complete records of a file that is cut off anywhere", () => {
  const cut = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 12 }), cut, (records, where) => {
      const bytes = journal(records);
      const kept = Math.round(where * bytes.length);
      const { content, diagnostics } = parseJournal(bytes.subarray(0, kept), "j");
      expect(diagnostics).toEqual([]);

      const whole = records.filter(
        (_, index) => journal(records.slice(0, index + 1)).length <= kept,
      );
      expect(folded(content?.records ?? [])).toEqual(folded(whole));
      expect(content?.header).toEqual(kept < journal([]).length ? undefined : header);
      expect(content?.intactBytes).toBe(content?.header ? journal(whole).length : 0);
    }),
    { numRuns: 300 },
  );
});

test("continues after a torn line", () => {
  const whole = journal([created("t_t.a")]);
  const torn = Buffer.concat([whole, Buffer.from(formatEntry(created("t_t.b")).slice(0, -2))]);
  expect(parseJournal(torn, "j").content).toMatchObject({
    records: [{ address: "t_t.a" }],
    intactBytes: whole.length,
  });
});

test("treats zeros at the end, left by a power failure, as a torn line", () => {
  const whole = journal([created("t_t.a")]);
  const { content } = parseJournal(Buffer.concat([whole, Buffer.alloc(4096)]), "j");
  expect(content).toMatchObject({ records: [{ address: "t_t.a" }], intactBytes: whole.length });
});

test.each([1, 2])("does not pass over a damaged line %d", (line) => {
  const lines = [header, created("t_t.a", { password: "hunter2" }), intent("t_t.b")].map(
    formatEntry,
  );
  const damaged = lines.map((text, index) => (index === line - 1 ? text.replace("l", "m") : text));
  const { content, diagnostics } = parseJournal(Buffer.from(damaged.join("")), "j");
  expect(content).toBeUndefined();
  expect(diagnostics).toEqual([
    {
      severity: "error",
      summary: "Journal is damaged",
      detail: expect.stringMatching(`^Line ${line} of j `) as string,
    },
  ]);
  expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
});

test("refuses a file that begins without a header", () => {
  const { diagnostics } = parseJournal(Buffer.from(formatEntry(created("t_t.a"))), "j");
  expect(diagnostics).toMatchObject([{ summary: "Journal is damaged" }]);
});

test("keeps numbers beyond the precision of a double", () => {
  const attributes = { size: parseJson("9007199254740993") as Json };
  const { content } = parseJournal(journal([created("t_t.a", attributes)]), "j");
  expect(folded(content!.records).state).toContain('"size": 9007199254740993\n');
});
