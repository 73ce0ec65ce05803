import type { Attributes } from "../../../src/core/schema/attribute";
import { registryScanAttributes } from "../../../src/provider/resources/registry-scan";
import { serverlessAutoDeployAttributes } from "../../../src/provider/resources/serverless-auto-deploy";
import { serverlessScanAttributes } from "../../../src/provider/resources/serverless-scan";
import { UNKNOWN, type ObjectValue, type Value } from "../../../src/core/values";
import { reviewProtection } from "../../../src/review/protection/review-protection";
import { resourceChange } from "../entries/changes";

const compared =
  (attributes: Attributes, list: string) =>
  (before: readonly ObjectValue[], after: readonly ObjectValue[]) => {
    const change = resourceChange(attributes, { [list]: before }, { [list]: after });
    const [review] = reviewProtection({ changes: [change] }).values();
    return review?.coverage.map(({ change, entry, certainty }) =>
      [change, entry, certainty].join(" "),
    );
  };
const registries = compared(registryScanAttributes, "specifications");
const scans = compared(serverlessScanAttributes, "scopes");
const deploys = compared(serverlessAutoDeployAttributes, "specs");

describe("registry specifications", () => {
  const one = (repository: string, given: ObjectValue = {}): ObjectValue => ({
    registry: "r",
    repository,
    tag: "*",
    ...given,
  });

  test.each<[Value, Value, readonly string[]]>([
    [50, 5, ["weaker r * * certain"]],
    [5, 50, ["stronger r * * certain"]],
    [0, 5, ["weaker r * * certain"]],
    [5, 0, ["stronger r * * certain"]],
    [5, null, []],
    [null, 5, ["weaker r * * possible"]],
    [5, UNKNOWN, ["weaker r * * unknown"]],
  ])("scan %p of the images, then %p", (before, after, lines) => {
    expect(registries([one("*", { cap: before })], [one("*", { cap: after })])).toEqual(lines);
  });

  test("cover together what any of them covers", () => {
    expect(registries([one("a/*"), one("a/b/*")], [one("a/*")])).toEqual([]);
    expect(registries([one("a/*")], [one("a/b/*")])).toEqual(["weaker r a/* * certain"]);
    expect(registries([one("a/b/*")], [one("a/*")])).toEqual(["stronger r a/* * certain"]);
    expect(registries([one("*")], [one("*", { registry: "" })])).toEqual([
      "weaker r * * certain",
      "stronger * * certain",
    ]);
  });
});

test("serverless scopes cover less when they are removed or disabled", () => {
  const scope = (region: string, enabled = true): ObjectValue => ({
    credential_id: null,
    credential_ids: ["one", "two"],
    provider: "aws",
    region,
    enabled,
  });
  expect(scans([scope("eu"), scope("us"), scope("ap", false)], [scope("eu", false)])).toEqual([
    "weaker one,two aws eu certain",
    "weaker one,two aws us certain",
  ]);
});

test("auto-deploy specifications are compared without their names", () => {
  const spec = (name: string, runtimes: Value): ObjectValue => ({
    name,
    credential_id: "aws",
    runtimes,
  });
  expect(deploys([spec("a", ["go"])], [spec("b", ["go"])])).toEqual([]);
  expect(deploys([spec("a", ["go", "python"])], [spec("a", ["go"])])).toEqual(["weaker a certain"]);
  // A value that is no longer managed stays as it was.
  expect(deploys([spec("a", ["go"])], [spec("a", null)])).toEqual([]);
  expect(deploys([spec("a", null)], [spec("a", ["go"])])).toEqual(["weaker a possible"]);
});
