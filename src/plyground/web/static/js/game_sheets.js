// The sheets over a game, of which one is open at most: invite, join, share, more. Each is loaded when it is wanted.

import { alertUser } from "./dom.js";
import { call } from "./backend.js";
import { remember } from "./seats.js";
import { texts } from "./texts.js";

export class GameSheets {
  constructor(game) {
    this.game = game;
    this.shown = null;
    this.asked = false;
  }

  close() {
    this.shown?.close();
  }

  show(sheet) {
    this.shown = sheet;
    sheet.open();
  }

  // A free seat: whoever opened the game invites, everybody else is asked once to sit down.
  async seats() {
    const free = this.game.state.taken.findIndex((one) => !one);
    if (free < 0) return this.asked && this.close();
    if (this.asked) return;
    this.asked = true;
    const { InviteSheet, JoinSheet } = await import("./invite.js");
    this.show(this.game.you.length ? new InviteSheet(this.game) : new JoinSheet(this.game, free));
  }

  async invite() {
    const { InviteSheet } = await import("./invite.js");
    this.show(new InviteSheet(this.game));
  }

  async share() {
    const { ShareSheet } = await import("./share.js");
    this.show(new ShareSheet(this.game));
  }

  async more() {
    const { MoreSheet } = await import("./more.js");
    this.show(new MoreSheet(this.game));
  }

  // Take the free seat.
  async join(name) {
    const { game } = this;
    try {
      const seat = await call(`/api/rooms/${game.id}/join`, { body: { name } });
      remember(game.id, seat.token, game.state.game);
      game.seated(seat);
    } catch (error) {
      alertUser(error.code ? error.message : texts.outage.title);
    }
  }
}
