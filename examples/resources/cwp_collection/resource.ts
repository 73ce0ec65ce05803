import { CompliancePolicySet, ConsoleCollection } from "cdktf-console";
import { stack } from "../../stack";

new ConsoleCollection(stack, "payments", {
  name: "payments",
  description: "The payments team",
  images: ["registry.example.com/pay/*"],
  namespaces: ["pay-*", "-pay-test"],
});

// The policies wait for the collection that they name.
new CompliancePolicySet(stack, "policies", {
  ownership: "prefix",
  policies: [{ name: "payments", collections: ["payments"], checks: { "599": true } }],
});
