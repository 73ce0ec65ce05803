import { createHash } from "node:crypto";
import type { ComponentChildren } from "preact";
import { render } from "preact-render-to-string";

interface DocumentProps {
  readonly title: string;
  readonly css: string;
  /** Absent for a page without a script. */
  readonly script?: string;
  readonly children: ComponentChildren;
}

/** Renders one self-contained file for a browser, which loads nothing. */
export function renderDocument(props: DocumentProps): string {
  return `<!doctype html>\n${render(<Document {...props} />)}\n`;
}

function Document({ title, css, script, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policyOf(css, script)} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>
        {children}
        <footer>Made by cdktf-console.</footer>
        {script !== undefined && <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>
  );
}

/** Allows only this style and this script, and nothing from elsewhere: names are text only. */
function policyOf(css: string, script: string | undefined): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${sha256(css)}'`,
    ...(script === undefined ? [] : [`script-src 'sha256-${sha256(script)}'`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
