import { createHash } from "node:crypto";
import type { VNode } from "preact";
import { render } from "preact-render-to-string";
import type { Diagnostic } from "../../provider/diagnostics";
import type { StackPlan } from "../../runtime/documents/plan";
import { printable } from "../text/quote";
import { reviewStack } from "../overview";
import { runInBrowser } from "./browser";
import { Document } from "./document";
import { FailurePage } from "./failure-page";
import { Page } from "./page";
import { CSS } from "./css";

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
  const [first, ...others] = plans;
  const title =
    first && others.length === 0
      ? `Plan of ${printable(first.stack)}`
      : `Plan of ${plans.length} stacks`;
  return html(title, <Page title={title} reviews={plans.map(reviewStack)} />);
}

/** The same where there is no plan: why. */
export function renderFailureHtml(diagnostics: readonly Diagnostic[]): string {
  return html("Planning failed", <FailurePage diagnostics={diagnostics} />);
}

function html(title: string, content: VNode): string {
  const page = (
    <Document
      title={title}
      css={CSS}
      script={SCRIPT}
      contentSecurityPolicy={CONTENT_SECURITY_POLICY}
    >
      {content}
    </Document>
  );
  return `<!doctype html>\n${render(page)}\n`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
