import type { ComponentChildren } from "preact";

export interface DocumentProps {
  readonly title: string;
  /** Texts of ours, as they are. */
  readonly css: string;
  readonly script: string;
  readonly contentSecurityPolicy: string;
  readonly children: ComponentChildren;
}

/** A whole document. Nothing in it is loaded from anywhere. */
export function Document({ title, css, script, contentSecurityPolicy, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={contentSecurityPolicy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>
        {children}
        <footer>Made by cdktf-console.</footer>
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  );
}
