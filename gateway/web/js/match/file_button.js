/** A button that files an order: shows that it is under way and what came of it, and never files twice for two taps. */
import { icon } from "../icons.js";
import { html, nothing } from "../lit.js";

const REST_MS = 900;
const FACES = {
  asked: () => html`${icon("waiting")}Filing …`,
  filed: () => html`${icon("check")}Filed`,
  left: () => html`${icon("waiting")}Not filed`,
};

/**
 * `key` names the button in this match; `order()` -> what is filed; `rested()` is called when the button is free
 * again; `off`: it can be reached, but files nothing; `plain`: one of many. It is never `disabled` nor taken away, for
 * that would lose the focus.
 */
export function fileButton(m, { key, label, order, off = false, plain = false, rested = () => {}, describedBy = nothing }) {
  const faces = (m.tools.filing ??= new Map());
  const face = faces.get(key);
  const press = async () => {
    if (faces.has(key) || off) return;
    faces.set(key, "asked");
    m.changed();
    const draft = await m.file(order());
    faces.set(key, draft ? "left" : "filed");
    m.changed();
    setTimeout(() => {
      faces.delete(key);
      rested();
      m.changed();
    }, REST_MS);
  };
  return html`<button type="button" class=${plain ? "" : "primary"} aria-disabled=${off || face !== undefined} aria-busy=${face === "asked"}
    aria-describedby=${describedBy} @click=${press}>${face ? FACES[face]() : label}</button>`;
}
