/** Checks a receipt in this browser: its hash, its words, and its Ed25519 signature by a key of the server. */
import { canHash, canonical, sha256 } from "../canonical.js";
import { rulebook } from "../server.js";

const ADDED = ["tick", "receipt", "result"];

/**
 * [{words, ok}], one a check, ok null where this browser cannot tell. `order` as the server lists it, null if it is
 * not listed any more. Throws Problem, Unreachable.
 */
export async function checkReceipt(receipt, order) {
  if (!canHash()) return [{ words: "This page was not opened over a secure connection (https), so the browser gives no means to check signatures.", ok: null }];
  const found = [{ words: "The SHA-256 is that of the text.", ok: (await sha256(receipt.text)) === receipt.sha256 }];
  if (order) {
    const listed = Object.fromEntries(Object.entries(order).filter(([name]) => !ADDED.includes(name)));
    found.push({ words: "The text says what the list says.", ok: canonical(listed) === receipt.text });
  }
  const key = (await rulebook.keys()).items.find((one) => one.id === receipt.key);
  found.push({ words: `${receipt.key} is a key of this server.`, ok: key !== undefined });
  if (key) found.push(await checkSignature(receipt, key));
  return found;
}

/** {words, ok}; `public_key` of a key of the server, in base64. */
export async function checkSignature(receipt, { public_key: publicKey }) {
  const { signature, ...signed } = receipt;
  let key;
  try {
    key = await crypto.subtle.importKey("raw", bytes(publicKey), "Ed25519", false, ["verify"]);
  } catch (error) {
    if (error.name !== "NotSupportedError") throw error;
    return { words: "This browser cannot check Ed25519 signatures.", ok: null };
  }
  const text = new TextEncoder().encode(canonical(signed));
  return { words: "The signature is that key's, over all of the above.", ok: await crypto.subtle.verify("Ed25519", key, bytes(signature), text) };
}

function bytes(base64) {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
}
