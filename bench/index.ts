import { benchFleet } from "./fleet";
import { benchStartUp } from "./start-up";

async function main(): Promise<void> {
  await benchStartUp();
  await benchFleet();
}

main().catch((failure: unknown) => {
  console.error(failure);
  process.exitCode = 1;
});
