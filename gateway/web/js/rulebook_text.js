/** The rules page cut into its sections and rules, and what of it speaks of something. */
import { blocks, plain } from "./markdown.js";

const RULE = /^\*\*([A-Z]-\d+)\*\* +(.*)$/s;

/**
 * [{id, title, blocks}], the opening first. `id` is the letters of the section's first rule ("M"), else its number.
 * A block is one of markdown.js, or {kind: "rules", rules: [{id, text}]}.
 */
export function sectionsOf(source) {
  const sections = [{ id: "opening", title: "The rulebook", blocks: [] }];
  for (const block of blocks(source)) {
    if (block.kind === "heading" && block.level === 1) sections[0].title = block.text;
    else if (block.kind === "heading" && block.level === 2) sections.push({ id: null, title: block.text, blocks: [] });
    else sections.at(-1).blocks.push(withRules(block));
  }
  for (const section of sections) {
    const first = section.blocks.find((block) => block.kind === "rules");
    section.id ??= first ? first.rules[0].id.split("-")[0] : section.title.split(".")[0];
  }
  return sections;
}

function withRules(block) {
  if (block.kind !== "list" || !block.items.every((item) => RULE.test(item))) return block;
  return { kind: "rules", rules: block.items.map((item) => { const [, id, text] = RULE.exec(item); return { id, text }; }) };
}

/**
 * The sections with only what has all words of `wanted` in it; all of them without any. `count`: places found. A
 * section whose title has them is kept whole.
 */
export function within(sections, wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return sections.map((section) => ({ ...section, count: 0 }));
  const has = (text) => words.every((word) => plain(text).toLowerCase().includes(word));
  return sections.map((section) => {
    const kept = has(section.title) ? section.blocks : section.blocks.map((block) => partOf(block, has)).filter(Boolean);
    return { ...section, blocks: kept, count: kept.reduce((sum, block) => sum + sizeOf(block), 0) };
  }).filter((section) => section.count > 0);
}

function partOf(block, has) {
  const kept = (list, text) => list.filter((item) => has(text(item)));
  switch (block.kind) {
    case "rules": return filled({ ...block, rules: kept(block.rules, ({ id, text }) => `${id} ${text}`) });
    case "list": return filled({ ...block, items: kept(block.items, (item) => item) });
    case "table": return filled({ ...block, rows: kept(block.rows, (row) => row.join(" ")) });
    default: return has(block.text) ? block : null;
  }
}

function sizeOf(block) {
  return (block.rules ?? block.items ?? block.rows ?? [block]).length;
}

function filled(block) {
  return sizeOf(block) ? block : null;
}
