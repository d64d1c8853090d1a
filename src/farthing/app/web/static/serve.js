/** The page of `farthing serve`: texts in, a form made from the metrics, a bar, and results. */
import { Refused, asked, followed, keepToken } from "./client.js";
import { announce, byId, countText } from "./dom.js";
import { MetricForm } from "./metric_form.js";
import { PairTab } from "./pair_tab.js";
import { Results } from "./results.js";
import { Well, gathered } from "./wells.js";

const page = { wells: {}, running: null };

/** Show a sentence that the service or this page has to say; null takes it away. */
function refused(error) {
  const place = byId("refusal");
  place.hidden = error === null;
  place.textContent = error === null ? "" : error.message;
  if (error?.status === 401) byId("token-form").hidden = false;
}

function chooseTab(chosen) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
  }
  refused(null);
  if (chosen.id === "tab-pair") page.pair?.update();
}

function watchTabs() {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  tabs.forEach((tab, place) => {
    tab.addEventListener("click", () => chooseTab(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step) return;
      const next = tabs[(place + step + tabs.length) % tabs.length];
      next.focus();
      chooseTab(next);
    });
  });
}

/** A table of outputs may bring references and sources; they are taken if none were given. */
function changed(well, found, name) {
  if (!found || well.role !== "outputs") return;
  for (const role of ["references", "sources"]) {
    if (found[role] && !page.wells[role].all().length) page.wells[role].add(name, found);
  }
}

function showBar(done, total) {
  const bar = byId("bar");
  bar.value = total ? done / total : 0;
  byId("bar-text").textContent = `Scored ${countText(done)} of ${countText(total)} segments`;
}

function working(running) {
  page.running = running;
  byId("working").hidden = !running;
  byId("stop").hidden = !running;
  byId("score").disabled = Boolean(running);
}

async function score(event) {
  event.preventDefault();
  refused(null);
  try {
    const texts = gathered(page.wells);
    const first = Object.values(texts.systems)[0];
    if (!first) throw new Error("There is nothing to score yet: drop a file of outputs, or paste some.");
    const metrics = page.metrics.specs();
    if (!metrics.length) throw new Error("Choose at least one metric.");
    const test = Object.keys(texts.systems).length > 1 ? byId("test").value : "none";
    const body = { ...texts, metrics, test, intervals: byId("test").value !== "none" };
    working(new AbortController());
    showBar(0, first.length);
    const found = await followed("v1/compare", body, { signal: page.running.signal, progress: ({ done }) => showBar(done, first.length) });
    const named = Object.fromEntries(page.known.metrics.map((metric) => [metric.name, metric]));
    new Results(byId("results"), body, found, named, refused);
    announce("The results are there.");
    byId("results-title").focus();
  } catch (error) {
    if (error.name === "AbortError") announce("Stopped.");
    else refused(error);
  } finally {
    working(null);
  }
}

async function start() {
  watchTabs();
  for (const role of ["outputs", "references", "sources"]) {
    page.wells[role] = new Well(byId(`well-${role}`), role, { changed, refused });
  }
  byId("score-form").addEventListener("submit", score);
  byId("stop").addEventListener("click", () => page.running?.abort());
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    keepToken(byId("token").value);
    byId("token-form").hidden = true;
    refused(null);
    load();
  });
  await load();
}

/** Ask the service which metrics it offers. */
async function load() {
  try {
    byId("version").textContent = (await asked("healthz")).farthing;
    page.known = await asked("v1/metrics");
    page.metrics = new MetricForm(byId("metrics"), page.known);
    page.pair = new PairTab(page.known, refused);
  } catch (error) {
    refused(error instanceof Refused ? error : new Error(String(error)));
  }
}

start();
