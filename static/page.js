// What a page can do by itself, done more comfortably. Nothing needs it: every button
// that only a script can serve is hidden until this runs.
"use strict";

const all = (selector, within = document) => within.querySelectorAll(selector);

// Copying: the button copies the code of what is around it, and says so.
function copying(within) {
  if (!navigator.clipboard) return;
  for (const button of all("[data-copy]", within)) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const word = button.textContent;
      try {
        await navigator.clipboard.writeText(button.closest(".copied").querySelector("code").textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Select it";
      }
      tell(button.textContent);
      setTimeout(() => (button.textContent = word), 1500);
    });
  }
}

// tell says something to who cannot see it.
function tell(what) {
  let region = document.querySelector("#told");
  if (!region) {
    region = document.createElement("p");
    region.id = "told";
    region.className = "unseen";
    region.setAttribute("role", "status");
    document.body.append(region);
  }
  region.textContent = what;
}

// Asking: the page that asks before something is done is shown as a dialog. Whatever
// goes wrong, the link leads there.
async function ask(link) {
  const answer = await fetch(link.href, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const question = page.querySelector(".confirm");
  if (!answer.ok || answer.redirected || !question) throw new Error("no question");
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "confirm");
  const title = question.querySelector("h1"); // has the focus: the key that opened this must not also answer it
  title.tabIndex = -1;
  const form = question.querySelector("form");
  if (!form.getAttribute("action")) form.action = link.href;
  dialog.append(document.adoptNode(question));
  document.body.append(dialog);
  title.autofocus = true; // of the dialog: what comes into the document with it asks for the page's focus too
  dialog.addEventListener("close", () => dialog.remove());
  dialog.querySelector("[data-cancel]")?.addEventListener("click", (e) => {
    e.preventDefault();
    dialog.close();
  });
  enhance(dialog);
  dialog.showModal();
}

