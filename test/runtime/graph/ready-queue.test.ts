import fc from "fast-check";
import { ReadyQueue } from "../../../src/runtime/graph/ready-queue";

test("takes nodes by rank, and equal ones in the order in which they were added", () => {
  const ranked = fc.record({ rank: fc.nat(5), id: fc.nat() });
  // Undefined: take one.
  fc.assert(
    fc.property(fc.array(fc.option(ranked, { nil: undefined })), (steps) => {
      const queue = new ReadyQueue<{ rank: number; id: number }>(({ rank }) => rank);
      const model: { rank: number; id: number }[] = [];
      for (const step of [...steps, ...steps.map(() => undefined)]) {
        if (step) {
          queue.add(step);
          model.push(step);
          continue;
        }
        const lowest = Math.min(...model.map(({ rank }) => rank));
        const at = model.findIndex(({ rank }) => rank === lowest);
        expect(queue.take()).toBe(at < 0 ? undefined : model.splice(at, 1)[0]);
        expect(queue.isEmpty).toBe(model.length === 0);
      }
    }),
  );
});
