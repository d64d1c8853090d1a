/** The view in the address, after the #, so that a link shows the same. */

/** What the address says: an object of texts. */
export function readAddress() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** Put a view into the address; what is empty is left out. */
export function writeAddress(view) {
  const known = Object.entries(view).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const text = new URLSearchParams(known).toString();
  if (text !== location.hash.slice(1)) history.replaceState(null, "", `#${text}`);
}
