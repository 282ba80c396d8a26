/** Who is signed in in this browser. */
import { Problem, useCsrf } from "./api.js";
import { accounts } from "./server.js";
import { tell } from "./tabs.js";

/** Whether this browser was signed in when last seen; the cookie itself is out of a script's reach. */
const HINT = "last-waters/signed-in";

/** `account`: {id, handle, expires_at} or null. */
export const session = { account: null };

async function fetchMe() {
  const me = await accounts.me();
  useCsrf(me.csrf_token ?? null, async () => (await accounts.me()).csrf_token ?? null);
  return me;
}

/** Asks the server who we are, if we may be somebody. Throws Unreachable. */
export async function restore() {
  if (localStorage.getItem(HINT) === null) {
    session.account = null;
    return;
  }
  try {
    session.account = await fetchMe();
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    forget();
  }
}

/** Throws Problem (unauthenticated, rate-limited). */
export async function signIn(handle, password) {
  await accounts.signIn(handle, password);
  localStorage.setItem(HINT, "yes");
  await restore();
  tell("session");
}

/** Throws Problem (handle-taken, malformed). */
export async function signUp(handle, password, key) {
  await accounts.signUp(handle, password, key);
  await signIn(handle, password);
}

export async function signOut() {
  await accounts.signOut();
  forget();
  tell("session");
}

/** The session is over, whoever ended it. */
export function forget() {
  session.account = null;
  localStorage.removeItem(HINT);
  useCsrf(null);
}
