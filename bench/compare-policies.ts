import { compareProtection } from "../src/protection/compare";
import type { Policy, Scope } from "../src/protection/policy";

/** Prints the milliseconds that one comparison takes in a fresh process: `SHAPE COUNT`. */

type Shape = (index: number, count: number) => Scope;

const SHAPES: Readonly<Record<string, Shape>> = {
  "a catch-all": (index, count) =>
    index === count - 1 ? {} : { namespaces: [`team-${index}-*`, "-*-test"] },
  "one of many that overlap in three fields": (index) => ({
    ...(index % 2 === 0 && { namespaces: [`team-${index % 20}-*`] }),
    ...(index % 3 === 0 && { images: [`registry-${index % 7}/*`] }),
    ...(index % 5 !== 0 && { labels: [`env:${index % 11}`] }),
  }),
  "one of many with a starred pattern": (index) => ({ images: [`*team${padded(index)}*`] }),
  "one of many with two starred parts": (index) => ({
    images: [`a*team${padded(index)}*x${padded(index)}*c`],
  }),
  "one of many with exemptions in two fields": (index) => ({
    images: ["*", `-dev${padded(index)}*`],
    labels: ["*", `-skip${padded(index)}`],
  }),
};

const padded = (index: number) => String(index).padStart(4, "0");

export const SHAPE_NAMES = Object.keys(SHAPES);

function main([shape = "", count = ""]: readonly string[]): void {
  const scope = SHAPES[shape];
  if (!scope) throw new Error(`unknown shape ${shape}`);
  const policies = Array.from({ length: Number(count) }, (_, index): Policy => {
    const checks = { [String(40 + (index % 30))]: true, 41: index % 2 === 0 };
    return { name: `policy ${index}`, disabled: false, scope: scope(index, Number(count)), checks };
  });
  const moved = [...policies.slice(-1), ...policies.slice(0, -1)];
  const start = performance.now();
  compareProtection(policies, moved);
  console.log(performance.now() - start);
}

if (require.main === module) main(process.argv.slice(2));
