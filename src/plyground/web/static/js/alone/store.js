// The games that this browser keeps, in IndexedDB. A change is made in one transaction, so that two tabs never undo each
// other's moves, and every tab that shows a game follows.

import { Refusal } from "../api.js";

const NAME = "plyground";
const STORES = ["rooms"];
const channel = globalThis.BroadcastChannel ? new BroadcastChannel(NAME) : null;
const followers = new Set();
channel?.addEventListener("message", ({ data }) => followers.forEach((one) => one(data)));

let opened;
function database() {
  opened ??= new Promise((done, fail) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => STORES.forEach((name) => request.result.createObjectStore(name, { keyPath: "id" }));
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(new Refusal(503, { error: "not-saved", message: `this browser cannot keep games: ${request.error?.message}` }));
  });
  opened.catch(() => (opened = undefined));
  return opened;
}

const done = (request) => new Promise((give, fail) => {
  request.onsuccess = () => give(request.result);
  request.onerror = () => fail(request.error);
});

// What is written is kept once its transaction is complete; one that a page leaves behind before that is undone.
const kept = (transaction) => new Promise((give, fail) => {
  transaction.oncomplete = give;
  transaction.onabort = () => fail(transaction.error);
});

export async function load(id) {
  const rooms = (await database()).transaction("rooms").objectStore("rooms");
  return (await done(rooms.get(id))) ?? null;
}

export async function all() {
  return done((await database()).transaction("rooms").objectStore("rooms").getAll());
}

export async function add(room) {
  const transaction = (await database()).transaction("rooms", "readwrite");
  transaction.objectStore("rooms").put(room);
  await kept(transaction);
}

// Change a game: `change` gets what is kept and gives back what is to be kept, or throws a Refusal and nothing happens.
export async function update(id, change) {
  const transaction = (await database()).transaction("rooms", "readwrite");
  const rooms = transaction.objectStore("rooms");
  const before = await done(rooms.get(id));
  let after;
  try {
    after = change(before);
  } catch (error) {
    transaction.abort();
    throw error;
  }
  rooms.put(after);
  await kept(transaction);
  channel?.postMessage(id);
  followers.forEach((one) => one(id));
  return after;
}

// Calls `each` with the id of every game that is changed, here or in another tab; gives back how to stop that.
export function follow(each) {
  followers.add(each);
  return () => followers.delete(each);
}
