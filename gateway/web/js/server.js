/** Every route of the server that the client uses, by name. All answer the body; see /docs for the shapes. */
import { request } from "./api.js";

const get = async (path, query) => (await request("GET", path, { query })).data;
const post = async (path, body, options) => (await request("POST", path, { body, ...options })).data;
const put = async (path, body, options) => (await request("PUT", path, { body, ...options })).data;
const remove = async (path, options) => (await request("DELETE", path, options)).data;
const at = (match) => `/v1/matches/${encodeURIComponent(match)}`;
const part = encodeURIComponent;

/** All items of a paged list, at most `most`. */
async function all(path, query = {}, most = 1000) {
  const items = [];
  let cursor = null;
  do {
    const page = await get(path, { limit: 200, ...query, cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor && items.length < most);
  return items;
}

export const accounts = {
  me: () => get("/v1/me"),
  signUp: (handle, password, key) => post("/v1/accounts", { handle, password }, { key }),
  signIn: (handle, password) => post("/v1/sessions", { handle, password, cookie: true }),
  signOut: () => remove("/v1/sessions/current"),
  changePassword: (current, wanted) => put("/v1/me/password", { current, new: wanted }),
  leave: (password) => remove("/v1/me", { body: { password } }),
  blocks: async () => (await get("/v1/me/blocks")).items,
  block: (handle) => put(`/v1/me/blocks/${part(handle)}`),
  unblock: (handle) => remove(`/v1/me/blocks/${part(handle)}`),
};

export const matches = {
  /** `query`: {status: "lobby,running", mine: true, limit, cursor}; answers {items, next_cursor}. */
  list: (query) => get("/v1/matches", query),
  get: (match) => get(at(match)),
  invited: (code) => get(`/v1/invites/${part(code)}`),
  create: (wanted, key) => post("/v1/matches", wanted, { key }),
  join: (match, wanted, key) => post(`${at(match)}/seats`, wanted, { key }),
  leave: (match) => remove(`${at(match)}/seats/me`),
  removeSeat: (match, seat) => remove(`${at(match)}/seats/${seat}`),
  addBots: (match, count, level, key) => post(`${at(match)}/seats/bots`, { count, level }, { key }),
  start: (match, key) => post(`${at(match)}/start`, undefined, { key }),
  callOff: (match) => remove(at(match)),
  resign: (match, key) => post(`${at(match)}/resign`, undefined, { key }),
  /** All of an ended match; it may be some megabytes. */
  export: async (match) => (await request("GET", matches.exportAddress(match), { patience: 120_000 })).data,
  exportAddress: (match) => `${at(match)}/export`,
};

export const play = {
  map: (match) => get(`${at(match)}/map`),
  view: (match, tick = null) => get(`${at(match)}/view`, { tick }),
  options: (match) => get(`${at(match)}/options`),
  /** {tick, open, items, etag} */
  orders: async (match, tick = null) => {
    const { data, etag } = await request("GET", `${at(match)}/orders`, { query: { tick } });
    return { ...data, etag };
  },
  file: (match, tick, order, key) => post(`${at(match)}/orders`, order, { query: { tick }, key }),
  tryOut: (match, tick, order) => post(`${at(match)}/orders`, order, { query: { tick, dry_run: true } }),
  /** {tick, open, items, etag}; Problem `changed` if the list is no longer the one of `etag`. */
  replace: async (match, tick, orders, etag) => {
    const answer = await request("PUT", `${at(match)}/orders`, { query: { tick }, body: { orders }, ifMatch: etag });
    return { ...answer.data, etag: answer.etag };
  },
  cancel: (match, tick, order) => remove(`${at(match)}/orders/${part(order)}`, { query: { tick } }),
  reports: (match) => all(`${at(match)}/reports`),
  report: (match, tick) => get(`${at(match)}/reports/${tick}`),
};

export const talk = {
  conversations: (match) => get(`${at(match)}/conversations`),
  /** Newest first; `query`: {with, after, limit, cursor}. */
  messages: (match, query) => get(`${at(match)}/messages`, query),
  send: (match, to, text, key) => post(`${at(match)}/messages`, { to, text }, { key }),
  read: (match, parties, upTo) => put(`${at(match)}/conversations/read`, { with: parties, up_to: upTo }),
  switchOff: (match, off) => put(`${at(match)}/messages/off`, { off }),
};

export const rulebook = {
  rules: (ruleset) => get(`/v1/rules/${part(ruleset)}`),
  keys: () => get("/v1/keys"),
};
