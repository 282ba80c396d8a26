/** Breaking a pact: what follows is said before it is filed. */
import { ask } from "../dialog.js";
import { html, nothing } from "../lit.js";
import { title, total, unitsText } from "../rules.js";

/** Files the break with `other` (a faction's id) if the player still wants it, knowing what follows. */
export async function breakPact(m, other) {
  const partner = m.faction(other);
  const sure = await ask({
    title: `Break the pact with ${partner.name}?`,
    text: consequences(m, partner),
    yes: "Break the pact",
    no: "Keep the pact",
    danger: true,
  });
  if (sure) await m.file({ kind: "break", with: other });
}

function consequences(m, partner) {
  return html`<p>When tick ${m.options.tick} is resolved:</p>
    <ul class="consequences">
      <li><strong>Shared sight ends at once.</strong> You no longer see what ${partner.name} sees, and it no longer sees what you see. What was seen stays remembered.</li>
      ${truce(m)}
      <li><strong>Everybody is told</strong> that the pact is broken and that you broke it.</li>
      <li><strong>Room for another pact</strong> is there from the next tick on, not yet in this one.</li>
      ${guests(m, partner)}
    </ul>
    <p class="muted">Until the tick you can take the order back, and ${partner.name} learns nothing of it.</p>`;
}

function truce(m) {
  const ticks = m.rules.limits.truce_ticks;
  const last = m.options.tick + ticks - 1;
  const emissaries = m.rules.techs.get("emissaries");
  return html`<li><strong>A truce of ${ticks} ticks follows,</strong> this one counted: friendly through tick ${last}, hostile from tick ${last + 1}.
    ${emissaries ? shorter(emissaries, m.view.techs.includes(emissaries.tech)) : nothing}</li>`;
}

function shorter({ tech, effect }, known) {
  return known
    ? html`<strong>You know ${title(tech)}</strong> (${effect}): take that off, for both of you.`
    : html`Whoever breaks a pact and knows ${title(tech)} (${effect}) takes that off for both.`;
}

/** Units of either on the other's ground, as far as one knows. */
function guests(m, partner) {
  const mine = m.view.forces.filter((force) => m.view.holds.find((hold) => hold.id === force.hold)?.owner === partner.id);
  const theirs = m.view.holds.filter((hold) => hold.owner === m.me && total(hold.garrison?.[partner.id]) > 0);
  if (!mine.length && !theirs.length) return nothing;
  return html`<li><strong>Guests become foes after the truce:</strong> they fight in the first hostile tick unless they have marched off.
    <ul>
      ${mine.map((force) => html`<li>Your ${unitsText(force.units)} on ${m.name(force.hold)}</li>`)}
      ${theirs.map((hold) => html`<li>Its ${unitsText(hold.garrison[partner.id])} on your ${m.name(hold.id)}</li>`)}
    </ul></li>`;
}
