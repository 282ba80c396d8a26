/** The little markdown that the rules page is written in, as a tree and as templates: never as HTML of its own. */
import { html } from "./lit.js";

/**
 * The blocks of a text, in order: {kind: "heading", level, text}, {kind: "list", items: [text]},
 * {kind: "table", head: [text], numeric: [bool], rows: [[text]]}, {kind: "paragraph", text}.
 */
export function blocks(source) {
  const found = [];
  const lines = source.split("\n");
  let at = 0;
  const takeWhile = (pattern) => {
    const from = at;
    while (at < lines.length && pattern.test(lines[at])) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const heading = /^(#{1,6}) +(.*)$/.exec(lines[at]);
    if (heading) {
      found.push({ kind: "heading", level: heading[1].length, text: heading[2] });
      at += 1;
    } else if (/^[-*] /.test(lines[at])) {
      found.push({ kind: "list", items: listItems(takeWhile(/^([-*] |\s+\S)/)) });
    } else if (lines[at].startsWith("|")) {
      found.push(table(takeWhile(/^\|/)));
    } else if (lines[at].trim() === "") {
      at += 1;
    } else {
      found.push({ kind: "paragraph", text: takeWhile(/^(?!#{1,6} |[-*] |\||\s*$)/).join(" ") });
    }
  }
  return found;
}

function listItems(lines) {
  const items = [];
  for (const line of lines) {
    if (/^[-*] /.test(line)) items.push(line.slice(2));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return items;
}

function table(lines) {
  const cells = (line) => line.replace(/^\||\|\s*$/g, "").split("|").map((cell) => cell.trim());
  const [head, , ...rows] = lines.map(cells);
  const numeric = head.map((_, column) => rows.every((row) => /^(\d+|-)$/.test(row[column] ?? "")));
  return { kind: "table", head, numeric, rows };
}

const INLINE = /(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/;

/** A line with its bold, stressed and code parts; `words(text)` draws what is none of them. */
export function inline(text, words = (plain) => plain) {
  return text.split(INLINE).map((piece) => {
    if (piece.startsWith("**")) return html`<strong>${words(piece.slice(2, -2))}</strong>`;
    if (piece.startsWith("*") && piece.length > 2) return html`<em>${words(piece.slice(1, -1))}</em>`;
    if (piece.startsWith("`")) return html`<code>${piece.slice(1, -1)}</code>`;
    return words(piece);
  });
}

/** A line without its marks. */
export function plain(text) {
  return text.split(INLINE).map((piece) => piece.replace(/^(\*\*|\*|`)([^]*)\1$/, "$2")).join("");
}
