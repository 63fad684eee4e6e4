// Follows a proof: each message holds the parts of the page that changed.
"use strict";
const live = document.getElementById("live");
let source;

function kept(part) {
  const opened = [...part.querySelectorAll("details[open]")].map((found) => found.id);
  const boxes = [...part.querySelectorAll("input[type=checkbox]")].map((found) => [found.id, found.checked]);
  const focused = part.contains(document.activeElement) ? document.activeElement.closest("[id]") : null;
  const scrolled = [...part.querySelectorAll(".wide")].map((found) => found.scrollLeft);
  return () => {
    for (const id of opened) { const found = document.getElementById(id); if (found) found.open = true; }
    for (const [id, checked] of boxes) { const found = document.getElementById(id); if (found) found.checked = checked; }
    part.querySelectorAll(".wide").forEach((found, n) => { found.scrollLeft = scrolled[n] || 0; });
    if (focused && focused !== part) {
      const found = document.getElementById(focused.id);
      const target = found && (found.matches("details") ? found.querySelector("summary") : found);
      if (target) target.focus({ preventScroll: true });
    }
  };
}

function show(parts) {
  for (const [name, html] of Object.entries(parts)) {
    if (name === "title") { document.title = html; continue; }
    const part = document.getElementById(name);
    if (!part || part.innerHTML === html) continue;
    const restore = kept(part);
    part.innerHTML = html; // made and escaped by the server
    restore();
  }
}

function end() {
  source.close();
  const cancel = document.querySelector("form.cancel");
  if (cancel) cancel.remove();
}

function watch() {
  source = new EventSource(live.dataset.events);
  source.onmessage = (event) => {
    const told = JSON.parse(event.data);
    show(told.parts);
    if (told.ended) end();
  };
  source.onerror = () => {
    // a browser asks again by itself, but not after an answer such as 503
    if (source.readyState === EventSource.CLOSED) setTimeout(watch, 3000);
  };
}
watch();
