/** What stands between oneself and each other faction, read from the view and the options. */

/** Who a faction's seat belongs to: {handle, bot, resigned, ...} of the match's detail, or null. */
export function seatOf(m, faction) {
  return m.detail.seats.find((seat) => seat.faction === faction) ?? null;
}

/**
 * {faction, seat, option, pact, truce, offered, asked}: `option` what may be filed (null while nothing may), `pact` and
 * `truce` as in the view or null, `offered` the proposal it made to oneself, `asked` the one made to it.
 */
export function standing(m, faction) {
  const between = (row) => row.members.includes(faction.id) && row.members.includes(m.me);
  const proposal = (from, to) => m.view.proposals.find((row) => row.from === from && row.to === to) ?? null;
  return {
    faction,
    seat: seatOf(m, faction.id),
    option: m.options?.factions.find((row) => row.faction === faction.id) ?? null,
    pact: m.view.pacts.find(between) ?? null,
    truce: m.view.truces.find(between) ?? null,
    offered: proposal(faction.id, m.me),
    asked: proposal(m.me, faction.id),
  };
}

/** All others: offers to oneself first, then partners, truces, those who were asked, the rest; the eliminated last. */
export function standings(m) {
  const rank = ({ faction, offered, pact, truce, asked }) =>
    faction.eliminated_tick !== null ? 9 : [offered, pact, truce, asked, true].findIndex(Boolean);
  return m.view.factions.filter((faction) => faction.id !== m.me).map((faction) => standing(m, faction))
    .sort((one, other) => rank(one) - rank(other) || one.faction.seat - other.faction.seat);
}

/** The faction an order of diplomacy is about; null for orders of other kinds. */
export function addressee(order) {
  return { propose: order.to, accept: order.from, break: order.with }[order.kind] ?? null;
}
