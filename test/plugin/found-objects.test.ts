import { FoundObjects } from "../../src/plugin/session";
import { UNKNOWN } from "../../src/core/values";

const SET = "cwp_compliance_policy_set";
const found = new FoundObjects();

beforeAll(() => {
  found.add(SET, { id: "container", name: "a" }, { snapshot: "[]" });
  found.add("cwp_defender_artifact", { id: "a.sh" }, { written: "1" });
  found.add("cwp_defender_artifact", { id: "b.sh" }, { written: "2" });
  found.add("cwp_registry_scan", { id: "registry" }, { digest: "1" });
  found.add("cwp_registry_scan", { id: "registry" }, { digest: "2" });
  found.add("null_resource", { id: UNKNOWN }, { made: "x" });
});

test("finds private state by type and ID", () => {
  expect(found.privateOf(SET, { id: "container", name: "b" })).toEqual({ snapshot: "[]" });
  expect(found.privateOf("cwp_defender_artifact", { id: "b.sh" })).toEqual({ written: "2" });
});

test("has no private state of unread objects and of unknown IDs", () => {
  expect(found.privateOf(SET, { id: "other" })).toEqual({});
  expect(found.privateOf("null_resource", { id: UNKNOWN })).toEqual({});
  expect(found.privateOf("null_resource", {})).toEqual({});
});

test("has no private state of two objects with the same ID", () => {
  expect(found.privateOf("cwp_registry_scan", { id: "registry" })).toEqual({});
});
