import { parseFault, SimulatorError } from "../../src/simulator";

test.each([
  [
    "putCompliancePolicies:reset-after:1",
    { target: "putCompliancePolicies", times: 1, outcome: { kind: "reset-after" } },
  ],
  [
    "getCompliancePolicies:status=503,retry-after=1:2",
    {
      target: "getCompliancePolicies",
      times: 2,
      outcome: { kind: "status", status: 503, retryAfter: "1" },
    },
  ],
  [
    "GET /api/v1/settings:status=429,body=html",
    { target: "GET /api/v1/settings", outcome: { kind: "status", status: 429, body: "html" } },
  ],
  ["*:delay=200", { target: "*", delay: 200 }],
  [
    "*:delay=5,truncate,skip=2:3",
    { target: "*", delay: 5, skip: 2, times: 3, outcome: { kind: "truncate" } },
  ],
  ["tenant-0007/*:delay=1", { tenant: "tenant-0007", target: "*", delay: 1 }],
  [
    "tenant-00*/GET /api/v1/settings:delay=1",
    { tenant: "tenant-00*", target: "GET /api/v1/settings", delay: 1 },
  ],
  ["ping:html", { target: "ping", outcome: { kind: "html" } }],
  ["ping:reset-before", { target: "ping", outcome: { kind: "reset-before" } }],
])("%s", (spec, fault) => {
  expect(parseFault(spec)).toEqual(fault);
});

test.each([
  ["", "write TARGET:PARTS"],
  ["ping", "write TARGET:PARTS"],
  ["ping:", "write TARGET:PARTS"],
  ["ping:html:1:2", "write TARGET:PARTS"],
  ["pong:html", '"pong" is neither'],
  ["FETCH /api:html", '"FETCH /api" is neither'],
  ["ping:broken", '"broken" is none of'],
  ["ping:constructor", '"constructor" is none of'],
  ["ping:status", "status must be 200 to 599"],
  ["ping:status=99", "status must be 200 to 599"],
  ["ping:status=600", "status must be 200 to 599"],
  ["ping:status=503,retry-after=soon", "retry-after must be whole seconds"],
  ["ping:status=503,body=xml", "body must be json, html or empty"],
  ["ping:delay=-1", "delay must be whole milliseconds"],
  ["ping:html,skip=x", "skip must be a whole number"],
  ["ping:html=1", "html takes no value"],
  ["ping:html:0", "TIMES must be a whole number, 1 or more"],
  ["ping:html:often", "TIMES must be a whole number"],
  ["ping:html,truncate", "html and truncate cannot be combined"],
  ["ping:html,retry-after=1", "require status=N"],
  ["ping:skip=1", "it has no effect"],
])("refuses %j with the reason", (spec, reason) => {
  const parse = () => parseFault(spec);
  expect(parse).toThrow(SimulatorError);
  expect(parse).toThrow(`The fault "${spec}" cannot be read`);
  expect(parse).toThrow(reason);
});

test("reports all errors at once", () => {
  expect(() => parseFault("ping:delay=x,nonsense:0")).toThrow(/delay.*nonsense.*TIMES/);
});
