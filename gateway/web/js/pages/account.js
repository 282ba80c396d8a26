/** One's own account: password, blocks, leaving. */
import { ask } from "../dialog.js";
import { complaint, field } from "../form_field.js";
import { html, nothing } from "../lit.js";
import { go } from "../router.js";
import { accounts } from "../server.js";
import { forget, session, signOut } from "../session.js";
import { tell } from "../tabs.js";

const WRONG = { forbidden: { field: "current", words: "That is not your password." } };

export class AccountPage {
  constructor(changed) {
    this.changed = changed;
    this.current = this.wanted = this.farewell = "";
    this.saved = false;
    this.problem = null;
    this.leaveProblem = null;
    this.blocks = null;
    this.blocksProblem = null;
    this.loadBlocks();
  }

  get title() { return "Your account"; }

  move() {}

  close() {}

  async loadBlocks() {
    try {
      this.blocks = await accounts.blocks();
      this.blocksProblem = null;
    } catch (error) {
      this.blocksProblem = error.message;
    }
    this.changed();
  }

  async unblock(handle) {
    try {
      await accounts.unblock(handle);
      await this.loadBlocks();
    } catch (error) {
      this.blocksProblem = error.message;
      this.changed();
    }
  }

  async changePassword() {
    this.problem = null;
    this.saved = false;
    try {
      await accounts.changePassword(this.current, this.wanted);
      this.current = this.wanted = "";
      this.saved = true;
    } catch (error) {
      const { field: at, words } = complaint(error, WRONG);
      this.problem = { field: at === "new" ? "wanted" : at, words };
    }
    this.changed();
  }

  async leave() {
    this.leaveProblem = null;
    const sure = await ask({
      title: "Delete your account?",
      text: html`<p>This cannot be undone. Your handle is never given to anybody again.</p>`,
      yes: "Delete it for good", no: "Keep it", danger: true,
    });
    if (!sure) return;
    try {
      await accounts.leave(this.farewell);
      forget();
      tell("session");
      go("sign-up");
    } catch (error) {
      this.leaveProblem = complaint(error, WRONG).words;
      this.changed();
    }
  }

  async signOut() {
    await signOut().catch(() => forget());
    go("sign-in");
  }

  draw() {
    const at = (name) => (this.problem?.field === name ? this.problem.words : null);
    const general = this.problem && !["current", "wanted"].includes(this.problem.field) ? this.problem.words : null;
    const submit = (work) => (event) => {
      event.preventDefault();
      work();
    };
    return html`<main class="page narrow">
      <div class="row spread"><h1>Your account</h1><button @click=${() => this.signOut()}>Sign out</button></div>
      <p class="muted">You are <strong>${session.account?.handle}</strong>. Other players see this handle beside your faction.</p>

      <section class="card section"><h2>Change your password</h2>
        ${this.saved ? html`<p class="success" role="status">Your password has been changed. Everywhere else you are signed out.</p>` : nothing}
        ${general ? html`<p class="problem" role="alert">${general}</p>` : nothing}
        <form @submit=${submit(() => this.changePassword())}>
          <input type="hidden" autocomplete="username" .value=${session.account?.handle ?? ""}>
          ${field({ id: "current", label: "Your password now", type: "password", value: this.current, problem: at("current"), input: (value) => { this.current = value; }, attributes: { required: true, autocomplete: "current-password" } })}
          ${field({ id: "wanted", label: "The new one", type: "password", value: this.wanted, problem: at("wanted"), hint: "At least 10 characters. All your other sessions end at once.", input: (value) => { this.wanted = value; }, attributes: { required: true, minlength: 10, maxlength: 256, autocomplete: "new-password" } })}
          <button class="primary">Change the password</button>
        </form></section>

      <section class="card section"><h2>Players you have blocked</h2>${this.blockList()}</section>

      <section class="card section"><h2>Delete your account</h2>
        <p>Open lobbies lose you; in matches that run, a computer player takes over your seat. Messages that you sent stay with those who got them, under a handle that shows as gone.</p>
        <form @submit=${submit(() => this.leave())}>
          ${field({ id: "farewell", label: "Your password", type: "password", value: this.farewell, problem: this.leaveProblem, input: (value) => { this.farewell = value; }, attributes: { required: true, autocomplete: "current-password" } })}
          <button class="danger">Delete the account …</button>
        </form></section>
    </main>`;
  }

  blockList() {
    if (this.blocksProblem) return html`<p class="problem" role="alert">${this.blocksProblem}</p>`;
    if (!this.blocks) return html`<p class="muted" aria-busy="true">Reading …</p>`;
    if (!this.blocks.length) return html`<p class="muted">Nobody. You can block a player from a conversation; they are not told.</p>`;
    return html`<ul class="plain rows">${this.blocks.map(({ handle }) => html`<li class="row spread"><span>${handle}</span><button @click=${() => this.unblock(handle)}>Unblock ${handle}</button></li>`)}</ul>`;
  }
}
