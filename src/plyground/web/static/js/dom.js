// Making elements: text is always text, never markup.

import { texts } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "disabled" || key === "hidden") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function announce(text) {
  document.getElementById("announcer").textContent = text;
}

let hiding;
export function alertUser(text) {
  const box = document.getElementById("alerts");
  box.replaceChildren(text ? make("p", {}, text, " ", make("button", { onclick: () => box.replaceChildren(), "aria-label": texts.close }, "×")) : "");
  clearTimeout(hiding);
  if (text) hiding = setTimeout(() => box.replaceChildren(), 8000);
}

export function field(label, control) {
  const id = `f${(field.count = (field.count ?? 0) + 1)}`;
  control.id = id;
  return make("div", { class: "field" }, make("label", { for: id }, label), control);
}

export function choice(options, selected, onchange) {
  const select = make("select", { onchange: (event) => onchange?.(event.target.value) });
  for (const [value, label] of options) select.append(make("option", { value }, label));
  select.value = selected;
  return select;
}
