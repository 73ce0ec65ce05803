import { boundedReads } from "./bounded-reads.mjs";
import { declaredModule } from "./declared-module.mjs";
import { oneWorld } from "./one-world.mjs";
import { printedText } from "./printed-text.mjs";
import { unbundled } from "./unbundled.mjs";

/** The rules of this project. */
export default {
  meta: { name: "local" },
  rules: {
    "bounded-reads": boundedReads,
    "declared-module": declaredModule,
    "one-world": oneWorld,
    "printed-text": printedText,
    unbundled,
  },
};
