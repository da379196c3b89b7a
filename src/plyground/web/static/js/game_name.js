// Names that carry the text of a game, `yavalath.game:text=...`: packed, and written in letters that an address may have.

const CARRIES = ".game:text=";
const MOST_BYTES = 100_000;

const through = async (bytes, transform) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());

// The name of a game by its title and text.
export async function write(title, source) {
  const packed = await through(new TextEncoder().encode(source), new CompressionStream("deflate"));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const words = title.toLowerCase().replace(/[^a-z0-9]+/g, " ").trim().replaceAll(" ", "-");
  return `${words || "game"}${CARRIES}${letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

// The text that a name carries; null for other names, and for what is damaged.
export async function read(name) {
  const [, packed] = name.split(CARRIES);
  if (packed === undefined) return null;
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate"));
    return bytes.length > MOST_BYTES ? null : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
