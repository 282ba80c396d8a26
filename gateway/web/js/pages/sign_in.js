/** Signing in, and making an account. */
import { newKey } from "../api.js";
import { complaint, field } from "../form_field.js";
import { html, nothing } from "../lit.js";
import { rename, to } from "../router.js";
import { signIn, signUp } from "../session.js";

const WELCOME = "A game of sealed orders, fog of war, and pacts that can be broken. Everybody files orders during the day; at the tick all of them are opened and happen at once.";
const PROBLEMS = {
  unauthenticated: { words: "That handle and password do not fit together." },
  "handle-taken": { field: "handle", words: "This handle is taken. Choose another." },
};

export class SignInPage {
  /** `then`: called when in. */
  constructor(changed, then) {
    this.changed = changed;
    this.then = then;
    this.creating = false;
    this.handle = "";
    this.password = "";
    this.shown = false;
    this.capitals = false;
    this.problem = null;
    this.busy = false;
    this.key = newKey();
  }

  get title() { return this.creating ? "Make an account" : "Sign in"; }

  /** `kind`: "sign-in" or "sign-up"; a link may carry handle and password, which then does not stay in sight. */
  move([handle, password], kind) {
    this.creating = kind === "sign-up";
    this.problem = null;
    if (!handle || !password) return;
    Object.assign(this, { handle, password });
    rename(kind);
    this.send();
  }

  close() {}

  async send() {
    if (this.busy) return;
    this.busy = true;
    this.problem = null;
    this.changed();
    try {
      if (this.creating) await signUp(this.handle, this.password, this.key);
      else await signIn(this.handle, this.password);
      this.then();
    } catch (error) {
      this.key = newKey();
      this.problem = complaint(error, PROBLEMS);
    }
    this.busy = false;
    this.changed();
  }

  /** The handle in the letters that handles have; nobody meets an error for a capital. */
  type(handle) {
    this.handle = handle.trim().toLowerCase();
    this.clear("handle");
  }

  clear(name) {
    if (this.problem?.field === name) this.problem = null;
    this.changed();
  }

  watchCapitals(event) {
    const on = event.getModifierState?.("CapsLock") ?? false;
    if (on === this.capitals) return;
    this.capitals = on;
    this.changed();
  }

  problemAt(name) {
    return this.problem?.field === name ? this.problem.words : null;
  }

  draw() {
    const submit = (event) => {
      event.preventDefault();
      this.send();
    };
    const general = this.problem && !["handle", "password"].includes(this.problem.field) ? this.problem.words : null;
    return html`<main class="page door">
      <section class="welcome"><h1>Last Waters</h1><p>${WELCOME}</p><p><a href=${to("rules")}>Read the rulebook</a></p></section>
      <section class="card">
        <h2>${this.creating ? "Make an account" : "Sign in"}</h2>
        ${general ? html`<p class="problem" role="alert">${general}</p>` : nothing}
        <form @submit=${submit} @keyup=${(event) => this.watchCapitals(event)}>
          ${field({
            id: "handle", label: "Handle", value: this.handle, problem: this.problemAt("handle"), input: (value) => this.type(value),
            hint: this.creating ? "3 to 32 of a-z, 0-9, _ and -. Other players see it." : null,
            attributes: { name: "username", required: true, minlength: 3, maxlength: 32, pattern: "[a-z0-9_\\-]+", autocomplete: "username", autocapitalize: "none", spellcheck: "false" },
          })}
          ${field({
            id: "password", label: "Password", type: this.shown ? "text" : "password", value: this.password, problem: this.problemAt("password"),
            input: (value) => { this.password = value; this.clear("password"); },
            hint: this.creating ? "At least 10 characters. There is no mail: only the operator can reset it." : null,
            attributes: { required: true, minlength: 10, maxlength: 256, autocomplete: this.creating ? "new-password" : "current-password", autocapitalize: "none", spellcheck: "false" },
            after: html`<button type="button" class="bare" aria-pressed=${this.shown} aria-label="Show the password" @click=${() => { this.shown = !this.shown; this.changed(); }}>${this.shown ? "Hide" : "Show"}</button>`,
          })}
          ${this.capitals ? html`<p class="warning" role="status">Caps Lock is on.</p>` : nothing}
          <button class="primary wide" ?disabled=${this.busy}>${this.creating ? "Make the account" : "Sign in"}</button>
        </form>
        <hr>
        ${this.creating
          ? html`<p>Been here before? <a href=${to("sign-in")}>Sign in</a></p>`
          : html`<p>New here? <a href=${to("sign-up")}>Make an account</a></p>`}
      </section>
    </main>`;
  }
}
