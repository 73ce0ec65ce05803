import { benchQuickstart } from "./quickstart";
import { benchProtection } from "./protection";
import { benchProvider } from "./provider";
import { benchStartUp } from "./start-up";

async function main(): Promise<void> {
  await benchStartUp();
  await benchProvider();
  await benchProtection();
  await benchQuickstart();
}

main().catch((failure: unknown) => {
  console.error(failure);
  process.exitCode = 1;
});
