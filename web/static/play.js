// A seat at the table without reloads: sends moves, looks for news, and gets over a lost connection.
"use strict";
(() => {
  const LOOK_MS = 2000;
  const MOST_MS = 15000;
  let pause = LOOK_MS;
  let busy = false;
  let timer = 0;
  let dueAt = 0;

  const seat = () => document.getElementById("seat");
  const isOver = () => seat().hasAttribute("data-over");
  const showLink = (lost) => { document.getElementById("link").hidden = !lost; };

  const take = (html) => {
    const next = new DOMParser().parseFromString(html, "text/html").getElementById("seat");
    if (!next) return location.reload();
    const typed = seat().contains(document.activeElement);
    seat().replaceWith(document.importNode(next, true));
    startClock();
    if (typed) document.querySelector("#seat .moves-form button, #seat .moves-form select, #seat a.button")?.focus();
  };

  const ask = async (address, options) => {
    const answer = await fetch(address, { credentials: "same-origin", cache: "no-store", ...options });
    if (answer.status >= 500) throw new Error(String(answer.status));
    if (answer.status === 304) return;
    const html = await answer.text();
    if (answer.ok || answer.status === 409) return take(html);
    location.assign(seat().dataset.address); // the server says why
  };

  const look = async () => {
    if (!busy && !document.hidden) {
      try {
        await ask(seat().dataset.address, { headers: { "If-None-Match": `"${seat().dataset.version}"` } });
        pause = LOOK_MS;
        showLink(false);
      } catch {
        pause = Math.min(pause * 2, MOST_MS);
        showLink(true);
      }
    }
    wait();
  };
  const wait = () => {
    clearTimeout(timer);
    if (!isOver()) timer = setTimeout(look, pause);
  };

  const send = async (form, button) => {
    busy = true;
    const fields = new URLSearchParams(new FormData(form, button));
    try {
      await ask(form.action, { method: "POST", body: fields });
      showLink(false);
    } catch {
      showLink(true); // said again by hand: the decision's number keeps it from counting twice
    } finally {
      busy = false;
      wait();
    }
  };

  document.addEventListener("submit", (event) => {
    if (!seat().contains(event.target)) return;
    event.preventDefault();
    if (!busy) send(event.target, event.submitter);
  });

  const startClock = () => {
    const clock = document.getElementById("clock");
    if (clock) dueAt = performance.now() + Number(clock.dataset.left) * 1000;
  };
  setInterval(() => {
    const clock = document.getElementById("clock");
    if (!clock) return;
    const left = Math.max(0, Math.round((dueAt - performance.now()) / 1000));
    clock.textContent = `${Math.floor(left / 60)} min ${left % 60} s`;
  }, 1000);

  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  startClock();
  wait();
})();
