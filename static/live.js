// Live updates: an element that names a stream shows what the stream sends, while somebody looks. The page
// is whole without it. It stands on page.js.
"use strict";

// connected keeps a stream open while the page is looked at, and goes on behind the last event.
function connected(place, show) {
  let source, timer, failures = 0, cursor = place.dataset.cursor;
  const open = () => {
    clearTimeout(timer);
    if (source || document.hidden) return;
    const at = new URL(place.dataset.live, location);
    at.searchParams.set("cursor", cursor);
    source = new EventSource(at);
    source.onopen = () => (failures = 0);
    source.onmessage = (e) => {
      cursor = e.lastEventId;
      show(e.data);
    };
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return; // it connects again by itself
      source = null;
      if (++failures < 8) timer = setTimeout(open, Math.min(1000 * 2 ** failures, 60000));
    };
  };
  document.addEventListener("visibilitychange", () => {
    failures = 0;
    if (!document.hidden) return open();
    clearTimeout(timer);
    source?.close();
    source = null;
  });
  open();
}

const parsed = (html) => {
  const t = document.createElement("template");
  t.innerHTML = html;
  return t.content;
};

// What can have the focus.
const stops = "a, button, input, summary, pre";

// A part that is replaced whole.
function part(place) {
  connected(place, (html) => {
    const focused = place.contains(document.activeElement);
    place.replaceChildren(parsed(html));
    enhance(place);
    if (focused) {
      place.tabIndex = -1;
      place.focus();
    }
    const next = place.querySelector("[aria-current=step] strong");
    tell(next ? `Next step: ${next.textContent}` : place.textContent.trim());
  });
}

// A table whose rows are added on top and replaced in place. While it is paused they wait.
function list(place) {
  const { one, many, most } = place.dataset, button = place.querySelector("[data-pause]"), waiting = new Map();
  const paused = () => button.getAttribute("aria-pressed") === "true";
  let fresh = 0, saying;
  const say = () => {
    if (fresh && !saying) saying = setTimeout(() => {
      tell(`${fresh} new ${fresh === 1 ? one : many}`);
      fresh = saying = 0;
    }, 3000);
  };
  const put = (body, row) => {
    const old = document.getElementById(row.id);
    if ("gone" in row.dataset) return old?.remove();
    enhance(row);
    if (!old) {
      body.insertBefore(row, [...body.rows].find((r) => r.id < row.id) ?? null);
      fresh++;
      return;
    }
    const at = [...all(stops, old)].indexOf(document.activeElement), box = old.querySelector("input:checked");
    old.replaceWith(row);
    if (box && row.querySelector("input")) row.querySelector("input").checked = true;
    all(stops, row)[at]?.focus();
  };
  const flush = () => {
    const body = place.querySelector("tbody");
    if (!body) return anew(); // the first row of a list
    for (const row of waiting.values()) put(body, row);
    waiting.clear();
    while (body.rows.length > most && !body.lastElementChild.contains(document.activeElement)) body.lastElementChild.remove();
    say();
  };
  const count = () => {
    const n = paused() ? [...waiting.values()].filter((r) => !("gone" in r.dataset) && !document.getElementById(r.id)).length : 0;
    button.querySelector("span").textContent = n ? ` · ${n} new` : "";
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", !paused());
    if (!paused()) flush();
    count();
  });
  connected(place, (html) => {
    for (const row of all("tr[id]", parsed(html))) waiting.set(row.id, row);
    while (waiting.size > 100) waiting.delete(waiting.keys().next().value);
    if (!paused()) flush();
    count();
  });
}

if (!matchMedia("(prefers-reduced-data: reduce)").matches && !navigator.connection?.saveData) {
  for (const place of all("[data-live]")) (place.dataset.most ? list : part)(place);
}
