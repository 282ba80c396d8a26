/** Signing in, and making an account. */
import { newKey } from "../api.js";
import { html, nothing } from "../lit.js";
import { rename, to } from "../router.js";
import { signIn, signUp } from "../session.js";

const WELCOME = "A game of sealed orders, fog of war, and pacts that can be broken. Everybody files orders during the day; at the tick all of them are opened and happen at once.";

export class SignInPage {
  /** `kind`: "sign-in" or "sign-up"; `parts`: [handle, password] where a link carries them; `then`: called when in. */
  constructor(kind, [handle = "", password = ""], changed, then) {
    this.changed = changed;
    this.then = then;
    this.handle = handle;
    this.password = password;
    this.problem = null;
    this.busy = false;
    this.key = newKey();
    this.move([], kind);
    if (handle && password) {
      rename("sign-in");
      this.send();
    }
  }

  get title() { return this.creating ? "Make an account" : "Sign in"; }

  move(_, kind) {
    this.creating = kind === "sign-up";
    this.problem = null;
  }

  close() {}

  async send() {
    this.busy = true;
    this.problem = null;
    this.changed();
    try {
      if (this.creating) await signUp(this.handle, this.password, this.key);
      else await signIn(this.handle, this.password);
      this.then();
    } catch (error) {
      this.key = newKey();
      this.problem = error.code === "unauthenticated" ? "That handle and password do not fit together." : error.message;
    }
    this.busy = false;
    this.changed();
  }

  draw() {
    const submit = (event) => {
      event.preventDefault();
      this.send();
    };
    return html`<main class="page door">
      <section class="welcome"><h1>Last Waters</h1><p>${WELCOME}</p><p><a href=${to("rules")}>Read the rulebook</a></p></section>
      <section class="card">
        <h2>${this.creating ? "Make an account" : "Sign in"}</h2>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        <form @submit=${submit}>
          <div class="field"><label for="handle">Handle</label>
            <input id="handle" name="username" required minlength="3" maxlength="32" pattern="[a-z0-9_\\-]+" autocomplete="username" autocapitalize="none" spellcheck="false"
              .value=${this.handle} @input=${(event) => { this.handle = event.target.value; }}>
            ${this.creating ? html`<small>3 to 32 of a-z, 0-9, _ and -. Other players see it.</small>` : nothing}</div>
          <div class="field"><label for="password">Password</label>
            <input id="password" name="password" type="password" required minlength="10" maxlength="256" autocomplete=${this.creating ? "new-password" : "current-password"}
              .value=${this.password} @input=${(event) => { this.password = event.target.value; }}>
            ${this.creating ? html`<small>At least 10 characters. There is no mail: the operator alone can reset it.</small>` : nothing}</div>
          <button class="primary" ?disabled=${this.busy}>${this.creating ? "Make the account" : "Sign in"}</button>
        </form>
        <hr>
        ${this.creating
          ? html`<p>Been here before? <a href=${to("sign-in")}>Sign in</a></p>`
          : html`<p>New here? <a href=${to("sign-up")}>Make an account</a></p>`}
      </section>
    </main>`;
  }
}
