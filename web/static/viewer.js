// The replay viewer without reloads: steps by click and key, plays by itself, keeps the address to share.
"use strict";
(() => {
  const PARTS = ["steps", "said", "board", "hence"];
  const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  const KEPT = 40;
  const pages = new Map();
  let playing = 0; // the timer; 0: paused
  let wanted = 0; // the latest request: an earlier one's answer is dropped

  const part = (id) => document.getElementById(id);
  const ask = (address) => {
    if (!pages.has(address)) {
      const page = fetch(address, { headers: { Accept: "text/html" } }).then(async (answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return new DOMParser().parseFromString(await answer.text(), "text/html");
      });
      page.catch(() => pages.delete(address));
      pages.set(address, page);
      if (pages.size > KEPT) pages.delete(pages.keys().next().value);
    }
    return pages.get(address);
  };

  const show = (page) => {
    const focused = document.activeElement?.id;
    const eyes = document.activeElement?.closest?.(".eyes") && document.activeElement.textContent;
    for (const id of PARTS) part(id).replaceChildren(...document.importNode(page.getElementById(id), true).childNodes);
    document.title = page.title;
    for (const name of ["move", "view"]) {
      document.querySelector(`#jump [name=${name}]`).value = page.querySelector(`#jump [name=${name}]`).value;
    }
    offerPlay();
    if (focused && document.activeElement?.id !== focused) part(focused)?.focus();
    if (eyes) [...document.querySelectorAll(".eyes a")].find((one) => one.textContent === eyes)?.focus();
  };

  const go = async (address) => {
    const mine = ++wanted;
    try {
      const page = await ask(address);
      if (mine !== wanted) return false;
      show(page);
      history.replaceState(null, "", part("share").href);
      part("link").hidden = true;
      const next = part("on").href;
      if (next) ask(next).catch(() => {}); // said when it is asked for in earnest
      return true;
    } catch {
      pause();
      part("link").hidden = false;
      return false;
    }
  };

  const offerPlay = () => {
    const button = part("play");
    button.hidden = false;
    button.textContent = playing ? "Pause" : "Play";
    part("said").setAttribute("aria-live", playing ? "off" : "polite"); // too fast to be read out
  };
  const pause = () => {
    clearTimeout(playing);
    playing = 0;
    offerPlay();
  };
  const tick = async () => {
    const next = part("on").href;
    const mine = playing;
    if (!next) return pause();
    if (!(await go(next))) return;
    if (playing === mine) playing = setTimeout(tick, Number(part("speed").value));
  };
  const toggle = async () => {
    if (playing) return pause();
    if (!part("on").href && !(await go(part("first").href))) return; // from the end: once more
    playing = setTimeout(tick, Number(part("speed").value));
    offerPlay();
  };
  const move = (address) => {
    if (!address) return;
    pause();
    go(address);
  };

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    if (event.target.closest("#play")) return toggle();
    const link = event.target.closest("#steps a");
    if (!link) return;
    event.preventDefault();
    move(link.href);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (!KEYS[event.key] || event.shiftKey) return;
    event.preventDefault();
    move(part(KEYS[event.key]).href);
  });
  part("jump").addEventListener("submit", (event) => {
    event.preventDefault();
    move(`${event.target.action}?${new URLSearchParams(new FormData(event.target))}`);
  });

  part("pace").hidden = false;
  offerPlay();
})();
