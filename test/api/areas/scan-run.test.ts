import fc from "fast-check";
import { SchemaMismatchError } from "../../../src/api/errors";
import { isScanComplete, parseScanStart, unfinishedScans } from "../../../src/api/areas/containers";

const START = new Date("2021-03-04T05:06:07.000Z");

describe("the start of a scan, in every form", () => {
  test.each([
    ["a string", '"2021-03-04T05:06:07Z"'],
    ["a string with an offset", '"2021-03-04T07:06:07+02:00"'],
    ["plain text", "2021-03-04T05:06:07Z\n"],
    ["seconds", "1614834367"],
    ["milliseconds", "1614834367000"],
    ["digits in a string", '"1614834367"'],
    ["an object", '{"scanStarted":"2021-03-04T05:06:07Z"}'],
    ["an object with seconds", '{"time":1614834367}'],
    ["an object that holds more", '{"id":7,"status":"started","time":1614834367000}'],
    ["nanoseconds", '"2021-03-04T05:06:07.000000000Z"'],
  ])("%s", (_, body) => {
    expect(parseScanStart(body)).toEqual(START);
  });

  test.each(["", "null", "{}", '"soon"', "7", "[]", '{"a":1614834367,"b":1614834368}'])(
    "%j names none",
    (body) => {
      expect(() => parseScanStart(body)).toThrow(SchemaMismatchError);
    },
  );
});

describe("a scan is complete", () => {
  const later = "2021-03-04T05:06:08Z";
  const at = "2021-03-04T05:06:07Z";

  test("when every container that existed was scanned after its start", () => {
    const present = new Set(["a", "b"]);
    const half = [
      { _id: "a", scanTime: later },
      { _id: "b", scanTime: at },
    ];
    expect(isScanComplete(present, half, START)).toBe(false);
    expect(unfinishedScans(present, half, START)).toEqual([{ _id: "b", scanTime: at }]);
    const whole = half.map((one) => ({ ...one, scanTime: later }));
    expect(isScanComplete(present, whole, START)).toBe(true);
  });

  test("when there are none", () => {
    expect(isScanComplete(new Set(), [], START)).toBe(true);
  });

  test("regardless of containers that were removed or added", () => {
    expect(isScanComplete(new Set(["a", "gone"]), [{ _id: "a", scanTime: later }], START)).toBe(
      true,
    );
    expect(isScanComplete(new Set(), [{ _id: "new", scanTime: null }], START)).toBe(true);
  });

  test.each([undefined, null, "", "never", "0001-01-01T00:00:00Z"])(
    "not while one has the scan time %j",
    (scanTime) => {
      expect(isScanComplete(new Set(["a"]), [{ _id: "a", scanTime }], START)).toBe(false);
    },
  );

  test("exactly when no container is unfinished, for any times", () => {
    const container = fc.record({
      _id: fc.constantFrom("a", "b", "c"),
      scanTime: fc.option(fc.integer({ min: 1_614_834_360, max: 1_614_834_374 })),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(container, { selector: ({ _id }) => _id }),
        fc.subarray(["a", "b", "c"]),
        (containers, ids) => {
          const waits = containers.some(
            ({ _id, scanTime }) => ids.includes(_id) && (scanTime ?? 0) <= 1_614_834_367,
          );
          expect(isScanComplete(new Set(ids), containers, START)).toBe(!waits);
        },
      ),
    );
  });
});
