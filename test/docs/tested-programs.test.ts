import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TESTED_PROGRAMS } from "../../src/core/documents/tested-programs";

const read = (path: string) => readFileSync(join(__dirname, "../..", path), "utf8");
const { terraform, opentofu } = TESTED_PROGRAMS;
const named = `Terraform ${terraform.join(" and ")} and OpenTofu ${opentofu.join(" and ")}`;

test.each(["README.md", "docs/guides/engines.md"])("%s names the releases of the tests", (page) => {
  expect(read(page)).toContain(`ested with ${named}`);
});

test("OpenTofu is built from the release of its module", () => {
  expect(read("test/opentofu/go.mod")).toContain(`opentofu/opentofu v${opentofu[0]}\n`);
});
