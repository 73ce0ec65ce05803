import { fixedAnswers } from "../src/plugin/fixed-answers";
import { cwpProvider } from "../src/provider/cwp-provider";
import { nullProvider } from "../src/provider/null-provider";
import { Provider } from "../src/provider/provider";

/** The answers of both providers for the bundle, by the local names of the providers. */
export async function providerAnswers() {
  return {
    cwp: await fixedAnswers(new Provider<unknown>(cwpProvider)),
    null: await fixedAnswers(new Provider<unknown>(nullProvider)),
  };
}
