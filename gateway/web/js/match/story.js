/** What a tick comes to, in one line. */
import { title } from "../rules.js";
import { outcome } from "./outcome.js";
import { called, capital, counted } from "./sides.js";

/** "Two holds taken, one battle lost"; `view`: of after the tick. */
export function headline(m, report, view) {
  const { balance, battles, orders, public: news } = report;
  const fights = battles.map((battle) => outcome(m, battle, view).kind);
  const count = (kind) => fights.filter((each) => each === kind).length;
  const own = battles.filter((battle) => battle.owner_before === m.me).map((battle) => outcome(m, battle, view).kind);
  const heldOwn = own.filter((kind) => kind === "held").length;
  const mine = (members) => members.includes(m.me);
  const other = (members) => called(m, members.find((id) => id !== m.me));
  const failed = orders.filter((order) => order.status === "failed").length;
  const parts = [
    news.end && (news.end.winner === m.me ? "you have won" : `${called(m, news.end.winner)} has won`),
    news.eliminated.includes(m.me) && "you are eliminated",
    balance.holds_gained.length && `${counted(balance.holds_gained.length, "hold")} taken`,
    balance.holds_lost.length && `${counted(balance.holds_lost.length, "hold")} lost`,
    count("beaten") && `${counted(count("beaten"), "battle")} lost`,
    heldOwn && `${counted(heldOwn, "attack")} beaten off`,
    count("fought") + count("held") - heldOwn > 0 && `${counted(count("fought") + count("held") - heldOwn, "battle")} fought`,
    ...news.pacts_broken.filter(({ members }) => mine(members)).map(({ members, by }) =>
      by.includes(m.me) ? `pact with ${other(members)} broken` : `${other(members)} has broken the pact`),
    ...news.pacts_formed.filter(mine).map((members) => `a pact with ${other(members)}`),
    ...balance.techs_gained.map((tech) => `${title(tech)} learned`),
  ].filter(Boolean);
  if (!parts.length && failed) parts.push(`${counted(failed, "order")} failed`);
  if (!parts.length && balance.units_gained.length + balance.buildings_gained.length) parts.push("your holds grow");
  return capital(parts.slice(0, 3).join(", ")) || "A quiet tick";
}
