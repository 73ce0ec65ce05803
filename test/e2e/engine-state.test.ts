import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { describeWithTofu, putTofuOnPath } from "../opentofu/install";

// A state that only another engine can read, as one that is encrypted or in another backend.

jest.setTimeout(600_000);

putTofuOnPath();

const ENCRYPTION = {
  key_provider: {
    pbkdf2: { key: { passphrase: "correct horse battery staple", iterations: 200_000 } },
  },
  method: { aes_gcm: { main: { keys: "key_provider.pbkdf2.key" } } },
  state: { method: "method.aes_gcm.main" },
};

describeWithTofu("commands about a state of another engine", () => {
  test("read, change and check it with --engine", async () => {
    const directory = temporaryFolder();
    const outDir = writeStacks(directory, {
      prod: {
        terraform: { encryption: ENCRYPTION },
        resource: { terraform_data: { gate: { input: "blue" } } },
        output: { colour: { value: "${terraform_data.gate.output}" } },
      },
    });
    const environment = {
      PATH: process.env.PATH ?? "",
      TF_CLI_CONFIG_FILE: join(directory, "empty"),
    };
    writeFileSync(environment.TF_CLI_CONFIG_FILE, "");
    const run = async (command: string) => {
      const terminal = new TestTerminal({ directory, environment });
      const engine = ["--engine", "tofu", "--out-dir", outDir];
      const code = await terminal.run(...command.split(" "), ...engine);
      return { code, out: terminal.out, err: terminal.err };
    };
    const succeed = async (command: string) => {
      const { code, out, err } = await run(command);
      expect({ command, code, err }).toEqual({ command, code: 0, err: "" });
      return out;
    };
    await succeed("apply --auto-approve");
    const stored = () => readFileSync(join(outDir, "stacks/prod/terraform.tfstate"), "utf8");
    expect(stored()).toContain("encrypted_data");

    expect(await succeed("output colour --raw")).toBe("blue");
    await succeed("state mv terraform_data.gate terraform_data.other");
    const pulled = await succeed("state pull");
    expect(pulled).toContain('"name": "other"');
    expect(stored()).not.toContain("terraform_data");

    // An older state is refused, by the command or by the program.
    writeFileSync(join(directory, "pulled.tfstate"), pulled);
    await succeed("state rm terraform_data.other");
    const { code, err } = await run("state push pulled.tfstate");
    expect({ code, err }).toMatchObject({ code: 1 });
    expect(err).toContain("State is older than the stored one");

    await succeed("import prod terraform_data.gate an-id");
    expect(await succeed("state list")).toBe("terraform_data.gate\n");
    expect(await succeed("graph")).toContain("terraform_data.gate");
    expect(await succeed("validate")).toContain("Success!");
  });
});
