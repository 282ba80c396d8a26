/** The map's buttons, and the search for a hold by its name. */
import { icon } from "../icons.js";
import { html, nothing } from "../lit.js";

const MOST_FOUND = 6;

/** `on`: {zoom(factor), fit(), home(), search(text or null), visit(id)}; `search`: null while closed, else its text. */
export function controls(m, search, on) {
  return html`<div class="map-controls" role="group" aria-label="The map's view">
    <button class="tool" aria-label="Find a hold" title="Find a hold" aria-expanded=${search !== null} @click=${() => on.search(search === null ? "" : null)}>${icon("search")}</button>
    <button class="tool" aria-label="My holds" title="My holds" @click=${on.home}>${icon("flag")}</button>
    <button class="tool" aria-label="The whole map" title="The whole map (0)" @click=${on.fit}>${icon("fit")}</button>
    <button class="tool" aria-label="Zoom in" title="Zoom in (+)" @click=${() => on.zoom(1.6)}>${icon("plus")}</button>
    <button class="tool" aria-label="Zoom out" title="Zoom out (-)" @click=${() => on.zoom(1 / 1.6)}>${icon("minus")}</button>
  </div>
  ${search === null ? nothing : finder(m, search, on)}`;
}

function finder(m, text, on) {
  const found = matching(m.graph.holds, text);
  const first = (event) => {
    event.preventDefault();
    if (found.length) on.visit(found[0].id);
  };
  const left = (event) => {
    if (event.key === "Escape") on.search(null);
  };
  return html`<form class="map-finder" role="search" aria-label="Holds" @submit=${first} @keydown=${left}>
    <label class="hidden-visually" for="find-hold">Name of a hold</label>
    <input id="find-hold" type="search" autocomplete="off" placeholder="Name of a hold" .value=${text} @input=${(event) => on.search(event.target.value)}>
    ${text ? html`<ul class="plain" aria-live="polite">
      ${found.map((hold) => html`<li><button type="button" class="bare" @click=${() => on.visit(hold.id)}>${hold.name}</button></li>`)}
      ${found.length ? nothing : html`<li class="muted">No hold has such a name.</li>`}
    </ul>` : nothing}
  </form>`;
}

/** Holds whose name has the text in it, those that begin with it first. */
export function matching(holds, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const has = holds.filter((hold) => hold.name.toLowerCase().includes(wanted));
  const begins = (hold) => hold.name.toLowerCase().startsWith(wanted);
  return has.sort((one, other) => begins(other) - begins(one) || one.name.localeCompare(other.name)).slice(0, MOST_FOUND);
}
