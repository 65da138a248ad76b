// SPDX-License-Identifier: MIT
// @ts-check
/* The table: rows are made for what is on the screen, so a million of them scroll. Paper has the first of them. */
'use strict';

const ROWS_ON_PAPER = 200;
/* Letters of a name that has room; longer ones are shown without their template arguments. */
const LONG_NAME = 80;

class Table {
	/**
	 * @param {HTMLElement} place
	 * @param {HTMLElement} scroll what scrolls it
	 * @param {App} app
	 */
	constructor(place, scroll, app) {
		this.place = place;
		this.scroll = scroll;
		this.app = app;
		/** @type {Row[]} */
		this.rows = [];
		this.sort = {column: 'self', down: true};
		this.chosen = 0;
		scroll.addEventListener('scroll', () => this.app.view === 'table' && this.draw());
		place.addEventListener('keydown', (e) => this.#key(e));
		place.addEventListener('click', (e) => {
			const line = /** @type {HTMLElement} */ (e.target).closest('tr[data-row]');
			if (line)
				this.#open(Number(line.getAttribute('data-row')));
		});
	}

	get height() {
		return 24;
	}

	/** @param {Row[]} rows */
	show(rows) {
		const {app} = this;
		this.rows = app.search ? rows.filter((r) => app.matches(`${r.name} ${r.where}`)) : rows;
		this.order();
		this.draw(true);
	}

	order() {
		const {column, down} = this.sort, side = this.app.profile.head.sides.length - 1;
		const share = this.app.sums.map((s) => s.sum || 1);
		/** @param {Row} r @returns {number | string} */
		const value = (r) => {
			switch (column) {
			case 'self': return r.self[side];
			case 'total': return r.total[side];
			case 'change': return Math.abs(r.self[1] / share[1] - r.self[0] / share[0]);
			case 'where': return r.where;
			default: return r.name;
			}
		};
		this.rows.sort((a, b) => {
			const x = value(a), y = value(b), order = x < y ? -1 : x > y ? 1 : a.name < b.name ? -1 : 1;
			return down && typeof x === 'number' ? -order : order;
		});
	}

	/** @param {boolean} [whole] the head, too */
	draw(whole) {
		const {app, height} = this, both = app.sums.length > 1, side = app.sums.length - 1;
		/* Where there is little room, shares are told without their weights. */
		const weighed = this.place.clientWidth > 50 * SIZES.letters, more = weighed ? 2 : 0;
		/* Of two recordings the columns are of the second one. */
		const of = both ? `, ${fileText(app.profile.head.sides[1])}` : '';
		const columns = [['self', `self${of}`, true], ['total', 'with callees', true]];
		if (both)
			columns.push(['change', 'change', true]);
		columns.push(['name', app.group, false]);
		if (app.group === 'function')
			columns.push(['where', 'library', false]);
		if (whole || !this.place.firstChild) {
			const widths = columns.map(([key, , number]) => key === 'self' || key === 'total' ? `<col class="number">${weighed ? '<col class="weight">' : ''}` :
				`<col class="${number ? 'change' : key}">`).join('');
			this.place.innerHTML = `<table><colgroup>${widths}</colgroup><thead><tr></tr></thead><tbody></tbody></table>`;
			const head = /** @type {HTMLElement} */ (this.place.querySelector('tr'));
			for (const [key, title, number] of columns) {
				const cell = document.createElement('th'), button = document.createElement('button');
				cell.className = number ? 'number' : '';
				cell.colSpan = weighed && (key === 'self' || key === 'total') ? 2 : 1;
				const sorted = this.sort.column === key;
				cell.setAttribute('aria-sort', sorted ? (this.sort.down && number ? 'descending' : 'ascending') : 'none');
				button.textContent = `${title}${sorted ? (this.sort.down && number ? ' ▾' : ' ▴') : ''}`;
				button.onclick = () => {
					this.sort = {column: String(key), down: sorted ? !this.sort.down : true};
					this.order();
					this.draw(true);
					app.writeAddress();
				};
				/* Browsers print no buttons of a head that is on several pages. */
				cell.append(SIZES.paper ? button.textContent : button);
				head.append(cell);
			}
		}
		const body = /** @type {HTMLElement} */ (this.place.querySelector('tbody'));
		const room = this.scroll.clientHeight;
		const from = SIZES.paper ? 0 : Math.max(0, Math.floor(this.scroll.scrollTop / height) - 10);
		const to = Math.min(this.rows.length, from + (SIZES.paper ? ROWS_ON_PAPER : Math.ceil(room / height) + 20));
		/** @param {number} n of pixels left out */
		const gap = (n) => n ? `<tr style="height:${n}px"><td colspan="${columns.length + more}" style="height:${n}px"></td></tr>` : '';
		let html = gap(from * height);
		const sums = app.sums.map((s) => s.sum || 1);
		for (let i = from; i < to; i++) {
			const r = this.rows[i], found = app.search ? ' found' : '';
			html += `<tr data-row="${i}" class="${i === this.chosen ? 'chosen' : ''}${found}">`;
			for (const values of [r.self, r.total]) {
				const part = values[side] / sums[side] * 100;
				html += `<td class="number" style="--part:${part.toFixed(2)}%">${part.toFixed(2)} %</td>`;
				html += weighed ? `<td class="weight">${escapeText(app.weightText(values[side]))}</td>` : '';
			}
			if (both) {
				const change = (r.self[1] / sums[1] - r.self[0] / sums[0]) * 100;
				html += `<td class="number">${signedText(change, 2)}</td>`;
			}
			const name = r.name.length > LONG_NAME ? withoutArguments(r.name) : r.name;
			html += `<td class="name" title="${escapeText(r.name)}">${escapeText(name)}</td>`;
			if (app.group === 'function')
				html += `<td title="${escapeText(r.where)}">${escapeText(r.where)}</td>`;
			html += '</tr>';
		}
		const left = this.rows.length - to;
		if (!SIZES.paper)
			html += gap(left * height);
		else if (left)
			html += `<tr><td colspan="${columns.length + more}">… and ${left.toLocaleString('en')} more</td></tr>`;
		body.innerHTML = html;
	}

	/** @param {number} i */
	#open(i) {
		const row = this.rows[i];
		this.chosen = i;
		const {threads} = this.app.profile, of = /** @type {Record<string, (t: ThreadHead, i: number) => boolean>} */ ({
			thread: (_, at) => at === row.key, process: (t) => t.pid === row.key, command: (t) => t.comm === row.name,
		})[this.app.group];
		if (row && row.func >= 0)
			this.app.showFunction(row.func);
		else if (row && of)
			this.app.selectThreads(threads.flatMap((t, at) => of(t, at) ? [at] : []));
	}

	/** @param {KeyboardEvent} e */
	#key(e) {
		const page = Math.max(1, Math.floor(this.scroll.clientHeight / this.height) - 2);
		const steps = /** @type {Record<string, number>} */ ({ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page,
			Home: -Infinity, End: Infinity});
		if (e.key in steps) {
			this.chosen = Math.min(Math.max(this.chosen + steps[e.key], 0), this.rows.length - 1);
			const y = this.chosen * this.height;
			if (y < this.scroll.scrollTop)
				this.scroll.scrollTop = y;
			else if (y > this.scroll.scrollTop + this.scroll.clientHeight - 3 * this.height)
				this.scroll.scrollTop = y - this.scroll.clientHeight + 3 * this.height;
			this.draw();
			e.preventDefault();
		} else if (e.key === 'Enter') {
			this.#open(this.chosen);
		}
	}
}

/** @param {string} text */
function escapeText(text) {
	return text.replace(/[&<>"]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c] || c);
}
