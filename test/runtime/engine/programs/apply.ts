/** Applies the stacks in a folder with the null provider; prints each line of provisioners. */
import { nullProvider } from "../../../../src/core/providers/null-provider";
import { Provider } from "../../../../src/core/provider";
import { Session } from "../../../../src/runtime";

async function main(outDir: string): Promise<void> {
  const session = await Session.plan({
    outDir,
    variables: { environment: {}, directories: [], given: [] },
    providers: new Map([["hashicorp/null", new Provider(nullProvider)]]),
    observe: (event) => {
      if (event.type === "provision_progress") process.stdout.write(`${event.line}\n`);
    },
  });
  await session.apply();
  await session.close();
}

void main(process.argv[2] ?? "");
