import { FOLDER, policy, specification } from "../../support/stacks";
import type { Draft } from "../draft";
import type { Draw } from "../draw";
import { expression, template } from "../expressions";
import { condition } from "./conditions";
import type { Part } from "./part";
import { dependsOn, scoped } from "./values";

const NAMES = ["First", "Second", "Third", "<a&b>", "é"];

/** One owner of each collection, whose ownership stays while it is in the stack. */
function once(type: string, body: (draft: Draft, name: string, draw: Draw) => object): Part {
  return (draft, name, draw) => {
    if (draft.resources.some((one) => one.startsWith(`${type}.`))) return;
    const more = dependsOn(draft, draw, 0.15);
    const conditions = draw.chance(0.15)
      ? { precondition: condition(draft, draw, "precondition of the console's") }
      : draw.chance(0.1)
        ? {
            postcondition: condition(draft, draw, "postcondition of the console's", [
              scoped("self.id", "string"),
            ]),
          }
        : {};
    draft.add("resource", [type, name], {
      ...body(draft, name, draw),
      ...more,
      lifecycle: conditions,
    });
    draft.resources.push(`${type}.${name}`);
    draft.features.add(type);
  };
}

/** A choice that a name makes, and no edit changes. */
function fixed<T>(name: string, choices: readonly [T, ...T[]]): T {
  return choices[Number(name.replace(/\D/g, "")) % choices.length] ?? choices[0];
}

const onDestroy = (draw: Draw) => draw.of(["restore", "restore", "clear", "keep"]);

export const policies: Part = (draft, name, draw) => {
  once("cwp_compliance_policy_set", () => ({
    ownership: fixed(name, ["exclusive", "prefix", "exclusive", "suffix"]),
    on_destroy: onDestroy(draw),
    policies: draw.some(NAMES, 1, 3).map((one) =>
      policy(one, {
        disabled: draw.chance(0.3),
        checks: { [draw.of(["41", "51", "599"])]: draw.chance(0.5) },
        ...(draw.chance(0.4) && {
          resources: { labels: ["b", template(expression(draft, draw, "string", { depth: 1 }))] },
        }),
      }),
    ),
  }))(draft, name, draw);
  const digest = `cwp_compliance_policy_set.${name}.content_sha256`;
  if (draft.resources.includes(`cwp_compliance_policy_set.${name}`)) {
    draft.offer(scoped(digest, "string", false, true));
  }
};

export const registry: Part = (draft, name, draw) => {
  once("cwp_registry_scan", () => ({
    ownership: fixed(name, ["exclusive", "shared"]),
    on_destroy: onDestroy(draw),
    specifications: draw.some(["a/*", "b/*", "c/d", "*"]).map((repository) =>
      specification(repository, {
        ...(draw.chance(0.5) && { cap: draw.below(9) }),
        ...(draw.chance(0.2) && {
          namespace: template(expression(draft, draw, "string", { depth: 1 })),
        }),
      }),
    ),
  }))(draft, name, draw);
};

export const autoDeploy: Part = (draft, name, draw) => {
  once("cwp_serverless_auto_deploy", () => ({
    on_destroy: onDestroy(draw),
    specs: draw.some(NAMES, 0, 3).map((one) => ({
      name: one,
      credential_id: "aws",
      ...(draw.chance(0.3) && { runtimes: draw.some(["python3.8", "nodejs12.x"]) }),
      ...(draw.chance(0.3) && { extra_json: '${jsonencode({more = ["x", 1]})}' }),
    })),
  }))(draft, name, draw);
};

export const serverlessScan: Part = (draft, name, draw) => {
  once("cwp_serverless_scan", () => ({
    on_destroy: onDestroy(draw),
    scopes: draw.some(["eu", "us", "ap"], 0, 3).map((region) => ({
      credential_id: "aws",
      provider: "aws",
      region,
      ...(draw.chance(0.5) && { cap: draw.below(50) }),
      ...(draw.chance(0.3) && { enabled: draw.chance(0.5) }),
    })),
  }))(draft, name, draw);
};

export const license: Part = (draft, name, draw) => {
  once("cwp_license", () => ({
    key: draw.of(["${var.CONSOLE_LICENSE_KEY}", '${"${var.CONSOLE_LICENSE_KEY}-2"}']),
  }))(draft, name, draw);
};

export const defender: Part = (draft, name, draw) => {
  once("cwp_defender_artifact", () => ({
    kind: draw.of(["linux_script", "daemonset"]),
    filename: `${FOLDER}/${draw.of(["one", "two"])}.txt`,
    ...(draw.chance(0.5) && {
      request_json: '${jsonencode({namespace = "n", privileged = true})}',
    }),
  }))(draft, name, draw);
};

export const containerScan: Part = (draft, name, draw) => {
  once("cwp_container_scan", () => ({
    poll_interval: 0.01,
    triggers: { value: template(expression(draft, draw, "string", { depth: 1 })) },
  }))(draft, name, draw);
};

/** Data that no resource changes. */
const STEADY_DATA = ["cwp_connectivity", "cwp_container_labels", "cwp_images"];
const DATA = [
  ...STEADY_DATA,
  "cwp_compliance_policies",
  "cwp_registry_settings",
  "cwp_serverless_functions",
];

/** A data source of the console: conditions, repetition, dependencies that defer it. */
export const data: Part = (draft, name, draw) => {
  const conditions = draw.of(["none", "none", "none", "precondition", "postcondition"]);
  const more = dependsOn(draft, draw, 0.4);
  const isDeferred = Object.keys(more).length > 0;
  // An apply reads deferred data while it changes what the data does not depend on.
  const type = draw.of(isDeferred || conditions !== "none" ? STEADY_DATA : DATA);
  const address = `data.${type}.${name}`;
  const count = draw.chance(0.15) ? draft.with("data with count", draw.below(3)) : undefined;
  draft.add("data", [type, name], {
    ...(count !== undefined && { count }),
    ...more,
    ...(conditions !== "none" && {
      lifecycle: { [conditions]: condition(draft, draw, `data ${conditions}`) },
    }),
  });
  if (isDeferred) draft.features.add("data deferred");
  draft.offer(
    scoped(`jsonencode(${address})`, "string", false),
    scoped(`length(jsonencode(${address}))`, "number", false),
  );
};
