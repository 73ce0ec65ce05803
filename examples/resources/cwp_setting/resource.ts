import { ConsoleSetting } from "cdktf-console";
import { stack } from "../../stack";

new ConsoleSetting(stack, "defenders", {
  kind: "defender_settings",
  body: { disconnectPeriodDays: 4, listeningPort: 9998 },
});
