/** One field of a form with its label, its hint and the server's complaint about it. */
import { Problem } from "./api.js";
import { html, ifDefined, live, nothing } from "./lit.js";

/**
 * `field`: {id, label, hint, value, problem, input(value), type, attributes: {name, min, max, minlength, maxlength,
 * pattern, autocomplete, required, inputmode, placeholder}}. `problem`: words or null.
 */
export function field({ id, label, hint, value, problem, input, type = "text", attributes = {}, after = nothing }) {
  const a = attributes;
  const described = [problem ? `${id}-problem` : null, hint ? `${id}-hint` : null].filter(Boolean).join(" ");
  return html`<div class="field"><label for=${id}>${label}</label>
    <div class="field-line"><input id=${id} type=${type} name=${a.name ?? id} .value=${live(String(value))} ?required=${a.required}
      min=${ifDefined(a.min)} max=${ifDefined(a.max)} minlength=${ifDefined(a.minlength)} maxlength=${ifDefined(a.maxlength)}
      pattern=${ifDefined(a.pattern)} autocomplete=${ifDefined(a.autocomplete)} inputmode=${ifDefined(a.inputmode)}
      placeholder=${ifDefined(a.placeholder)} autocapitalize=${ifDefined(a.autocapitalize)} spellcheck=${ifDefined(a.spellcheck)}
      aria-invalid=${problem ? "true" : "false"} aria-describedby=${ifDefined(described || undefined)}
      @input=${(event) => input(event.target.value)}>${after}</div>
    ${problem ? html`<p class="field-problem" id=${`${id}-problem`} role="alert">${problem}</p>` : nothing}
    ${hint ? html`<small id=${`${id}-hint`}>${hint}</small>` : nothing}</div>`;
}

const BOUNDS = [
  [/^Expected `str` of length >= (\d+)/, (n) => (n === "1" ? "This cannot be empty." : `At least ${n} characters.`)],
  [/^Expected `str` of length <= (\d+)/, (n) => `At most ${n} characters.`],
  [/^Expected `(?:int|float)` >= (\d+)/, (n) => `${n} or more.`],
  [/^Expected `(?:int|float)` <= (\d+)/, (n) => `${n} or fewer.`],
  [/^Expected `int`/, () => "A whole number."],
];

/** What an error says about a form: {field: name of the field or null, words}. */
export function complaint(error, byCode = {}) {
  if (!(error instanceof Problem)) return { field: null, words: error.message };
  const known = byCode[error.code];
  if (known) return { field: known.field ?? null, words: known.words ?? error.message };
  const at = / - at `\$\.([\w.]+)`$/.exec(error.message) ?? /^settings: settings\.(\w+):/.exec(error.message);
  const bare = error.message.replace(/ - at `\$[^`]*`$/, "").replace(/^settings: settings\.\w+: /, "");
  for (const [pattern, words] of BOUNDS) {
    const found = pattern.exec(bare);
    if (found) return { field: at?.[1].split(".").at(-1) ?? null, words: words(found[1]) };
  }
  return { field: at?.[1].split(".").at(-1) ?? null, words: bare };
}
