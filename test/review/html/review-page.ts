import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import type { StackPlan } from "../../../src/core/documents/stack-plan";
import { renderHtml } from "../../../src/review/html/render-html";
import { chromiumPath } from "../../support/chromium";

/** Opens reviews from disk, as their readers do, in one browser. */
export class ReviewReader {
  private constructor(
    private readonly browser: Browser,
    private readonly directory: string,
  ) {}

  static async start(): Promise<ReviewReader> {
    const browser = await chromium.launch({
      executablePath: chromiumPath ?? "chromium",
      args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    });
    return new ReviewReader(browser, await mkdtemp(join(tmpdir(), "review-")));
  }

  async open(plans: readonly StackPlan[], options: BrowserContextOptions = {}): Promise<OpenPage> {
    return this.openText(renderHtml({ plans }), options);
  }

  async openText(html: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
    const path = join(this.directory, "plan.html");
    await writeFile(path, html);
    return this.openFile(path, options);
  }

  async openFile(path: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
    const context = await this.browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(5000);
    const problems: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("dialog", (dialog) => {
      problems.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => requests.push(request.url()));
    const url = pathToFileURL(path).href;
    await page.goto(url);
    return { page, problems, requests: () => requests.filter((request) => request !== url) };
  }

  async close(): Promise<void> {
    await this.browser.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}

export interface OpenPage {
  readonly page: Page;
  /** Messages of the browser console, errors of scripts and dialogs. */
  readonly problems: readonly string[];
  /** Requests other than for the file itself. */
  readonly requests: () => readonly string[];
}
