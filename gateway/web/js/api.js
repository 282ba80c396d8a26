/** The only module that speaks HTTP. Answers are JSON; errors are problem documents with a fixed `code`. */

const PATIENCE_MS = 15_000;

/** An error that the server states: `status`, `code`, `detail` (in plain words), `errors` of a refused list. */
export class Problem extends Error {
  constructor(status, body, retryAfter) {
    super(body.detail || body.title || `The server answered ${status}.`);
    this.name = "Problem";
    this.status = status;
    this.code = body.code || "unknown";
    this.body = body;
    this.errors = body.errors || [];
    this.retryAfter = retryAfter;
  }

  /** True if the same request may go through a little later. */
  get passing() {
    return this.status === 503 || ["idempotency-in-progress", "rate-limited"].includes(this.code);
  }
}

/** No answer came: the connection is down, or the server is. */
export class Unreachable extends Error {
  constructor() {
    super("The server cannot be reached.");
    this.name = "Unreachable";
  }
}

let csrf = null;
let renewCsrf = async () => null;
let signedOut = () => {};

/** `renew` answers a fresh token, for when another tab has signed in anew. */
export function useCsrf(token, renew) {
  csrf = token;
  if (renew) renewCsrf = renew;
}

/** `heard()` whenever the server says that nobody is signed in here (any more). */
export function onSignedOut(heard) {
  signedOut = heard;
}

/** A key under which a creating request may be sent again without effect. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * One request: {data, etag, headers}. Options: `query` (object, null values left out), `body` (JSON), `key`
 * (Idempotency-Key), `ifMatch`, `patience` (milliseconds). Throws Problem or Unreachable.
 */
export async function request(method, path, options = {}) {
  const response = await send(method, path, options);
  if (response.ok) return read(response);
  const problem = await problemOf(response);
  if (problem.code === "csrf" && !options.again) {
    csrf = await renewCsrf();
    return request(method, path, { ...options, again: true });
  }
  if (problem.code === "unauthenticated") signedOut();
  throw problem;
}

async function send(method, path, { query, body, key, ifMatch, patience = PATIENCE_MS }) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  if (ifMatch) headers["If-Match"] = ifMatch;
  if (csrf && method !== "GET") headers["X-CSRF-Token"] = csrf;
  try {
    return await fetch(path + queryText(query), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      signal: AbortSignal.timeout(patience),
    });
  } catch {
    throw new Unreachable();
  }
}

async function read(response) {
  const text = response.status === 204 ? "" : await body(response);
  return { data: text ? JSON.parse(text) : null, etag: response.headers.get("ETag"), headers: response.headers };
}

async function body(response) {
  try {
    return await response.text();
  } catch {
    throw new Unreachable();
  }
}

async function problemOf(response) {
  const given = Number(response.headers.get("Retry-After")) || null;
  try {
    return new Problem(response.status, JSON.parse(await body(response)), given);
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    return new Problem(response.status, {}, given);
  }
}

function queryText(query) {
  const pairs = Object.entries(query || {}).filter(([, value]) => value !== null && value !== undefined);
  return pairs.length ? `?${new URLSearchParams(pairs)}` : "";
}
