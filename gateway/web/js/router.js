/**
 * Addresses behind the #: they never reach the server, so neither do invite codes.
 *
 *     #/                     the lobby             #/match/ID            a match
 *     #/new                  a new match           #/match/ID/PANEL      one of its panels
 *     #/join/CODE            an invitation         #/rules, #/rules/ID   the rulebook
 *     #/sign-in, #/sign-up   ../HANDLE/PASSWORD    #/account             one's own account
 */

/** {page, parts}: where the browser is, e.g. {page: "match", parts: ["match-1", "orders"]}. */
export function here() {
  const [page = "", ...parts] = location.hash.replace(/^#\/?/, "").split("/").map(decode);
  return { page: page || "lobby", parts };
}

/** The address of a place, for href. */
export function to(...parts) {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

export function go(...parts) {
  location.hash = to(...parts);
}

/** Names the place one is at already; "back" leads past it, and nobody is told. */
export function rename(...parts) {
  history.replaceState(null, "", to(...parts));
}

export function onMove(moved) {
  window.addEventListener("hashchange", moved);
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
