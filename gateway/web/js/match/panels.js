/** The panels beside the map, in the order of their tabs. */
import { diplomacyPanel } from "./diplomacy.js";
import { endPanel } from "./end.js";
import { guidePanel } from "./guide.js";
import { holdPanel } from "./hold.js";
import { messagesPanel } from "./messages.js";
import { ordersPanel } from "./orders.js";
import { reportPanel } from "./report.js";
import { researchPanel } from "./research.js";

const unread = (m) => (m.talk?.items ?? []).reduce((sum, conversation) => sum + conversation.unread, 0);
const offers = (m) => (m.running ? m.view.proposals.filter((proposal) => proposal.to === m.me).length : 0);
const filed = (m) => (m.running ? m.plan.items.length + m.plan.drafts.items.length : 0);

/** `count`: a number to show on the tab (0 shows none); `when`: whether the tab is there at all. */
export const PANELS = [
  { name: "end", label: "Outcome", icon: "flag", draw: endPanel, when: (m) => m.ended },
  { name: "hold", label: "Hold", icon: "hold", draw: holdPanel },
  { name: "orders", label: "Orders", icon: "orders", draw: ordersPanel, count: filed },
  { name: "report", label: "Report", icon: "report", draw: reportPanel },
  { name: "research", label: "Research", icon: "research", draw: researchPanel },
  { name: "diplomacy", label: "Diplomacy", icon: "pact", draw: diplomacyPanel, count: offers },
  { name: "messages", label: "Messages", icon: "message", draw: messagesPanel, count: unread },
  { name: "guide", label: "Guide", icon: "guide", draw: guidePanel, when: (m) => m.running },
];
