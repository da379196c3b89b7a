// What a backend answers with: scores as prospects, refusals and outages; and what this browser remembers.

// A score as prospects from -1 to 1: only what is certain reaches the ends.
export const prospects = (score) => (score.result ? { win: 1, draw: 0, loss: -1 }[score.result] : 0.95 * Math.tanh(score.points / 800));

// Nobody answers.
export class Outage extends Error {}

export class Refusal extends Error {
  // How a refusal is said in the reader's language, from its code and what the server says.
  static said = (_, message) => message;

  constructor(status, answer) {
    super(Refusal.said(answer.error, answer.message ?? answer.detail ?? `error ${status}`));
    this.status = status;
    this.code = answer.error ?? "error";
  }
}

// What this browser remembers: the tokens of its seats.
export const memory = {
  get(key, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Private windows may refuse; the game goes on without being remembered.
    }
  },
};
