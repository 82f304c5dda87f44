// Passkeys: the button of a form asks the browser, and the form takes its answer along.
// The form is hidden until this knows that the browser can be asked.
"use strict";

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const words = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

// asked is what the server wants to know, as the browser takes it.
function asked(options) {
  options.challenge = bytes(options.challenge);
  if (options.user) options.user.id = bytes(options.user.id);
  for (const list of [options.excludeCredentials, options.allowCredentials]) {
    for (const credential of list ?? []) credential.id = bytes(credential.id);
  }
  return options;
}

// told is what the browser answers, as the server takes it.
function told(credential) {
  const response = {};
  for (const part of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[part]) response[part] = words(credential.response[part]);
  }
  if (credential.response.getTransports) response.transports = credential.response.getTransports();
  return JSON.stringify({
    id: credential.id, rawId: words(credential.rawId), type: credential.type, response,
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
  });
}

async function fill(form) {
  const answer = await fetch(form.dataset.start, {
    method: "POST", body: new URLSearchParams({ token: form.elements.token.value }), headers: { Accept: "application/json" },
  });
  if (answer.redirected) return location.assign(answer.url);
  if (!answer.ok) throw new Error("not asked");
  const publicKey = asked((await answer.json()).publicKey);
  const keep = document.querySelector("input[type=checkbox][name=keep]");
  if (form.elements.keep && keep?.checked) form.elements.keep.value = keep.value;
  form.elements.response.value = told(await navigator.credentials[form.dataset.passkey]({ publicKey }));
  form.submit();
}

for (const form of document.querySelectorAll("[data-passkey]")) {
  if (!window.PublicKeyCredential || !navigator.credentials) continue;
  form.hidden = false;
  for (const instead of document.querySelectorAll("[data-instead]")) instead.hidden = true;
  form.addEventListener("submit", (e) => {
    if (e.defaultPrevented) return;
    e.preventDefault();
    const what = form.querySelector(".err[role=alert]");
    what.hidden = true;
    fill(form).catch((failed) => {
      delete form.dataset.sent;
      what.textContent = failed.name === "InvalidStateError"
        ? "This device has a passkey for your account already."
        : "That did not work, or was stopped. Try again, or choose another way.";
      what.hidden = false;
    });
  });
}
