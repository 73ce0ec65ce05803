import { createHash } from "node:crypto";
import { render } from "preact-render-to-string";
import type { StackPlan } from "../../plan/model";
import { reviewStack } from "../overview";
import { runInBrowser } from "./browser";
import { Page } from "./page";
import { CSS } from "./style";

const SCRIPT = `(${runInBrowser.toString()})();`;

/** Only this style and this script, and nothing from anywhere: a name can at most be text. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(CSS)}'`,
  `script-src 'sha256-${sha256(SCRIPT)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/**
 * Plans as one self-contained HTML file, for reviewers who have a browser and nothing else: it needs
 * no network and no script, though filters do. Values that are marked sensitive are not in it.
 */
export function renderHtml(plans: readonly StackPlan[]): string {
  const page = (
    <Page
      reviews={plans.map(reviewStack)}
      css={CSS}
      script={SCRIPT}
      contentSecurityPolicy={CONTENT_SECURITY_POLICY}
    />
  );
  return `<!doctype html>\n${render(page)}\n`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
