/** A part of Terraform's language that the executor refuses by name, before it reads anything. */
export interface Refusal {
  /** The kind of the part, as diagnostics and the guide name it. */
  readonly kind: string;
  /** The name as it is written, or a description of all names of the kind. */
  readonly name: string;
  readonly reason: string;
  /** The part to use in its place. */
  readonly instead: string;
  /**
   * The engine that has the part. Default: `Terraform`, whose parts OpenTofu has too. `none`: all
   * engines refuse it in the resources that this executor includes.
   */
  readonly program?: "Terraform" | `Terraform 1.${number} or newer` | "OpenTofu" | "none";
}

/** All refusals. `npm run generate` writes them into the guide about the engines. */
export const REFUSALS = {
  base64gzip: {
    kind: "function",
    name: "base64gzip",
    reason: "Its result depends on the compressor of the Go release that Terraform was built with.",
    instead: "Compress the text before, and read it with `filebase64`",
  },
  bcrypt: {
    kind: "function",
    name: "bcrypt",
    reason: "Its result is another one in each run.",
    instead: "Pass the hash as a sensitive variable",
  },
  rsadecrypt: {
    kind: "function",
    name: "rsadecrypt",
    reason: "This executor does not handle private keys.",
    instead: "Pass the decrypted text as a sensitive variable",
  },
  convert: {
    kind: "function",
    name: "convert",
    reason: "Terraform has it since 1.15, and this executor follows 1.11.",
    instead: "Use `tostring`, `tolist` or another function of the type",
    program: "Terraform 1.15 or newer",
  },
  "terraform.applying": {
    kind: "reference",
    name: "terraform.applying",
    reason: "A plan of this executor is evaluated again when it is applied.",
    instead: "Pass a variable",
  },
  module: {
    kind: "block",
    name: "module",
    reason: "This executor does not load modules.",
    instead: "Write a construct, or declare the resources in the stack",
  },
  action: {
    kind: "block",
    name: "action",
    reason: "This executor invokes no actions, which Terraform has since 1.14.",
    instead: "Use a resource, or a `local-exec` provisioner",
    program: "Terraform 1.14 or newer",
  },
  actionTrigger: {
    kind: "block",
    name: "`action_trigger` of a `lifecycle`",
    reason: "It names actions, which Terraform has since 1.14 and this executor does not invoke.",
    instead: "Use a resource, or a `local-exec` provisioner",
    program: "Terraform 1.14 or newer",
  },
  dynamic: {
    kind: "block",
    name: "dynamic",
    reason:
      "The resources that this executor includes have attributes in place of nested blocks, and Terraform refuses it there too.",
    instead: "Set the attribute to a list, or to a `for` expression",
    program: "none",
  },
  encryption: {
    kind: "block",
    name: "encryption",
    reason: "This executor does not encrypt states.",
    instead: "Keep the state where only its readers have access, and remove the block",
    program: "OpenTofu",
  },
  providerForEach: {
    kind: "argument",
    name: "`for_each` of a provider",
    reason: "A provider of this executor has one configuration.",
    instead: "Declare a provider for each alias, or a stack for each tenant",
    program: "OpenTofu",
  },
  const: {
    kind: "argument",
    name: "`const` of a variable",
    reason:
      "Sources of modules use such variables since Terraform 1.15, and this executor has none.",
    instead: "Remove it",
    program: "Terraform 1.15 or newer",
  },
  deprecated: {
    kind: "argument",
    name: "`deprecated` of a variable or an output",
    reason: "Terraform warns of its uses since 1.15, and this executor follows 1.11.",
    instead: "Put the advice into the `description`",
    program: "Terraform 1.15 or newer",
  },
  outputType: {
    kind: "argument",
    name: "`type` of an output",
    reason: "Terraform converts outputs since 1.15, and this executor follows 1.11.",
    instead: "Convert the value, with `tolist` or another function",
    program: "Terraform 1.15 or newer",
  },
  importIdentity: {
    kind: "argument",
    name: "`identity` of an `import`",
    reason:
      "Terraform has identities since 1.12, and the resources that this executor includes have none.",
    instead: "Set `id`",
    program: "Terraform 1.12 or newer",
  },
  hcl: {
    kind: "file",
    name: "`cdk.tf`, as `cdktf synth --hcl` writes it",
    reason: "This program reads stacks in JSON.",
    instead: "Synthesize the app without `--hcl`",
  },
  unreadFile: {
    kind: "file",
    name: "other `*.tf` and `*.tf.json` in the folder of a stack, such as `override.tf.json`",
    reason: "This program reads one file of a stack.",
    instead: "Declare the blocks in the app, and remove the files",
  },
  connection: {
    kind: "block",
    name: "connection",
    reason: "Only provisioners use it that this executor does not run.",
    instead: "Connect in the command of a `local-exec` provisioner",
  },
  provisioner: {
    kind: "provisioner",
    name: "`remote-exec`, `file` and all but `local-exec`",
    reason: "This executor runs commands on its own machine only.",
    instead: "Use `ssh` or `scp` in a `local-exec` provisioner",
  },
  instances: {
    kind: "provisioner",
    name: "one that names its own resource, which has `count` or `for_each`",
    reason: "This executor creates the instances of a resource beside each other.",
    instead: "Use `self`",
  },
  backend: {
    kind: "backend",
    name: "`cloud` and all but `local`, `http`, `pg`, `s3`, `gcs` and `azurerm`",
    reason:
      "This executor keeps states in files, in PostgreSQL, in S3, in Google Cloud Storage, in Azure Storage and on servers with Terraform's http protocol.",
    instead: "Use one of these, or plan, apply and edit the state with `--engine terraform`",
  },
  stateBackend: {
    kind: "data source",
    name: "`terraform_remote_state` of another backend than `local`, `http`, `pg`, `s3`, `gcs` and `azurerm`",
    reason:
      "This executor reads states from files, PostgreSQL, S3, Google Cloud Storage, Azure Storage and servers with Terraform's http protocol.",
    instead: "Pass the outputs as variables",
  },
  stateArguments: {
    kind: "data source",
    name: "`terraform_remote_state` with arguments that refer to resources or data sources",
    reason: "This executor finds the states that a stack reads before it plans.",
    instead: "Use literals, variables and local values",
  },
  provider: {
    kind: "provider",
    name: "all but `cdktf-console/cwp`, `hashicorp/null` and Terraform's own",
    reason:
      "This executor includes the providers cdktf-console/cwp, hashicorp/null and Terraform's own only.",
    instead: "Put its resources into another stack",
  },
} as const satisfies Readonly<Record<string, Refusal>>;

/** Describes a refusal for a diagnostic, after a sentence about the occurrence. */
export function refusalDetail(
  occurrence: string,
  { reason, instead, program = "Terraform" }: Refusal,
): string {
  const advice = `${occurrence} ${reason} ${instead.replaceAll("`", '"')}.`;
  return program === "none" ? advice : `${advice} ${program} can run the stack.`;
}

/** Returns the refusal of a function; undefined for any other name. */
export function refusedFunction(name: string): Refusal | undefined {
  return Object.values(REFUSALS).find((one) => one.kind === "function" && one.name === name);
}
