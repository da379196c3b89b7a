// Turns pictures of positions into boards to play on, when the reader asks for it. Without scripts, or where the page
// without a server was not built, the pictures stay.

const BOARDS = {};
const ROOT = new URL(".", new URL("..", document.currentScript.src));
const PAGE = new URL(`${"FOLDER"}/embed.html`, ROOT);

function offer(figure, picture, board) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "pg-live";
  button.textContent = "Play on from here";
  button.addEventListener("click", () => {
    const frame = document.createElement("iframe");
    frame.className = "pg-live";
    frame.title = picture.alt;
    frame.src = `${PAGE}#?${new URLSearchParams(board)}`;
    picture.replaceWith(frame);
    button.remove();
  });
  figure.querySelector("figcaption")?.before(button) ?? figure.append(button);
}

document.addEventListener("DOMContentLoaded", async () => {
  const found = [...document.querySelectorAll("figure img")].map((picture) => [picture, BOARDS[picture.src.match(/([\w-]+)\.svg$/)?.[1]]]).filter(([, board]) => board);
  if (!found.length || location.protocol === "file:") return;
  const page = await fetch(PAGE, { method: "HEAD" }).catch(() => null);
  if (page?.ok) found.forEach(([picture, board]) => offer(picture.closest("figure"), picture, board));
});
