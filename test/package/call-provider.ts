/**
 * Makes every call of the protocol to a provider, and fails at a wrong answer: to the providers that
 * TF_REATTACH_PROVIDERS names, or to the one that a launcher starts. Adds a line to the file CALLED.
 *
 *   tsx test/package/call-provider.ts [LAUNCHER]
 */
import { appendFileSync } from "node:fs";
import { clientCertificate } from "../plugin/support/client-certificate";
import { addressOf, startProvider, terraformEnvironment } from "../plugin/support/process";
import { wrongAnswers } from "../plugin/support/protocol-calls";

interface Reattachment {
  readonly Addr: { readonly Network: "tcp" | "unix"; readonly String: string };
}

async function callServed(text: string): Promise<readonly string[]> {
  const providers = Object.values(JSON.parse(text) as Readonly<Record<string, Reattachment>>);
  const addresses = providers.map(({ Addr: { Network, String: address } }) =>
    Network === "unix" ? `unix:${address}` : address,
  );
  if (addresses.length === 0) throw new Error("no provider is served");
  const wrong = await Promise.all([...new Set(addresses)].map((one) => wrongAnswers(one)));
  return wrong.flat();
}

async function callLaunched(launcher: string): Promise<readonly string[]> {
  const certificate = await clientCertificate();
  const { child, ended, line } = startProvider(terraformEnvironment(certificate), [launcher]);
  try {
    return await wrongAnswers(...addressOf(await line, certificate));
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

async function main(): Promise<void> {
  const { CALLED = "", TF_REATTACH_PROVIDERS = "{}" } = process.env;
  const [launcher] = process.argv.slice(2);
  const wrong = await (launcher === undefined
    ? callServed(TF_REATTACH_PROVIDERS)
    : callLaunched(launcher));
  appendFileSync(CALLED, `${launcher ?? "served"}\n`);
  if (wrong.length > 0) {
    process.stderr.write(`Wrong answers:\n${wrong.join("\n")}\n`);
    process.exitCode = 1;
  }
}

void main();
