/* Prints the first seed, up to a number of them, whose world breaks a promise. */
import { simulate } from "./scenario";

async function hunt(seeds: number): Promise<string> {
  for (let seed = 1; seed <= seeds; seed++) {
    const { problems } = await simulate(seed);
    if (problems.length > 0) return `seed ${seed}: ${(problems[0] ?? "").slice(0, 150)}`;
  }
  return `not found by ${seeds} seeds`;
}

void hunt(Number(process.argv[2] ?? 2_000)).then((found) => process.stdout.write(`${found}\n`));
