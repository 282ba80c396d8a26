/** What is sensible in this tick, whatever was done before: the most pressing first. */
import { listed, unitCount } from "../rules.js";
import { bestMarch, emptied, staying, threatened } from "./guide_ground.js";
import { memoryOf } from "./guide_memory.js";
import { marchWords, planMarch, totalIdle } from "./guide_steps.js";
import { openHold } from "./hold_link.js";
import { leftUndone } from "./idle.js";

/** [{id, title, why, urgent, label, steps: first steps that say the same, go(m, page)}] */
export function adviceOf(m) {
  return ADVISERS.map((advise) => advise(m)).filter(Boolean);
}

/** So many may well stay as garrisons. */
const GARRISON = 5;

const ADVISERS = [
  (m) => {
    const refused = m.plan.drafts.items.filter((draft) => draft.state === "refused" || draft.state === "late");
    return refused.length && {
      id: "refused", urgent: true, title: refused.length === 1 ? "An order was not taken" : `${refused.length} orders were not taken`,
      why: refused[0].problem?.detail ?? "Its tick went without it.", go: (_, page) => page.show("orders"),
    };
  },
  (m) => {
    const danger = threatened(m);
    return danger && {
      id: "threat", urgent: true, title: `${m.name(danger.hold)} is in danger`,
      why: `${danger.foes} units that are no friends of yours stand next door at ${m.name(danger.near)}; ${staying(m, danger.hold)} of yours would stay. Recruit there, put up walls, or bring help.`,
      go: (_, page) => openHold(m, page, danger.hold),
    };
  },
  (m) => {
    const offers = m.view.proposals.filter((proposal) => proposal.to === m.me).map((proposal) => m.faction(proposal.from)?.name);
    const answered = m.plan.items.some((order) => order.kind === "accept");
    return offers.length && !answered && {
      id: "offer", urgent: true, title: `${listed(offers)} ${offers.length === 1 ? "offers" : "offer"} you a pact`,
      why: "Accept it, or let it lie: it stays open until it is taken back.", go: (_, page) => page.show("diplomacy"),
    };
  },
  (m) => m.view.tick > memoryOf(m).reportTick && {
    id: "report", urgent: true, title: `Read the report of tick ${m.view.tick}`,
    why: "What came of your orders, and what happened where you could see it.", go: (_, page) => page.show("report"),
  },
  (m) => {
    const [empty] = emptied(m);
    return empty && {
      id: "empty", steps: ["garrison"], title: `Nobody stays at ${m.name(empty)}`,
      why: "Whoever walks in there takes it. Leave some units behind, or recruit there.", go: (_, page) => openHold(m, page, empty),
    };
  },
  (m) => {
    const plan = bestMarch(m);
    return plan && { id: "march", title: `Take ${m.name(plan.target)}`, why: marchWords(m), label: "Plan it", go: planMarch };
  },
  (m) => leftUndone(m).research && {
    id: "research", title: "Nothing is being researched",
    why: "A technology that runs costs nothing more, and time without one is gone.", go: (_, page) => page.show("research"),
  },
  (m) => {
    const row = leftUndone(m).spend.find((one) => one.own);
    return row && {
      id: "spend", steps: ["recruit", "build"], title: "You have means to spend", why: `Stock pays nothing while it lies. Recruit or build at ${m.name(row.hold)}.`,
      go: (_, page) => openHold(m, page, row.hold),
    };
  },
  (m) => {
    const idle = totalIdle(m);
    return idle > GARRISON && !bestMarch(m) && {
      id: "idle", title: `${unitCount("unit", idle)} ${idle === 1 ? "stands" : "stand"} idle`,
      why: "They guard where they are. Nothing weak enough is in reach just now: gather them for a stronger march, or see further with a watch.",
      go: (_, page) => openHold(m, page, leftUndone(m).idle[0].hold),
    };
  },
];
