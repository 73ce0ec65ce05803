import { FOLDER } from "../../support/stacks";
import type { Part } from "./part";
import { scoped } from "./values";

/** The outputs of another stack's states, by workspace. */
export const REMOTE_OUTPUTS = {
  default: { name: { value: "default", type: "string" } },
  stage: {
    name: { value: "stage", type: "string" },
    list: { value: ["b", "a"], type: ["list", "string"] },
  },
};

/** The state of another stack: workspaces, defaults, repetition. */
export const remoteState: Part = (draft, name, draw) => {
  const address = `data.terraform_remote_state.${name}`;
  const isRepeated = draw.chance(0.25);
  draft.features.add(isRepeated ? "remote state repeated" : "remote state");
  draft.add("data", ["terraform_remote_state", name], {
    backend: "local",
    config: { path: `${FOLDER}/up/terraform.tfstate`, workspace_dir: `${FOLDER}/up/spaces` },
    ...(isRepeated
      ? { for_each: '${toset(["default", "stage"])}', workspace: "${each.key}" }
      : draw.chance(0.6)
        ? {
            workspace: draft.with(
              "remote state of a workspace",
              draw.of(["stage", '${join("", ["sta", "ge"])}']),
            ),
          }
        : {}),
    ...(draw.chance(0.4) && { defaults: { more: "m", name: "none" } }),
  });
  const one = isRepeated ? `${address}["stage"]` : address;
  draft.offer(
    scoped(`${one}.outputs.name`, "string"),
    scoped(`try(${one}.outputs.list, tolist([]))`, "strings"),
    scoped(`${one}.outputs`, "any"),
  );
};
