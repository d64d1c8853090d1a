/** Talk to the service: JSON, files and streams of events. What it refuses is thrown as the sentence that it says. */

const TOKEN = "farthing-token";

/** A sentence of the service, and its status. */
export class Refused extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

/** Keep the token until the browser tab is closed. */
export function keepToken(text) {
  sessionStorage.setItem(TOKEN, text.trim());
}

function headers(more) {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

async function sent(path, options) {
  let answer;
  try {
    answer = await fetch(path, { ...options, headers: headers(options.headers) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The service does not answer: is farthing serve still running?", 0);
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({ error: `the service answers with status ${answer.status}` }));
  throw new Refused(told.error, answer.status);
}

/** Ask for JSON. */
export async function asked(path) {
  return (await sent(path, { headers: {} })).json();
}

/** Send JSON and return the answer as the browser has it. */
export function posted(path, body, { accept = "application/json", signal } = {}) {
  const told = { "Content-Type": "application/json", Accept: accept };
  return sent(path, { method: "POST", headers: told, body: JSON.stringify(body), signal });
}

/** Send a file and return its texts. */
export async function sentFile(file, role) {
  const path = `v1/read?${new URLSearchParams({ name: file.name, role })}`;
  const told = { "Content-Type": "application/octet-stream" };
  return (await sent(path, { method: "POST", headers: told, body: file })).json();
}

/** Send JSON and read events until there is a result; `progress` is called with what each says. */
export async function followed(path, body, { progress, signal }) {
  const answer = await posted(path, body, { accept: "text/event-stream", signal });
  for await (const { event, data } of events(answer.body)) {
    if (event === "progress") progress(data);
    if (event === "failed") throw new Refused(data.error, data.status);
    if (event === "result") return data;
  }
  throw new Refused("The answer broke off: is farthing serve still running?", 0);
}

/** Cut a stream of bytes into server-sent events. */
export async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (text + value).split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      const lines = Object.fromEntries(part.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      yield { event: lines.event, data: JSON.parse(lines.data) };
    }
  }
}
