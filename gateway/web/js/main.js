/** Starts the client: asks who is signed in, then shows the page of the address, one drawing a frame. */
import { html, nothing, render } from "./lit.js";
import { onSignedOut } from "./api.js";
import { onceAFrame } from "./frame.js";
import { AccountPage } from "./pages/account.js";
import { JoinPage } from "./pages/join.js";
import { LobbyPage } from "./pages/lobby.js";
import { MatchPage } from "./pages/match.js";
import { NewMatchPage } from "./pages/new_match.js";
import { RulebookPage } from "./pages/rulebook.js";
import { SignInPage } from "./pages/sign_in.js";
import * as router from "./router.js";
import { forget, restore, session, signOut } from "./session.js";
import { onTold } from "./tabs.js";

/**
 * Pages by the first part of the address. A page has `title`, `draw()` -> template, `move(parts, name)` when only the
 * rest of the address changes, `close()`, and may have `drawn()` and `whole`: it has no room for the site's header.
 * `open`: may be seen without an account; `key`: what makes it another page.
 */
const PAGES = {
  lobby: { make: () => new LobbyPage(changed) },
  new: { make: () => new NewMatchPage(changed) },
  join: { make: (parts) => new JoinPage(parts, changed), key: ([code]) => code },
  match: { make: ([id]) => new MatchPage(id, changed), key: ([id]) => id },
  account: { make: () => new AccountPage(changed) },
  rules: { make: (parts) => new RulebookPage(parts, changed), open: true },
  "sign-in": { make: () => new SignInPage(changed, signedIn), open: true, key: () => "door" },
  "sign-up": { make: () => new SignInPage(changed, signedIn), open: true, key: () => "door" },
};

const root = document.getElementById("app");
root.replaceChildren();
const changed = onceAFrame(draw);
let page = null;
let shownKey = null;
let trouble = null;
let asking = false;

/** The address that one has to sign in for first: kept for this tab, also over a reload. */
const WANTED = "last-waters/wanted";

function signedIn() {
  const back = sessionStorage.getItem(WANTED) ?? router.to();
  sessionStorage.removeItem(WANTED);
  history.replaceState(null, "", back);
  moved();
}

function moved() {
  let { page: name, parts } = router.here();
  if (!PAGES[name] || (name === "match" && !parts[0])) [name, parts] = ["lobby", []];
  if (!PAGES[name].open && !session.account) {
    sessionStorage.setItem(WANTED, location.hash);
    router.rename("sign-in");
    [name, parts] = ["sign-in", []];
  }
  const door = name === "sign-in" || name === "sign-up";
  if (door && session.account && !parts.length) {
    router.rename();
    [name, parts] = ["lobby", []];
  }
  const kind = PAGES[name];
  const key = kind.key?.(parts) === "door" ? "door" : `${name}/${kind.key?.(parts) ?? ""}`;
  if (key !== shownKey) {
    page?.close();
    shownKey = key;
    page = kind.make(parts, name);
    window.scrollTo(0, 0);
  }
  page.move(parts, name);
  changed();
}

function header() {
  const out = async () => {
    await signOut().catch(() => forget());
    router.go("sign-in");
    moved();
  };
  return html`<header class="site">
    <a class="brand" href=${router.to()}><img src="/web/style/icon.svg" alt="" width="28" height="28"> Last Waters</a>
    <nav aria-label="Site"><a href=${router.to("rules")}>Rulebook</a>
      ${session.account
        ? html`<a href=${router.to("account")}>${session.account.handle}</a><button class="bare" @click=${out}>Sign out</button>`
        : html`<a href=${router.to("sign-in")}>Sign in</a>`}</nav>
  </header>`;
}

function draw() {
  if (trouble) {
    render(html`<main class="page narrow"><h1>No answer</h1><p>${trouble}</p><button class="primary" @click=${start}>Try again</button></main>`, root);
    return;
  }
  if (!page) return;
  document.title = `${page.title} · Last Waters`;
  render(html`${page.whole ? nothing : header()}${page.draw()}`, root);
  page.drawn?.();
}

/** The session was ended elsewhere, or another tab signed in or out. */
async function sessionChanged() {
  if (asking) return;
  asking = true;
  const before = session.account?.id;
  await restore().catch(() => {});
  asking = false;
  if (session.account?.id === before) return;
  shownKey = null;
  if (session.account && ["sign-in", "sign-up"].includes(router.here().page)) signedIn();
  else moved();
}

async function start() {
  try {
    await restore();
    trouble = null;
    moved();
  } catch (error) {
    trouble = error.message;
    changed();
  }
}

onSignedOut(() => session.account && sessionChanged());
router.onMove(moved);
onTold(({ what }) => what === "session" && sessionChanged());
start();
