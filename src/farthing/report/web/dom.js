/** Elements, small messages, the clipboard and downloads. Texts enter by textContent only: no text becomes markup. */

const SVG = "http://www.w3.org/2000/svg";

/** Make an element; attributes that start with "on" are listeners, children are elements or texts. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Make an element of an SVG picture. */
export function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** Find the element with an id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Put choices into a <select>. */
export function fillChoices(select, names, chosen) {
  select.replaceChildren(...names.map((name) => element("option", { value: name, selected: name === chosen }, name)));
}

/** Tell people who see the page, and those who hear it, what has happened. */
export function announce(text) {
  let place = byId("announcement");
  if (!place) {
    place = element("div", { id: "announcement", role: "status", "aria-live": "polite" });
    document.body.append(place);
  }
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => place.classList.remove("shown"), 2500);
}

/** Copy a text; browsers that refuse the clipboard to files get the older way. */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { "aria-hidden": "true", class: "unseen" });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  announce(`Copied ${what}.`);
}

/** Let the browser save a text as a file. */
export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Call a function only when nothing has happened for some milliseconds, as while somebody types. */
export function settled(action, wait = 120) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), wait);
  };
}

/** A number with thousands apart, as in 100,000. */
export function countText(count) {
  return count.toLocaleString("en-US");
}
