{
  const live = document.getElementById("live"), link = document.getElementById("link");
  const title = document.title;

  // Make `old` equal to `now` with few changes, so that the focus, the scroll position and opened details stay.
  function update(old, now) {
    if (old.nodeName !== now.nodeName || old.id !== now.id) return old.replaceWith(now);
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== now.data) old.data = now.data;
      return;
    }
    for (const name of new Set([...old.getAttributeNames(), ...now.getAttributeNames()])) {
      if ("kept" in old.dataset && ["open", "data-kept"].includes(name)) continue;
      if (!now.hasAttribute(name)) old.removeAttribute(name);
      else if (old.getAttribute(name) !== now.getAttribute(name)) old.setAttribute(name, now.getAttribute(name));
    }
    let next = old.firstChild;
    for (const child of [...now.childNodes]) {
      const same = child.id ? [...old.children].find(each => each.id === child.id) : next?.id ? null : next;
      if (same && same !== next) old.insertBefore(same, next);
      else if (same) next = next.nextSibling;
      if (same) update(same, child);
      else old.insertBefore(child, next);
    }
    while (next) {
      const last = next;
      next = next.nextSibling;
      last.remove();
    }
  }

  function show() {
    document.title = `${live.querySelector(".outcome").textContent} - ${title}`;
  }

  live.addEventListener("click", event => {
    const details = event.target.closest("summary")?.parentElement;
    if (details) details.dataset.kept = "";
  });

  const events = new EventSource(`${location.pathname.replace(/\/?$/, "/events")}?since=${live.dataset.seen}`);
  events.onopen = () => { link.textContent = ""; };
  events.onerror = () => {
    const remedy = events.readyState === EventSource.CLOSED ? "reload this page" : "trying again";
    link.textContent = `no connection to judge watch; ${remedy}`;
  };
  events.addEventListener("end", () => {
    events.close();
    link.textContent = "judge watch has ended";
  });
  events.onmessage = event => {
    const {order, parts} = JSON.parse(event.data);
    let next = live.firstElementChild;
    for (const id of order) {
      let part = document.getElementById(id);
      if (id in parts) {
        const template = document.createElement("template");
        template.innerHTML = parts[id];
        const now = template.content.firstElementChild;
        prepare(now, part);
        if (part) update(part, now);
        else part = now;
      }
      if (part === next) next = next.nextElementSibling;
      else live.insertBefore(part, next);
    }
    while (next) {
      const last = next;
      next = next.nextElementSibling;
      last.remove();
    }
    show();
  };
  show();
}
