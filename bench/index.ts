import { benchFleet } from "./fleet";
import { benchProvider } from "./provider";
import { benchStartUp } from "./start-up";

async function main(): Promise<void> {
  await benchStartUp();
  await benchProvider();
  await benchFleet();
}

main().catch((failure: unknown) => {
  console.error(failure);
  process.exitCode = 1;
});
