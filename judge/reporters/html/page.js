for (const table of document.querySelectorAll("table.sort")) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = row => row.cells[column].dataset.key ?? row.cells[column].textContent.trim();
      const number = text => text.trim() === "" ? NaN : Number(text.replaceAll(",", ""));
      const compare = (a, b) => number(a) - number(b) || a.localeCompare(b, "en", {numeric: true});
      const order = (a, b) => compare(key(a), key(b)) * (down ? -1 : 1);
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
    });
  });
}
