/** One text for one value on every machine (the server's canonical form), and SHA-256 over texts. */

/** True if this browser gives WebCrypto to this page; it does so over https and on the machine's own address. */
export const canHash = () => globalThis.crypto?.subtle !== undefined;

/** JSON without white space, keys by code point, the fewest escapes, integers only. Throws TypeError for others. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const fields = sorted(Object.keys(value)).map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
    return `{${fields.join(",")}}`;
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new TypeError(`${value} is no integer`);
  return JSON.stringify(value);
}

const SURROGATE = /[\ud800-\udfff]/;

/** By code points; the browser's own order is that of UTF-16 units, which differs beyond the first plane only. */
function sorted(keys) {
  return keys.some((key) => SURROGATE.test(key)) ? keys.sort(byCodePoint) : keys.sort();
}

function byCodePoint(one, other) {
  const [left, right] = [Array.from(one), Array.from(other)];
  const at = left.findIndex((sign, place) => sign !== right[place]);
  if (at === -1) return left.length - right.length;
  return at < right.length ? left[at].codePointAt(0) - right[at].codePointAt(0) : 1;
}

/** SHA-256 of a text in UTF-8, as lower-case hex. */
export async function sha256(text) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** SHA-256 of lines joined by line ends, without a last one. */
export const hashLines = (lines) => sha256(lines.join("\n"));
