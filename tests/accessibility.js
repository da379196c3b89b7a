// What a screen reader or a reader with weak eyes would stumble over on the page, as a list of sentences.
() => {
  const faults = [];
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== "hidden";
  };
  const described = (element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} “${(element.textContent ?? "").trim().slice(0, 30)}”`;

  // Every control has a name.
  const named = (element) => {
    if (element.getAttribute("aria-label")?.trim()) return true;
    const by = element.getAttribute("aria-labelledby");
    if (by && document.getElementById(by)?.textContent.trim()) return true;
    if (element.labels && [...element.labels].some((label) => label.textContent.trim())) return true;
    return element.matches("button, a, summary, [role=button]") && Boolean(element.textContent.trim() || element.querySelector("img[alt]:not([alt=''])"));
  };
  for (const element of document.querySelectorAll("button, a[href], input, select, textarea, summary, [role=button], [tabindex='0']")) {
    if (seen(element) && !named(element)) faults.push(`no name: ${described(element)}`);
  }
  for (const element of document.querySelectorAll("img:not([alt]), svg[role=img]:not([aria-label])")) faults.push(`no text for a picture: ${described(element)}`);
  for (const element of document.querySelectorAll("svg")) {
    if (seen(element) && !element.closest("[aria-hidden=true], [role=img]") && !element.getAttribute("aria-label")) faults.push(`a drawing without a label: ${described(element)}`);
  }
  for (const table of document.querySelectorAll("table")) if (!table.querySelector("th[scope]")) faults.push(`a table without headings: ${described(table)}`);

  // The page has its landmarks, one heading of the first rank, unique ids, a language and a title.
  if (document.querySelectorAll("main").length !== 1) faults.push("not one main");
  if (document.querySelectorAll("h1").length !== 1) faults.push(`${document.querySelectorAll("h1").length} headings of the first rank`);
  if (!document.documentElement.lang) faults.push("no language");
  if (!document.title) faults.push("no title");
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) faults.push(`id ${id} is used twice`);

  // Text stands out from what is behind it: 4.5 to 1, large text 3 to 1.
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return { r, g, b, a };
  };
  const over = (top, below) => ({ r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1 });
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((value) => ((value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrast = (one, two) => {
    const [high, low] = [light(one), light(two)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  // What the coordinates of a board stand on, where that is not the page.
  const hex = (text) => ({ r: parseInt(text.slice(1, 3), 16), g: parseInt(text.slice(3, 5), 16), b: parseInt(text.slice(5, 7), 16), a: 1 });
  const boardGround = (svg) => {
    const name = { frame: "--pg-frame-lo", crossings: "--pg-paper" }[[...svg.classList].find((one) => one === "frame" || one === "crossings")];
    return name ? hex(getComputedStyle(svg).getPropertyValue(name).trim()) : null;
  };
  // The shape that a drawn word stands on: the last one before it in its group that lies all around its middle.
  const under = (element) => {
    const { x, y, width, height } = element.getBBox();
    const [across, down] = [x + width / 2, y + height / 2];
    const around = (shape) => {
      const box = shape.getBBox();
      return box.x < across && across < box.x + box.width && box.y < down && down < box.y + box.height;
    };
    const before = [...element.parentElement.children].slice(0, [...element.parentElement.children].indexOf(element)).reverse();
    const shape = before.find((one) => one.matches("rect, circle, path") && getComputedStyle(one).fill.startsWith("rgb") && around(one));
    return shape ? parse(getComputedStyle(shape).fill) : { r: 0, g: 0, b: 0, a: 0 };
  };
  const checked = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || checked.has(element) || !seen(element) || element.closest("noscript, .unseen, .skip")) continue;
    if (element.closest("option, button:disabled, title") || element.matches(".number")) continue; // those are outlined
    checked.add(element);
    const style = getComputedStyle(element);
    const drawn = element instanceof SVGElement;
    const page = behind(drawn ? element.ownerSVGElement.parentElement : element);
    const ground = drawn ? over(under(element), page) : page;
    const svg = drawn ? parse(getComputedStyle(element.ownerSVGElement).backgroundColor) : { a: 0 };
    const board = drawn && element.matches(".label") ? boardGround(element.ownerSVGElement) : null;
    const ratio = contrast(over(parse(drawn ? style.fill : style.color), ground), board ?? (svg.a ? over(svg, ground) : ground));
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) faults.push(`contrast ${ratio.toFixed(2)}: ${described(element)}`);
  }

  // The signs of the two sides' discs can be described from the discs.
  const colour = (name) => hex(getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  for (const side of ["first", "second"]) {
    const ratio = contrast(colour(`--pg-${side}-sign`), colour(`--pg-${side}`));
    if (ratio < 3) faults.push(`contrast ${ratio.toFixed(2)} of the sign on a disc`);
  }
  return faults;
};
