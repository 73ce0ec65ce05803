import { error } from "../../src/core/diagnostics";
import { reviewDocument } from "../../src/review/json/review-json";
import { reviewSchema } from "../../src/review/json/review-schema";
import { policy, policyChange } from "./entries/changes";
import { stackPlan } from "./plans";
import { SET, WEAKENING } from "./protection/sets";

const half = WEAKENING.find(([name]) => name.startsWith("half"))?.[1] ?? [];
const change = policyChange([...SET], [...half], { endpoint: "https://console.example.com" });

test("has stacks, regions with an example, groups and excluded stacks", () => {
  const plans = ["a", "b"].map((stack) => stackPlan([change], { stack, drift: [change] }));
  const excluded = [{ stack: "c", diagnostics: [error("No console", "It is off.")] }];
  const document = reviewSchema.parse(reviewDocument({ plans, excluded: excluded }));
  expect(document).toEqual(reviewDocument({ plans, excluded: excluded }));
  const [first, , last] = document.stacks;
  expect(first).toMatchObject({
    name: "a",
    console: "https://console.example.com",
    resources: [{ address: "cwp_thing.main", actions: ["update"] }],
    drift: [{ address: "cwp_thing.main", protection: [{ weaker: 1 }] }],
  });
  expect(first?.protection).toEqual([
    {
      collection: "policies/compliance/container",
      addresses: ["cwp_thing.main"],
      weaker: 1,
      stronger: 0,
      digest: "af6ff13ac226",
      complete: true,
      reasons: [],
      sensitive: false,
      regions: [
        {
          change: "weaker",
          certainty: "certain",
          checks: [
            { id: "41", before: "blocks", after: null },
            { id: "599", before: "blocks", after: "alerts" },
          ],
          where: { all: [{ namespaces: ["prod-pay*"] }], none: [] },
          before: { policy: "root", position: 1 },
          after: { policy: "half", position: 1 },
          example: {
            image: null,
            container: null,
            namespace: "prod-payx",
            host: null,
            account_id: null,
            labels: [],
          },
        },
      ],
      coverage: [],
    },
  ]);
  expect(last).toMatchObject({ name: "c", error: "No console: It is off.", resources: [] });
  expect(document.groups).toMatchObject([{ stacks: ["a", "b"], weaker: 1, stronger: 0 }]);
});

test("has no sensitive names, patterns or checks", () => {
  const secret = policyChange([policy("s3cret")], [], {
    beforeSensitive: [["policies", 0, "name"]],
  });
  const document = reviewDocument({ plans: [stackPlan([secret])] });
  expect(JSON.stringify(document)).not.toContain("s3cret");
  expect(document.stacks[0]?.protection).toMatchObject([{ weaker: 1, sensitive: true }]);
});
