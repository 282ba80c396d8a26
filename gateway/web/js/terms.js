/** Words of the rules that explain themselves on hover, focus or tap. */
import { FORMS, SHY } from "./glossary.js";
import { BUILDING_WORDS, UNIT_WORDS } from "./glossary_things.js";
import { html } from "./lit.js";
import { title } from "./rules.js";
import * as card from "./term_card.js";

/**
 * The word as an inline button with its explanation: `term("garrison")`, `term("muster-hall")`, or with other words on
 * it: `term("pact", "your pacts")`. Not for use inside a button, a link or a label.
 */
export function term(name, shown = null) {
  const entry = FORMS.get(name) ?? name;
  return html`<button type="button" class="term" data-term=${entry} @pointerenter=${card.pointed} @pointerleave=${card.pointedAway}
    @focus=${card.focused} @blur=${card.blurred} @click=${card.pressed}>${shown ?? title(name).toLowerCase()}</button>`;
}

/** A text with the first of each word that the rules explain marked as a term: a list for a template. */
export function withTerms(text) {
  const marked = new Set();
  return text.split(PATTERN).map((piece, at) => {
    if (at % 2 === 0) return piece;
    const form = piece.toLowerCase();
    const name = FORMS.get(form) ?? THINGS.get(form);
    if (marked.has(name)) return piece;
    marked.add(name);
    return term(name, piece);
  });
}

/** Units and buildings as they are written in texts: "muster hall", "outriders". */
const THINGS = new Map([...Object.keys(UNIT_WORDS), ...Object.keys(BUILDING_WORDS)].flatMap((name) => {
  const written = name.replaceAll("-", " ");
  return [[written, name], [`${written}s`, name], [written.replace(/ch$/, "ches"), name]];
}));

const PATTERN = new RegExp(`\\b(${[...FORMS].filter(([, name]) => !SHY.has(name)).map(([form]) => form).concat([...THINGS.keys()])
  .sort((one, other) => other.length - one.length).join("|")})\\b`, "i");
