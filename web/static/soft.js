// Looks again at a page on which something is still being played, without losing the reader's place.
"use strict";
(() => {
  const part = () => document.getElementById("soft");
  const seconds = () => Number(part()?.dataset.refresh || 0);
  let pause = seconds();

  const inner = (whole) => new Map([...whole.querySelectorAll("[data-soft]")].map((one) => [one.id, one]));
  const frame = (whole) => { // what stays as it is while only the parts in it change
    const copy = whole.cloneNode(true);
    for (const one of inner(copy).values()) one.replaceChildren();
    return copy.innerHTML;
  };
  const swap = (old, fresh) => {
    if (old.innerHTML === fresh.innerHTML) return;
    const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    old.replaceChildren(...document.importNode(fresh, true).childNodes);
    if (focused) [...old.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
  };

  const look = async () => {
    if (document.hidden) return wait();
    try {
      const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = fresh.getElementById("soft");
      if (!next || !next.dataset.refresh) return location.reload();
      if (frame(part()) === frame(next)) {
        const parts = inner(next);
        for (const [id, old] of inner(part())) swap(old, parts.get(id));
      } else {
        swap(part(), next);
      }
      pause = seconds();
    } catch {
      pause = Math.min(pause * 2, 60); // the server may be busy or away: ask less and less often
    }
    wait();
  };
  const wait = () => setTimeout(look, pause * 1000);

  if (pause) wait();
  document.addEventListener("visibilitychange", () => { if (!document.hidden) pause = seconds(); });
})();
