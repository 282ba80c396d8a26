/** The first steps of a player, in the order of the rulebook's own getting started. Done is what the state shows. */
import { title, total, unitsText } from "../rules.js";
import { bestMarch, emptied, neighbours, ownHolds } from "./guide_ground.js";
import { memoryOf } from "./guide_memory.js";
import { openHold } from "./hold_link.js";
import { leftUndone } from "./idle.js";
import * as march from "./march.js";

/** True if an order of that kind is on file, or was carried out in a tick whose report is here. */
function ordered(m, kind) {
  if (m.plan.items.some((order) => order.kind === kind)) return true;
  return [...m.reports.values()].some((report) => report?.report.orders.some((order) => order.kind === kind && order.status === "done"));
}

const home = (m) => ownHolds(m)[0]?.id ?? null;
const spendable = (m, what) => leftUndone(m).spend.find((row) => row.own && row[what].some((choice) => !choice.reason)) ?? null;
const people = (m) => m.detail.seats.filter((seat) => seat.seat !== m.detail.your_seat && seat.bot === null);

/** Plans the march that pays best, ready to be looked at and filed. */
export function planMarch(m, page) {
  const plan = bestMarch(m);
  if (!plan) return openHold(m, page, home(m));
  page.show("hold");
  march.begin(m, plan.origin);
  march.setAllUnits(m, plan.units);
  march.tap(m, plan.target);
  return page.map?.focus(plan.target);
}

export function marchWords(m) {
  const plan = bestMarch(m);
  return plan && `${m.name(plan.target)} is guarded by ${plan.guards || "no"} militia and pays ${plan.yields} a tick. ${unitsText(plan.units)} from ${m.name(plan.origin)} outnumber them; the rest stay as a garrison.`;
}

/**
 * {id, title, why(m), done(m), can(m): whether it makes sense now, go(m, page)}. A step that was done once stays done.
 */
export const STEPS = [
  {
    id: "look", title: "Look at your hold",
    why: (m) => `${m.name(home(m))} is where you begin. Its yield, its garrison and all that it can do stand on one sheet.`,
    done: (m) => m.plan.items.length > 0 || m.view.tick > 0 || m.view.holds.some((hold) => hold.id === m.selected && hold.owner === m.me),
    can: (m) => home(m) !== null,
    go: (m, page) => openHold(m, page, home(m)),
  },
  {
    id: "march", title: "Send most of your militia out",
    why: (m) => marchWords(m) ?? "Every hold you take pays each tick from then on, so the first ticks count most.",
    done: (m) => ordered(m, "move"),
    can: (m) => bestMarch(m) !== null,
    go: planMarch,
  },
  {
    id: "recruit", title: "Recruit with what is left",
    why: () => "Recruits stand in the garrison before anybody marches: they guard the hold this tick and can march in the next.",
    done: (m) => ordered(m, "recruit"),
    can: (m) => spendable(m, "recruit") !== null,
    go: (m, page) => openHold(m, page, spendable(m, "recruit").hold),
  },
  {
    id: "research", title: "Start a technology for your yield",
    why: (m) => {
      const first = m.options?.techs.find((row) => !row.reason && m.rules.techs.get(row.tech)?.field === "economy");
      return `${first ? `${title(first.tech)} gives ${m.rules.techs.get(first.tech).effect}. ` : ""}What raises your yield early pays for everything after it. It is paid once and runs by itself.`;
    },
    done: (m) => m.view.research !== null || m.view.techs.length > 0 || ordered(m, "research"),
    can: (m) => leftUndone(m).research,
    go: (_, page) => page.show("research"),
  },
  {
    id: "build", title: "Put up a building",
    why: () => "A building stays with the ground. Those that yield pay for themselves within a few ticks; walls and a watch guard you.",
    done: (m) => ordered(m, "build"),
    can: (m) => spendable(m, "build") !== null,
    go: (m, page) => openHold(m, page, spendable(m, "build").hold),
  },
  {
    id: "garrison", title: "Keep a garrison at home",
    why: (m) => (emptied(m).length ? `After your plan nobody is left in ${m.name(emptied(m)[0])}. Anybody may walk in.` : "Who marches does not defend the hold it left, and an empty hold is taken by walking in."),
    done: (m) => ordered(m, "move") && emptied(m).length === 0,
    can: (m) => emptied(m).length > 0,
    go: (m, page) => openHold(m, page, emptied(m)[0] ?? home(m)),
  },
  {
    id: "report", title: "Read the report after the tick",
    why: () => "It tells what became of each order, every battle that you saw, and why something failed.",
    done: (m) => memoryOf(m).reportTick > 0,
    can: (m) => m.view.tick > 0,
    go: (_, page) => page.show("report"),
  },
  {
    id: "pact", title: "Look at your neighbours and propose a pact",
    why: (m) => {
      const near = neighbours(m).map((id) => m.faction(id)?.name).filter(Boolean);
      const seen = near.length ? `In sight: ${near.slice(0, 3).join(", ")}. ` : "";
      return `${seen}Partners do not fight each other and see what the other sees. A proposal becomes known to them at the tick.`;
    },
    done: (m) => ordered(m, "propose") || ordered(m, "accept") || m.view.pacts.some(({ members }) => members.includes(m.me)) || m.view.proposals.some(({ from }) => from === m.me),
    can: (m) => m.options?.factions.some((row) => !row.propose) ?? false,
    go: (_, page) => page.show("diplomacy"),
  },
  {
    id: "write", title: "Write to another player",
    why: (m) => `${people(m).length === 1 ? "One seat is" : `${people(m).length} seats are`} led by people. Messages go at once and stay between those who get them; most wars are decided there.`,
    done: (m) => (m.talk?.items.length ?? 0) > 0,
    can: (m) => people(m).length > 0,
    go: (_, page) => page.show("messages"),
  },
];

/** Steps that this match has no use for are left out. */
export function stepsOf(m) {
  return STEPS.filter((step) => step.id !== "write" || people(m).length > 0);
}

export const totalIdle = (m) => leftUndone(m).idle.reduce((sum, row) => sum + total(row.move.units), 0);
