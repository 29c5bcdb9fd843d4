function sort(head, down) {
  const table = head.closest("table"), column = head.cellIndex;
  for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = row => row.cells[column].dataset.key ?? row.cells[column].textContent.trim();
  const number = text => text.trim() === "" ? NaN : Number(text.replaceAll(",", ""));
  const compare = (a, b) => number(a) - number(b) || a.localeCompare(b, "en", {numeric: true});
  const order = (a, b) => compare(key(a), key(b)) * (down ? -1 : 1);
  table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
}

// Give tables their buttons, and the order that those of an older version of this part of the page have.
function prepare(part, old) {
  for (const head of part.querySelectorAll("table.sort thead th")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
  }
  const tables = part.querySelectorAll("table.sort");
  old?.querySelectorAll("table.sort").forEach((table, at) => {
    const sorted = table.querySelector("thead th[aria-sort]");
    if (sorted && tables[at]) sort(tables[at].tHead.rows[0].cells[sorted.cellIndex], sorted.ariaSort === "descending");
  });
}

document.addEventListener("click", event => {
  const head = event.target.closest("table.sort thead button")?.parentElement;
  if (head) sort(head, head.getAttribute("aria-sort") === "ascending");
});
prepare(document);
