/** Whose messages one wants: blocking an account, and switching messages off for this match. Nobody is told of either. */
import { ask } from "../dialog.js";
import { factionName } from "../factions.js";
import { html } from "../lit.js";
import { accounts, talk } from "../server.js";
import { desk, parties } from "./conversation.js";
import { seatOf } from "./pacts.js";

/** Reads anew which accounts are blocked. */
export async function readBlocks(m) {
  await m.attempt(async () => {
    desk(m).blocked = new Set((await accounts.blocks()).map((row) => row.handle));
  });
  m.changed();
}

/** The players of a conversation, each with what can be done. */
export function people(m, name) {
  const tool = desk(m);
  return html`<ul class="plain people card" aria-label="Players of this conversation">
    ${parties(m, name).map((faction) => html`<li>${factionName(faction)} ${player(m, tool, seatOf(m, faction.id))}</li>`)}
  </ul>`;
}

function player(m, tool, seat) {
  if (seat?.bot) return html`<span class="muted">computer player; cannot be blocked</span>`;
  if (!seat?.handle) return html`<span class="muted">account deleted; cannot be blocked</span>`;
  const { handle } = seat;
  if (tool.blocked === null) return html`<span class="muted">${handle}</span>`;
  return html`<span class="muted">${handle}</span> ${tool.blocked.has(handle)
    ? html`<span class="tag bad">blocked</span><button @click=${() => unblock(m, handle)} aria-label=${`Unblock ${handle}`}>Unblock</button>`
    : html`<button @click=${() => askToBlock(m, handle)} aria-label=${`Block ${handle}`}>Block …</button>`}`;
}

/** Says what a block does (G-03) before it is made. */
async function askToBlock(m, handle) {
  const sure = await ask({
    title: `Block ${handle}?`,
    text: html`<ul>
      <li>Nothing that ${handle} writes reaches you any more: in this match, in every other, and to a group that you are in, where nobody gets it.</li>
      <li>${handle} is not told. It reads “This message cannot be delivered now.”, the same words as for a full inbox.</li>
      <li>You can still write to ${handle}, and what has been said stays.</li>
      <li>The block holds until you lift it, here or on your account's page.</li>
    </ul>`,
    yes: `Block ${handle}`,
    no: "Leave it",
    danger: true,
  });
  if (sure) await block(m, handle);
}

async function block(m, handle) {
  await m.attempt(() => accounts.block(handle));
  await readBlocks(m);
}

async function unblock(m, handle) {
  await m.attempt(() => accounts.unblock(handle));
  await readBlocks(m);
}

/** The switch for the whole match, with what it does. */
export function switchOff(m) {
  const flip = (event) => m.attempt(async () => {
    await talk.switchOff(m.id, !event.target.checked);
    await m.refreshTalk();
    m.tell("messages");
  });
  return html`<label class="talk-switch"><input type="checkbox" .checked=${!m.talk.off} @change=${flip}>
    <span>Receive messages in this match<small class="muted">Off: nobody's messages reach you here, and nobody is told so.</small></span></label>`;
}
