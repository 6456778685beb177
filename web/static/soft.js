// Looks again at a page whose table is still being played, without losing the reader's place.
"use strict";
(() => {
  const part = () => document.getElementById("soft");
  const seconds = () => Number(part()?.dataset.refresh || 0);
  let pause = seconds();

  const look = async () => {
    if (document.hidden) return wait();
    try {
      const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = fresh.getElementById("soft");
      if (!next || !next.dataset.refresh) return location.reload();
      if (next.innerHTML !== part().innerHTML) part().replaceWith(document.importNode(next, true));
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
