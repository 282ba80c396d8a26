/** Changing a filed order in its place in the list. A march is changed where marches are planned. */
import { focusLater } from "../frame.js";
import { html, nothing } from "../lit.js";
import { title } from "../rules.js";
import * as march from "./march.js";
import { bare } from "./plan.js";
import { stepper } from "./stepper.js";

export function isEditable(item) {
  return ["move", "recruit", "build"].includes(item.kind);
}

/** `tool.editing`: {id, wanted: the order as changed so far, problem: why it was refused, saving} or null. */
export function beginEdit(m, page, tool, item) {
  if (item.kind === "move") {
    march.edit(m, item);
    page.show("hold");
    focusLater("march-heading");
    return;
  }
  tool.editing = { id: item.id, wanted: bare(item), problem: null, saving: false };
  m.changed();
  focusLater("edit-count", "edit-what");
}

export function editForm(m, tool, item, at) {
  const { wanted, problem, saving } = tool.editing;
  const set = (patch) => {
    tool.editing = { ...tool.editing, wanted: { ...tool.editing.wanted, ...patch }, problem: null };
    m.changed();
  };
  const leave = () => {
    tool.editing = null;
    m.changed();
    focusLater(`order-edit-${at}`);
  };
  const save = async (event) => {
    event.preventDefault();
    if (saving) return;
    tool.editing = { ...tool.editing, saving: true };
    m.changed();
    const failure = await m.rearrange((items) => items.map((other) => (other.id === item.id ? wanted : bare(other))));
    if (!failure || failure.code === "changed") {
      leave();
    } else {
      tool.editing = { ...tool.editing, saving: false, problem: failure.message };
      m.changed();
    }
  };
  const escape = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    leave();
  };
  return html`<form class="order-edit" aria-label="Change the order" @submit=${save} @keydown=${escape}>
    ${wanted.kind === "recruit" ? recruitFields(m, item, wanted, set) : buildField(m, item, wanted, set)}
    ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
    <div class="row"><button class="primary" aria-busy=${saving}>${saving ? "Saving …" : "Save the change"}</button><button type="button" @click=${leave}>Leave it</button></div>
  </form>`;
}

function recruitFields(m, item, wanted, set) {
  const rows = march.holdOptions(m, item.hold)?.recruit ?? [];
  const most = rows.find((row) => row.unit === wanted.unit)?.most ?? 0;
  const limit = wanted.unit === item.unit ? most + item.count : m.rules.limits.count[1];
  return html`<div class="row">
    ${stepper({ id: "edit-count", of: "recruits", value: wanted.count, least: 1, most: limit, changed: (count) => set({ count }) })}
    ${choice(rows.filter((row) => row.reason !== "cannot-raise"), "unit", item.unit, wanted.unit, (unit) => set({ unit }))}
  </div>`;
}

function buildField(m, item, wanted, set) {
  const rows = (march.holdOptions(m, item.hold)?.build ?? []).filter((row) => !row.reason || row.reason === "unaffordable");
  return choice(rows, "building", item.building, wanted.building, (building) => set({ building }));
}

function choice(rows, field, now, chosen, changed) {
  const names = rows.map((row) => row[field]);
  if (!names.includes(now)) names.unshift(now);
  return html`<select id="edit-what" aria-label=${title(field)} @change=${(event) => changed(event.target.value)}>
    ${names.map((name) => html`<option value=${name} ?selected=${name === chosen}>${title(name)}</option>`)}
  </select>`;
}
