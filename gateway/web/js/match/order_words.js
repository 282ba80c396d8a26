/** What an order says, in words. */
import { listed, title, unitsText } from "../rules.js";

/** "Recruit 5 militia at Cinder Gate", as text; `m` gives names. */
export function orderText(m, order) {
  const faction = (id) => m.faction(id)?.name ?? id;
  switch (order.kind) {
    case "move": {
      const via = order.path.slice(0, -1).map((hold) => m.name(hold));
      const way = via.length ? ` by way of ${listed(via)}` : "";
      return `March ${unitsText(order.units)} from ${m.name(order.origin)} to ${m.name(order.path.at(-1))}${way}`;
    }
    case "recruit": return `Recruit ${unitsText({ [order.unit]: order.count })} at ${m.name(order.hold)}`;
    case "build": return `Build a ${title(order.building).toLowerCase()} on ${m.name(order.hold)}`;
    case "research": return `Research ${title(order.tech)}`;
    case "propose": return `Propose a pact to ${faction(order.to)}`;
    case "accept": return `Accept the pact that ${faction(order.from)} offers`;
    case "break": return `Break with ${faction(order.with)}`;
    default: return order.kind;
  }
}

/** The sign of an order's kind. */
export const ORDER_ICONS = {
  move: "march", recruit: "recruit", build: "build", research: "research", propose: "pact", accept: "pact", break: "break",
};

/** The holds on the map that an order is about, the first one first. */
export function orderHolds(order) {
  if (order.kind === "move") return [order.origin, ...order.path];
  return order.hold ? [order.hold] : [];
}
