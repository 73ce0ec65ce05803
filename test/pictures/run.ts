/**
 * Takes the pictures of the README again, from a run of its stack: the review in the browser, which
 * needs Chromium, and the recording of a terminal.
 *
 *   npm run pictures
 */
import { writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { chromiumPath } from "../support/chromium";
import { pageText, REVIEW, TERMINAL, terminalPicture } from "./files";
import { withText } from "./png-text";
import { playScenes } from "./scenario";

/** A little wider than a README on GitHub. The picture has twice the pixels, for dense screens. */
const VIEWPORT = { width: 960, height: 780 };

async function main(): Promise<void> {
  const scenes = await playScenes();
  const browser = await chromium.launch({
    executablePath: chromiumPath ?? "chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage({ viewport: VIEWPORT, deviceScaleFactor: 2 });
    await page.setContent(scenes.page);
    const picture = await page.screenshot();
    writeFileSync(REVIEW, withText(picture, pageText(scenes)));
  } finally {
    await browser.close();
  }
  writeFileSync(TERMINAL, terminalPicture(scenes));
  process.stdout.write(`Wrote ${REVIEW} and ${TERMINAL}\n`);
}

void main();
