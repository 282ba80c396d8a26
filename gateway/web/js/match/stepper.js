/** A number field with "fewer", "more" and, if there is a most, "all". */
import { icon } from "../icons.js";
import { html, ifDefined, live, nothing } from "../lit.js";

/**
 * `of`: what is counted, for the labels ("militia"); `changed(count)` with a whole number of `least` to `most`.
 * `allLabel`: the word on the button that takes the most, none without it.
 */
export function stepper({ id, of, value, least = 0, most, changed, allLabel = null }) {
  const set = (count) => changed(Math.max(least, most === undefined ? count : Math.min(most, count)));
  const typed = (event) => set(Math.trunc(Number(event.target.value)) || 0);
  const field = document.getElementById(id);
  const shown = field && field === document.activeElement && unfinished(field, least) ? field.value : String(value);
  return html`<div class="stepper" role="group" aria-label=${of}>
    <button type="button" aria-label=${`Fewer ${of}`} aria-disabled=${value <= least} @click=${() => set(value - 1)}>${icon("minus")}</button>
    <input id=${id} type="number" inputmode="numeric" step="1" min=${least} max=${ifDefined(most)} aria-label=${`Number of ${of}`}
      .value=${live(shown)} @input=${typed} @focus=${(event) => event.target.select()} @blur=${(event) => { event.target.value = String(value); }}>
    <button type="button" aria-label=${`More ${of}`} aria-disabled=${most !== undefined && value >= most} @click=${() => set(value + 1)}>${icon("plus")}</button>
    ${allLabel ? html`<button type="button" class="all" aria-label=${`${allLabel} ${of}`} @click=${() => set(most)}>${allLabel}</button>` : nothing}
  </div>`;
}

/** An empty field, or a number too small so far: whoever types goes on, and nothing is put in their way. */
const unfinished = (field, least) => field.value === "" || Number(field.value) < least;
