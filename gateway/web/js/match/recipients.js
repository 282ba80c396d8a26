/** Choosing to whom a new message goes. */
import { focusLater } from "../frame.js";
import { factionName } from "../factions.js";
import { html, nothing, repeat } from "../lit.js";
import { listed } from "../rules.js";
import { closeConversation, desk, nameOf, openConversation } from "./conversation.js";

export function recipients(m) {
  const tool = desk(m);
  const others = m.view.factions.filter((faction) => faction.id !== m.me && faction.eliminated_tick === null);
  const names = others.filter((faction) => tool.picked.has(faction.id)).map((faction) => faction.name);
  const toggle = (id) => {
    if (!tool.picked.delete(id)) tool.picked.add(id);
    m.changed();
  };
  const begin = async (event) => {
    event.preventDefault();
    if (!tool.picked.size) return;
    await openConversation(m, nameOf(tool.picked));
    focusLater("letter");
  };
  return html`<form class="recipients" @submit=${begin}>
    <h2>New message</h2>
    <fieldset><legend>To one player, or to several at once</legend>
      ${repeat(others, (faction) => faction.id, (faction) => html`<label class="recipient"><input type="checkbox" .checked=${tool.picked.has(faction.id)} @change=${() => toggle(faction.id)}>
        ${factionName(faction)} <span class="muted">${m.talk.allowance.per_player[faction.id] ?? 0} left this hour</span></label>`)}
    </fieldset>
    ${names.length > 1 ? html`<p class="muted">All of you see what is written there: ${listed(names)}. It counts once for the hour and once for each of them.</p>` : nothing}
    <div class="row"><button class="primary" ?disabled=${!names.length}>Write to ${names.length ? (names.length > 2 ? `${names.length} players` : listed(names)) : "…"}</button>
      <button type="button" @click=${() => closeConversation(m)}>Back</button></div>
  </form>`;
}
