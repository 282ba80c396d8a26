/** Word between the tabs of this browser, so that they agree without asking the server every second. */

const channel = new BroadcastChannel("last-waters");

/** `what`: "session", "orders", "read", "messages"; `match` where it concerns one. */
export function tell(what, match = null) {
  channel.postMessage({ what, match });
}

/** `heard({what, match})` for all that other tabs tell; answers a function that ends it. */
export function onTold(heard) {
  const listen = (event) => heard(event.data);
  channel.addEventListener("message", listen);
  return () => channel.removeEventListener("message", listen);
}
