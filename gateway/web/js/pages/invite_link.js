/** The link that lets others into a private match, ready to be copied. */
import { html } from "../lit.js";
import { to } from "../router.js";

const COPIED_MS = 2_500;

/** `copied` is kept by whoever draws: {copied: bool}. */
export function inviteLink(detail, state, changed) {
  const link = `${location.origin}${location.pathname}${to("join", detail.invite_code)}`;
  const copy = async (event) => {
    const field = event.target.closest(".invite").querySelector("input");
    field.select();
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      document.execCommand("copy");
    }
    state.copied = true;
    changed();
    setTimeout(() => {
      state.copied = false;
      changed();
    }, COPIED_MS);
  };
  return html`<div class="invite field"><label for="invite-link">Invite link</label>
    <div class="field-line"><input id="invite-link" readonly .value=${link} @focus=${(event) => event.target.select()}>
      <button type="button" @click=${copy}>${state.copied ? "Copied" : "Copy"}</button></div>
    <small>Whoever has it can take a seat. It works until the match starts.</small>
    <span class="hidden-visually" role="status">${state.copied ? "The link has been copied." : ""}</span></div>`;
}
