/** A question that stands in the way until it is answered. */
import { html, nothing, render } from "./lit.js";

/**
 * Asks before something that cannot be undone. `question`: {title, text: template or words, yes, no, danger}. Answers
 * true if the player said yes; Escape is a no. The focus goes back to where it was.
 */
export function ask({ title, text, yes, no = "Cancel", danger = false }) {
  return openDialog(title, (close) => html`
    <div>${text}</div>
    <div class="row dialog-ends">
      <button type="button" @click=${() => close(false)}>${no}</button>
      <button type="button" class=${danger ? "danger" : "primary"} @click=${() => close(true)}>${yes}</button>
    </div>`).then((answer) => answer === true);
}

/** A dialog with a heading; `draw(close)` -> template. Answers what it was closed with, null by Escape. */
export function openDialog(title, draw) {
  const element = document.createElement("dialog");
  element.setAttribute("aria-labelledby", "dialog-title");
  document.body.append(element);
  return new Promise((resolve) => {
    let answer = null;
    const close = (value = null) => {
      answer = value;
      element.close();
    };
    element.addEventListener("close", () => {
      render(nothing, element);
      element.remove();
      window.removeEventListener("hashchange", leave);
      resolve(answer);
    });
    const leave = () => close();
    window.addEventListener("hashchange", leave);
    render(html`<h2 id="dialog-title">${title}</h2>${draw(close)}`, element);
    element.showModal();
  });
}
