// Making elements: text is always text, never markup.

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

// The one live region: what a screen reader says.
export function announce(text) {
  const region = document.getElementById("announcer");
  if (region.textContent !== text) region.textContent = text;
}

let hiding;
export function alertUser(text) {
  const box = document.getElementById("alerts");
  box.replaceChildren(text ? make("p", {}, make("span", { class: "grow" }, text), make("button", { type: "button", onclick: () => box.replaceChildren(), "aria-label": box.dataset.close }, "×")) : "");
  clearTimeout(hiding);
  if (text) hiding = setTimeout(() => box.replaceChildren(), 8000);
}

let fields = 0;
export function field(label, control) {
  control.id ||= `f${++fields}`;
  return make("div", { class: "field" }, make("label", { for: control.id }, label), control);
}

export function choice(options, selected, onchange) {
  const select = make("select", { onchange: (event) => onchange?.(event.target.value) });
  for (const [value, label] of options) select.append(make("option", { value }, label));
  select.value = selected;
  return select;
}

// A row of buttons of which one is pressed; `.value` is what it stands for.
export function segments(label, options, selected, onchange) {
  const box = make("div", { class: "seg", role: "radiogroup", "aria-label": label });
  const buttons = options.map(([value, text, drawn]) =>
    make("button", { type: "button", role: "radio", "data-value": value, onclick: () => pick(value, true) }, drawn, text),
  );
  function pick(value, notify) {
    box.value = value;
    buttons.forEach((button) => {
      const on = button.dataset.value === String(value);
      button.setAttribute("aria-checked", on);
      button.tabIndex = on ? 0 : -1;
    });
    if (notify) onchange?.(value);
  }
  box.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = buttons[(buttons.findIndex((button) => button.dataset.value === String(box.value)) + step + buttons.length) % buttons.length];
    next.focus();
    pick(options[buttons.indexOf(next)][0], true);
  });
  box.append(...buttons);
  box.pick = (value) => pick(value, false);
  pick(selected, false);
  return box;
}

// Tabs and their panels: [[name, label, panel], …]; `.show(name)` opens one.
let tabLists = 0;
export function tabs(label, list, selected, onchange) {
  const group = `t${++tabLists}`;
  const bar = make("div", { class: "tabs", role: "tablist", "aria-label": label });
  const buttons = list.map(([name, text, panel]) => {
    Object.assign(panel, { id: `${group}-${name}` });
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-label", text);
    return make("button", { type: "button", role: "tab", "data-tab": name, "aria-controls": panel.id, onclick: () => bar.show(name, true) }, text);
  });
  bar.append(...buttons);
  bar.show = (name, notify = false) => {
    bar.shown = name;
    list.forEach(([other, , panel], i) => {
      panel.hidden = other !== name;
      buttons[i].setAttribute("aria-selected", other === name);
      buttons[i].tabIndex = other === name ? 0 : -1;
    });
    if (notify) onchange?.(name);
  };
  bar.label = (name, text, hidden = false) => Object.assign(buttons[list.findIndex(([other]) => other === name)], { textContent: text, hidden });
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const shown = buttons.filter((button) => !button.hidden);
    const next = shown[(shown.findIndex((button) => button.dataset.tab === bar.shown) + step + shown.length) % shown.length];
    next.focus();
    next.click();
  });
  bar.show(selected);
  return bar;
}
