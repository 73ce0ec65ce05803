import { readFileSync } from "node:fs";
import { pageText, REVIEW, TERMINAL, terminalPicture } from "./files";
import { textIn, withText } from "./png-text";
import { playScenes, type Scenes } from "./scenario";

// If a test fails, look at the difference, and run: npm run pictures

let scenes: Scenes;
beforeAll(async () => {
  scenes = await playScenes();
});

test("the recording in the README shows what the commands print", () => {
  expect(readFileSync(TERMINAL, "utf8")).toBe(terminalPicture(scenes));
});

test("the review in the README shows what the plan writes", () => {
  expect(textIn(readFileSync(REVIEW))).toBe(pageText(scenes));
});

test("the review shows a change that weakens protection, and the containers that it affects", () => {
  expect(pageText(scenes)).toMatch(/Weaker\n1\n[^]*of 350 running containers lose the block/);
});

test("a picture without the text of the page has none", () => {
  const picture = readFileSync(REVIEW);
  const text = textIn(picture) ?? "";
  const [start, end] = [
    picture.indexOf("iTXt") - 4,
    picture.indexOf(text) + Buffer.byteLength(text) + 4,
  ];
  const bare = Buffer.concat([picture.subarray(0, start), picture.subarray(end)]);
  expect(textIn(bare)).toBeUndefined();
  expect(withText(bare, text).equals(picture)).toBe(true);
});
