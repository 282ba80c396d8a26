/** The one card in which terms are explained: it stands by the word that is pointed at, focused or tapped. */
import { entries } from "./glossary.js";
import { html, nothing, render } from "./lit.js";
import { to } from "./router.js";
import { loadRules, title } from "./rules.js";

const SHOW_MS = 180;
const HIDE_MS = 220;
const GAP = 8;

let element = null;
let word = null;
let pinned = false;
let timer = null;

export function pointed(event) {
  if (event.pointerType !== "mouse") return;
  const asked = event.currentTarget;
  later(() => open(asked), SHOW_MS);
}

export function pointedAway(event) {
  if (event.pointerType === "mouse" && !pinned) later(close, HIDE_MS);
}

export function focused(event) {
  if (event.currentTarget.matches(":focus-visible")) open(event.currentTarget);
}

export function blurred(event) {
  if (word === event.currentTarget && !element?.contains(event.relatedTarget)) close();
}

export function pressed(event) {
  event.stopPropagation();
  const asked = event.currentTarget;
  if (pinned && word === asked) {
    close();
    return;
  }
  open(asked);
  pinned = true;
}

function later(work, delay) {
  clearTimeout(timer);
  timer = setTimeout(work, delay);
}

async function open(asked) {
  clearTimeout(timer);
  if (word === asked) return;
  close();
  word = asked;
  const name = asked.dataset.term;
  const rules = await loadRules().catch(() => null);
  if (word !== asked || !asked.isConnected) return;
  const entry = rules && entries(rules).get(name);
  element ??= make();
  // What is behind an open dialog cannot be pressed: the card goes where the word is.
  (asked.closest("dialog") ?? document.body).append(element);
  render(html`<strong>${title(name)}</strong>
    <p>${entry ? entry.text : "The rules cannot be read just now."}</p>
    ${entry ? html`<a href=${to("rules", entry.rule)} @click=${close}>Rule ${entry.rule}</a>` : nothing}`, element);
  asked.setAttribute("aria-describedby", element.id);
  element.showPopover({ source: asked });
  document.addEventListener("keydown", escaped, true);
  document.addEventListener("pointerdown", pressedElsewhere, true);
  follow();
}

export function close() {
  clearTimeout(timer);
  if (!word) return;
  word.removeAttribute("aria-describedby");
  word = null;
  pinned = false;
  if (element?.matches(":popover-open")) element.hidePopover();
  document.removeEventListener("keydown", escaped, true);
  document.removeEventListener("pointerdown", pressedElsewhere, true);
}

function make() {
  const made = document.createElement("div");
  made.id = "term-card";
  made.className = "term-card";
  made.popover = "manual";
  made.addEventListener("pointerenter", () => clearTimeout(timer));
  made.addEventListener("pointerleave", pointedAway);
  made.addEventListener("focusout", (event) => !made.contains(event.relatedTarget) && event.relatedTarget !== word && close());
  return made;
}

/** Stays by the word while pages scroll and are drawn anew, and goes with it. */
function follow() {
  if (!word) return;
  if (!word.isConnected) {
    close();
    return;
  }
  place(word.getBoundingClientRect());
  requestAnimationFrame(follow);
}

function place(at) {
  const { offsetWidth: width, offsetHeight: height } = element;
  const below = at.bottom + GAP;
  const top = below + height <= window.innerHeight ? below : Math.max(GAP, at.top - GAP - height);
  const left = Math.max(GAP, Math.min(at.left, window.innerWidth - width - GAP));
  element.style.setProperty("--left", `${Math.round(left)}px`);
  element.style.setProperty("--top", `${Math.round(top)}px`);
}

function escaped(event) {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  close();
}

function pressedElsewhere(event) {
  if (!element.contains(event.target) && event.target !== word) close();
}
