// SPDX-License-Identifier: MIT
// The tables stand in the page as exact numbers: times in ns, sizes in bytes, as -x and -j have them. They are shown with units
// here, are sorted by a click on (or Enter in) a head, and are filtered by the field above them.
"use strict";

function scaled(value, units, step) {
	let i = 0;
	while (value >= step && i + 1 < units.length) {
		value /= step;
		i++;
	}
	return (i ? value.toFixed(3) : value) + " " + units[i];
}

function shown(value, column) {
	if (/_(start|end)_ns$/.test(column))
		return (value / 1e9).toFixed(6) + " s";
	if (column.endsWith("_ns"))
		return scaled(value, ["ns", "µs", "ms", "s"], 1000);
	if (column.endsWith("_bytes"))
		return scaled(value, ["B", "KiB", "MiB", "GiB"], 1024);
	return /^(pid|tid|cpu)$/.test(column) ? String(value) : value.toLocaleString("en");
}

// A number, or a text; what has no value comes last.
function keyOf(cell) {
	return cell.classList.contains("n") ? Number(cell.dataset.n) : cell.textContent;
}

function compare(a, b) {
	if (typeof a !== typeof b)
		return typeof a === "number" ? -1 : 1;
	return a < b ? -1 : a > b ? 1 : 0;
}

function sortBy(head) {
	const body = head.closest("table").tBodies[0], rows = [...body.rows], at = head.cellIndex;
	const numbers = rows.some((row) => row.cells[at].classList.contains("n"));
	const order = head.ariaSort ? (head.ariaSort === "ascending" ? "descending" : "ascending")
		: numbers ? "descending" : "ascending";
	const sign = order === "ascending" ? 1 : -1;
	const keys = new Map(rows.map((row) => [row, keyOf(row.cells[at])]));
	rows.sort((a, b) => sign * compare(keys.get(a), keys.get(b)));
	for (const other of head.parentNode.cells)
		other.removeAttribute("aria-sort");
	head.setAttribute("aria-sort", order);
	body.append(...rows);
}

function filter(text) {
	let pattern;
	try {
		pattern = new RegExp(text, "i");
	} catch {
		pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
	}
	let kept = 0, all = 0;
	for (const row of document.querySelectorAll("tbody tr")) {
		row.hidden = ![...row.cells].some((cell) => pattern.test(cell.textContent));
		kept += !row.hidden;
		all++;
	}
	document.getElementById("found").textContent = text ? kept + " of " + all + " rows" : all + " rows";
}

// Numbers have their units: heads need none.
for (const head of document.querySelectorAll("th")) {
	head.dataset.name = head.title = head.textContent;
	head.textContent = head.textContent.replace(/_(ns|bytes)$/, "").replace(/_/g, " ");
	head.tabIndex = 0;
	head.addEventListener("click", () => sortBy(head));
	head.addEventListener("keydown", (e) => e.key === "Enter" && sortBy(head));
}
for (const cell of document.querySelectorAll("td.n")) {
	const exact = cell.textContent, head = cell.closest("table").tHead.rows[0].cells[cell.cellIndex];
	cell.dataset.n = exact;
	cell.title = exact;
	cell.textContent = shown(Number(exact), head.dataset.name);
	head.classList.add("n");
}
document.getElementById("find").addEventListener("input", (e) => filter(e.target.value));
filter("");
document.documentElement.setAttribute("data-ready", "yes");
