import { ConsoleObject } from "cdktf-console";
import { stack } from "../../stack";

new ConsoleObject(stack, "payments", {
  kind: "collection",
  body: { name: "payments", images: ["pay/*"], namespaces: ["pay-*"] },
});
