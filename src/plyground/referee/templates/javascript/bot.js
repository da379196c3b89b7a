// A bot that plays any game: it reads one question per line and answers with one line, both JSON. Change choose().

"use strict";

const readline = require("node:readline");

// One of the legal moves. This is where your ideas go.
//
// question.legal     the moves you may play
// question.moves     everything played so far, from the empty board on
// question.side      "first" or "second": who you are
// question.position  the board as text
// question.seconds   how long you may think
function choose(question) {
  return question.legal[Math.floor(Math.random() * question.legal.length)];
}

// Answers until the referee says that it is over. To see what happens, use console.error, never console.log.
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") {
    console.log(JSON.stringify({ name: "my bot" }));
  } else if (message.type === "move") {
    console.log(JSON.stringify({ move: choose(message) }));
  } else if (message.type === "end") {
    process.exit(0);
  }
});
