/** A line of the rulebook: rules that it names are links, and what was searched for is marked. */
import { html } from "../lit.js";
import { inline } from "../markdown.js";
import { to } from "../router.js";

const RULE = /\b([A-Z]-\d\d)\b/;

export function ruleText(text, wanted = "") {
  const words = wanted.trim().split(/\s+/).filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = words.length ? new RegExp(`(${words.join("|")})`, "i") : null;
  const marked = (piece) => (found ? piece.split(found).map((part, at) => (at % 2 ? html`<mark>${part}</mark>` : part)) : piece);
  return inline(text, (plain) => plain.split(RULE).map((part, at) => (at % 2 ? html`<a href=${to("rules", part)}>${marked(part)}</a>` : marked(part))));
}
