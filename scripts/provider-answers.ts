import { fixedAnswers } from "../src/plugin/fixed-answers";
import { cwpProvider } from "../src/provider/cwp-provider";
import { nullProvider } from "../src/core/providers/null-provider";
import { Provider } from "../src/core/provider";

/** The answers of both providers for the bundle as base64, by the local names of the providers. */
export async function providerAnswers() {
  return {
    cwp: await encoded(new Provider<unknown>(cwpProvider)),
    null: await encoded(new Provider<unknown>(nullProvider)),
  };
}

async function encoded(provider: Provider<unknown>): Promise<Readonly<Record<string, string>>> {
  const answers = [...(await fixedAnswers(provider))];
  return Object.fromEntries(
    answers.map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")]),
  );
}