function asking(within) {
  for (const link of all("a[data-confirm]", within)) {
    link.addEventListener("click", (e) => {
      if (e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
      e.preventDefault();
      ask(link).catch(() => location.assign(link.href));
    });
  }
}

// Filters apply once one is chosen. What is typed waits for Enter or the button.
function filtering(within) {
  for (const form of all("form[data-auto]", within)) {
    form.addEventListener("change", (e) => {
      if (e.target.matches("select, [type=checkbox], [type=radio]")) form.requestSubmit();
    });
    form.addEventListener("submit", () => {
      for (const field of form.elements) if (field.name && field.value === "" && !field.disabled) field.disabled = field.dataset.leftOut = true;
    });
  }
}

// Sending: a form is sent once, however often its button is pressed, unless that was stopped. A preview
// in another tab or in a frame of the page sends nothing.
addEventListener("submit", (e) => {
  const form = e.target;
  if (form.dataset.sent) e.preventDefault();
  else if (form.matches("[method=post]") && ["", "_self"].includes(e.submitter?.formTarget ?? "")) form.dataset.sent = 1;
}, true);

// Times: readers in another time zone than the account see their own time too.
function times(within) {
  const own = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
  for (const time of all("time[datetime]", within)) {
    const at = new Date(time.dateTime);
    if (!isNaN(at)) time.title += `\nHere: ${own.format(at)}`;
  }
}

// Languages: a language chosen for one sample is shown in all of them.
function speaking(within) {
  const choose = (tag) => all(".languages input", document).forEach((i) => i.value === tag && (i.checked = true));
  for (const input of all(".languages input", within)) {
    input.addEventListener("change", () => {
      choose(input.value);
      try {
        localStorage.setItem("language", input.value);
      } catch {}
    });
  }
  try {
    choose(localStorage.getItem("language"));
  } catch {}
}

function enhance(within) {
  speaking(within);
  copying(within);
  asking(within);
  filtering(within);
  times(within);
}

enhance(document);

// A page is loaded anew, unless the reader is being asked something, or on the way to another page, which would be
// cut off.
let left = -Infinity;
addEventListener("beforeunload", () => (left = Date.now()));
function anew() {
  if (document.querySelector("dialog[open]")) return;
  if (Date.now() - left < 10000) setTimeout(anew, 10000);
  else location.reload();
}

// What is still under way is looked at again.
const refresh = document.querySelector("meta[name=refresh]");
if (refresh) setInterval(anew, refresh.content * 1000);

// The search of the documentation is found by a key, and the page that is read in the navigation.
for (const hint of all("[data-find]")) {
  hint.hidden = false;
  addEventListener("keydown", (e) => {
    if (e.key !== "k" || !(e.metaKey || e.ctrlKey)) return;
    e.preventDefault();
    hint.previousElementSibling.focus();
  });
}
const places = document.querySelector(".dnav"), read = places?.querySelector("[aria-current=page]");
if (read) places.scrollTop = read.offsetTop - places.clientHeight / 2;

// A menu closes by Escape and by a click elsewhere.
addEventListener("keydown", (e) => {
  if (e.key !== "Escape") return;
  for (const menu of all("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
addEventListener("click", (e) => {
  for (const menu of all("details.menu[open]")) if (!menu.contains(e.target)) menu.open = false;
});

// A page that comes back from the browser's memory, or that stays since the next one was stopped,
// is as it was before it was sent.
const unsent = () => {
  for (const e of all("[data-left-out]")) {
    e.disabled = false;
    delete e.dataset.leftOut;
  }
  for (const e of all("[data-sent]")) delete e.dataset.sent;
};
addEventListener("pageshow", (e) => e.persisted && unsent());
if (window.navigation) navigation.addEventListener("navigateerror", unsent);
else addEventListener("keydown", (e) => e.key === "Escape" && unsent()); // which stops a page

// The palette: search and commands, by Cmd+K or Ctrl+K on every page of who is signed in.
function palette() {
  const dialog = document.querySelector("[data-palette]");
  if (!dialog?.showModal) return;
  const input = dialog.querySelector("input"), list = dialog.querySelector(".res"), said = dialog.querySelector(".none");
  const options = () => [...all("[role=option]", list)];
  let chosen = -1, asked = 0, wait;
  const choose = (n) => {
    const every = options();
    every[chosen]?.setAttribute("aria-selected", false);
    chosen = every.length ? (n + every.length) % every.length : -1;
    const now = every[chosen];
    now?.setAttribute("aria-selected", true);
    now?.scrollIntoView({ block: "nearest" });
    if (now) input.setAttribute("aria-activedescendant", now.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const look = async () => {
    const mine = ++asked;
    let page, words;
    try {
      const answer = await fetch(`${dialog.dataset.palette}?q=${encodeURIComponent(input.value)}`);
      if (!answer.ok || answer.redirected) throw new Error("no answer");
      page = new DOMParser().parseFromString(await answer.text(), "text/html").body;
      words = page.querySelector("a") ? "" : "Nothing matches. Try fewer letters.";
    } catch {
      words = "Search isn’t available";
    }
    if (mine !== asked) return; // somebody has typed on
    chosen = -1;
    list.replaceChildren(...(page ? [...page.children].map((e) => document.adoptNode(e)) : []));
    said.textContent = words;
    choose(0);
  };
  const open = (text = "") => {
    if (dialog.open) return;
    if (document.querySelector("dialog[open]")) return;
    document.querySelector("#navigation:popover-open")?.hidePopover();
    input.value = text;
    dialog.showModal();
    input.focus();
    look();
  };
  input.addEventListener("input", () => {
    ++asked; // what is under way answers to something else
    clearTimeout(wait);
    wait = setTimeout(look, 80);
  });
  dialog.addEventListener("keydown", (e) => {
    if (e.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step) choose(chosen + step);
    else if (e.key === "Enter") options()[chosen]?.click();
    else if (e.key === "Escape") dialog.close();
    else return;
    e.preventDefault();
  });
  dialog.addEventListener("click", (e) => e.target === dialog && dialog.close());
  dialog.addEventListener("close", () => (++asked, clearTimeout(wait)));
  for (const hint of all(".find kbd")) {
    hint.textContent = /Mac|iP/.test(navigator.platform) ? "⌘K" : "Ctrl K";
    hint.hidden = false;
  }
  addEventListener("keydown", (e) => {
    if (e.key.toLowerCase() !== "k" || !(e.metaKey || e.ctrlKey) || e.altKey || e.shiftKey) return;
    e.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  });
  return open;
}

// Rows of a list: a click anywhere in one opens its record, as the link in its first cell does.
const opened = (e) => e.target.closest?.("main table.t tbody tr")?.querySelector("th a[href]");
addEventListener("pointerover", (e) => {
  if (opened(e)) e.target.closest("tr").style.cursor = "pointer";
});
addEventListener("click", (e) => {
  const link = opened(e);
  if (!link || e.defaultPrevented || e.target.closest("a, button, input, label, select, summary")) return;
  if (getSelection().isCollapsed) link.dispatchEvent(new MouseEvent("click", e));
});

// Keys of a list: j and k go through its rows, / to its search. Nothing happens while somebody types.
function listKeys(search) {
  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return;
    if (e.target.closest("input, select, textarea, dialog, [contenteditable]")) return;
    if (e.key === "/") {
      const field = document.querySelector("main input[type=search]");
      if (!field && !search) return;
      e.preventDefault();
      if (field) field.focus();
      else search();
      return;
    }
    const step = { j: 1, k: -1 }[e.key];
    const link = (r) => [...all("a[href]", r)].find((a) => a.checkVisibility());
    const rows = [...all("main table.t tbody tr")].filter(link);
    if (!step || !rows.length) return;
    const at = rows.findIndex((r) => r.matches("[data-row]"));
    rows[at]?.removeAttribute("data-row");
    const row = rows[at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)];
    row.dataset.row = "";
    link(row).focus();
    row.scrollIntoView({ block: "nearest" });
  });
}

listKeys(palette());
