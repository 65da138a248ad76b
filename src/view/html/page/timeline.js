// SPDX-License-Identifier: MIT
// @ts-check
/*
 * Time: a heat map (a column a second or so, rows within it) whose range redraws all else, and flame charts, in which the
 * axis is time.
 */
'use strict';

/**
 * @param {number} ns
 * @param {number} [step] the finest difference that matters, in ns; without it four digits are told
 */
function timeText(ns, step) {
	if (!ns)
		return '0 s';
	const size = Math.abs(ns);
	const [unit, name] = /** @type {[number, string]} */ (size >= 1e9 ? [1e9, 's'] : size >= 1e6 ? [1e6, 'ms'] :
		size >= 1e3 ? [1e3, 'µs'] : [1, 'ns']);
	if (step === undefined)
		return `${Number((ns / unit).toPrecision(4))} ${name}`;
	const decimals = Math.ceil(Math.log10(unit / Math.max(step, 1)) - 1e-9);
	return `${(ns / unit).toFixed(Math.min(Math.max(decimals, 0), 9))} ${name}`;
}

/**
 * @param {number} percent a difference, in percentage points
 * @param {number} decimals
 */
function signedText(percent, decimals) {
	return `${percent > 0 ? '+' : ''}${percent.toFixed(decimals)} %`;
}

/* Pixels of what stands beside the pictures of time: letters, names of lanes, an axis with its numbers; of a row of a graph. */
const SIZES = {letters: 11, label: 130, axis: 16, font: '', row: 19, paper: 0};
/* Rows that are lower have no letters. */
const LEAST_ROW = 8;
/* The height of a page of paper, in parts of its width: that of A4 across, without its margins. */
const PAPER_SHAPE = 0.68;

/**
 * They follow the letters of the page, which are larger on large screens.
 * @param {boolean} onPaper
 */
function measureSizes(onPaper) {
	const size = parseFloat(getComputedStyle(document.body).fontSize);
	SIZES.letters = Math.round(size * 0.8);
	SIZES.row = Math.round(size * 1.35);
	SIZES.label = Math.round(SIZES.letters * 11.8);
	SIZES.axis = SIZES.letters + 5;
	SIZES.font = `${SIZES.letters}px system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif`;
	SIZES.paper = onPaper ? Math.floor(document.body.clientWidth * PAPER_SHAPE) : 0;
}

/** Pixels of a canvas for each of the page: paper shows more of them than screens do. */
function pixelRatio() {
	return Math.max(window.devicePixelRatio || 1, SIZES.paper ? 2 : 0);
}

/**
 * A picture of boxes lies on one page of paper: in what is left of the first one, or on a page of its own.
 * @param {number} rows
 */
function rowHeight(rows) {
	const left = SIZES.paper - element('scroll').offsetTop;
	return SIZES.paper ? Math.min(SIZES.row, (left > SIZES.paper / 3 ? left : SIZES.paper) / rows) : SIZES.row;
}

/** @param {number} row its height */
function rowGap(row) {
	return row < LEAST_ROW ? 0 : 1;
}

/**
 * Draws an axis of time: a tick at 1, 2 or 5 times a power of ten ns, each with its number where there is room.
 * @param {CanvasRenderingContext2D} c
 * @param {App} app
 * @param {{from: number, to: number, x: number, width: number, y: number}} axis from and to in ns
 */
function drawAxis(c, app, {from, to, x, width, y}) {
	const least = (to - from) / Math.max(1, width / 90);
	let step = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
	step *= [1, 2, 5, 10].find((by) => step * by >= least) || 10;
	c.font = SIZES.font;
	c.textBaseline = 'middle';
	c.fillStyle = app.style('--soft');
	let free = x;
	for (let at = Math.ceil(from / step) * step; at < to; at += step) {
		const left = x + (at - from) / (to - from) * width, text = timeText(at, step);
		c.fillRect(Math.round(left), y, 1, 4);
		if (left < free || left + 3 + c.measureText(text).width > x + width)
			continue;
		c.fillText(text, left + 3, y + SIZES.axis / 2);
		free = left + c.measureText(text).width + 12;
	}
}

/**
 * What the wheel does to a picture of time: with Ctrl it comes closer to where the pointer is, or goes farther away; with Shift, or
 * across, it moves along.
 * @param {App} app
 * @param {WheelEvent} e
 * @param {{from: number, to: number}} range that is shown, in ns
 * @param {number} share of the range, where the pointer is
 */
function wheelTime(app, e, {from, to}, share) {
	const along = e.shiftKey && !e.deltaX ? e.deltaY : e.deltaX, width = to - from;
	if (!e.ctrlKey && !along)
		return;
	e.preventDefault();
	if (e.ctrlKey) {
		const change = width * (2 ** (Math.max(-1, Math.min(1, e.deltaY / 200))) - 1), at = Math.max(0, Math.min(1, share));
		app.moveTime(from - change * at, to + change * (1 - at));
	} else {
		app.moveTime(from + Math.sign(along) * width / 10, to + Math.sign(along) * width / 10);
	}
}

class HeatMap {
	/**
	 * @param {HTMLCanvasElement} canvas
	 * @param {App} app
	 */
	constructor(canvas, app) {
		this.canvas = canvas;
		this.app = app;
		this.rows = 20;
		/* ns of a column and of a cell; how many columns; samples by cell. */
		this.column = 1;
		this.cell = 1;
		this.columns = 1;
		this.cells = new Uint32Array(0);
		this.most = 1;
		/* What the cells were counted of, and their picture. */
		/** @type {{samples: EventSamples | null, threads: Set<number> | null}} */
		this.counted = {samples: null, threads: null};
		this.layer = {canvas: document.createElement('canvas'), of: /** @type {unknown[]} */ ([])};
		/** @type {{from: number, to: number} | null} */
		this.dragging = null;
		canvas.addEventListener('pointerdown', (e) => {
			canvas.setPointerCapture(e.pointerId);
			const cell = this.cellAt(e);
			this.dragging = {from: cell, to: cell};
			this.draw();
		});
		canvas.addEventListener('pointermove', (e) => {
			const cell = this.cellAt(e);
			if (this.dragging) {
				this.dragging.to = cell;
				this.draw();
			}
			const n = this.cells[cell] || 0;
			app.tip({name: timeText(cell * this.cell, this.cell) + ' after the start',
				lines: [`${n.toLocaleString('en')} sample${n === 1 ? '' : 's'} in ${timeText(this.cell)}`]},
			e.clientX, e.clientY);
		});
		canvas.addEventListener('pointerleave', () => app.tip(null, 0, 0));
		canvas.addEventListener('pointerup', () => {
			if (!this.dragging)
				return;
			const {from, to} = this.dragging;
			this.dragging = null;
			if (from === to)
				app.selectTime(-Infinity, Infinity);
			else
				app.selectTime(Math.min(from, to) * this.cell, (Math.max(from, to) + 1) * this.cell);
		});
		canvas.addEventListener('keydown', (e) => this.#key(e));
	}

	/** Finds out how long a column is: 30 to 300 of them, of 1, 2 or 5 times a power of ten; and how many rows have some samples. */
	prepare() {
		const samples = this.app.samples(), {threads} = this.app.selection;
		if (this.counted.samples === samples && this.counted.threads === threads)
			return;
		this.counted = {samples, threads};
		const duration = Math.max(this.app.profile.head.duration_ns, 1);
		let column = 1000;
		for (let i = 0; duration / column > 240; i++)
			column *= i % 3 === 1 ? 2.5 : 2;
		this.column = column;
		this.columns = Math.floor(duration / column) + 1;
		const all = samples.byThread.reduce((a, b) => a + b, 0);
		this.rows = [20, 10].find((rows) => all >= 4 * rows * this.columns) || 5;
		this.cell = column / this.rows;
		const cells = new Uint32Array(this.columns * this.rows), {cell} = this, {time, count} = samples;
		eachSelected(samples, {...this.app.selection, from: -Infinity, to: Infinity}, -1, (i) => {
			cells[Math.min(Math.floor(time[i] / cell), cells.length - 1)] += count[i];
		});
		this.cells = cells;
		this.most = cells.reduce((a, b) => Math.max(a, b), 1);
	}

	/** @param {MouseEvent} e */
	cellAt(e) {
		const area = this.canvas.getBoundingClientRect();
		const x = Math.floor((e.clientX - area.left - SIZES.label) / (area.width - SIZES.label) * this.columns);
		const y = this.rows - 1 - Math.floor((e.clientY - area.top) / (area.height - SIZES.axis) * this.rows);
		const inside = (/** @type {number} */ v, /** @type {number} */ n) => Math.min(Math.max(v, 0), n - 1);
		return inside(x, this.columns) * this.rows + inside(y, this.rows);
	}

	draw() {
		const canvas = this.canvas, ratio = pixelRatio();
		const width = canvas.clientWidth - SIZES.label, height = canvas.clientHeight - SIZES.axis;
		const c = clearCanvas(canvas, canvas.clientWidth, canvas.clientHeight);
		if (!c)
			return;
		c.font = SIZES.font;
		c.fillStyle = this.app.style('--soft');
		['samples by time', `a column: ${timeText(this.column)}`, `a row: ${timeText(this.cell)}`].forEach((text, i) =>
			c.fillText(text, 0, SIZES.letters * (1 + i * 1.45)));
		this.#drawShades(c, SIZES.letters * (1 + 3 * 1.45));
		drawAxis(c, this.app, {from: 0, to: this.columns * this.column, x: SIZES.label, width, y: height});
		const layer = this.#picture(width, height, ratio);
		const {from, to} = this.dragging ? {
			from: Math.min(this.dragging.from, this.dragging.to) * this.cell,
			to: (Math.max(this.dragging.from, this.dragging.to) + 1) * this.cell,
		} : this.app.selection;
		c.globalAlpha = Number.isFinite(from) ? 0.3 : 1;
		c.drawImage(layer, SIZES.label, 0, width, height);
		c.globalAlpha = 1;
		if (!Number.isFinite(from))
			return;
		/* The cells that begin in the range: a part of its first column, whole columns, a part of its last one. */
		const first = Math.max(0, Math.ceil((from - 1) / this.cell)), end = Math.min(this.cells.length, Math.ceil((to - 1) / this.cell));
		c.save();
		c.beginPath();
		for (let at = first; at < end;) {
			const column = Math.floor(at / this.rows), low = at % this.rows;
			const columns = low ? 0 : Math.floor((end - at) / this.rows), high = columns ? this.rows : Math.min(this.rows, low + end - at);
			const w = width / this.columns, h = height / this.rows;
			c.rect(SIZES.label + column * w, height - high * h, Math.max(columns, 1) * w, (high - low) * h);
			at += columns ? columns * this.rows : high - low;
		}
		c.clip();
		c.clearRect(SIZES.label, 0, width, height);
		c.drawImage(layer, SIZES.label, 0, width, height);
		c.restore();
	}

	/**
	 * What the colours mean.
	 * @param {CanvasRenderingContext2D} c
	 * @param {number} y
	 */
	#drawShades(c, y) {
		const {most} = this, size = Math.round(SIZES.letters * 0.8), n = Math.min(most, 5);
		for (let i = 1; i <= n; i++) {
			c.fillStyle = this.shade(i / n);
			c.fillRect((i - 1) * size, y - size / 2, size - 1, size);
		}
		c.fillStyle = this.app.style('--soft');
		c.fillText(most > 1 ? `1 to ${most.toLocaleString('en')}` : '1', n * size + 4, y);
	}

	/** @param {number} share of the most samples that a cell has */
	shade(share) {
		return heatColour(share && 0.12 + 0.88 * Math.sqrt(share), this.app);
	}

	/**
	 * The cells, drawn once for each size and theme.
	 * @param {number} width @param {number} height @param {number} ratio
	 */
	#picture(width, height, ratio) {
		const {canvas} = this.layer, of = [this.cells, width, height, ratio, this.app.inDark];
		if (of.every((v, i) => v === this.layer.of[i]))
			return canvas;
		this.layer.of = of;
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		const c = canvas.getContext('2d'), w = width / this.columns, h = height / this.rows;
		if (!c)
			return canvas;
		c.scale(canvas.width / width, canvas.height / height);
		const {most} = this, SHADES = 100, shades = Array.from({length: SHADES + 1}, (_, i) => this.shade(i / SHADES));
		this.cells.forEach((n, i) => {
			c.fillStyle = shades[Math.ceil(n / most * SHADES)];
			c.fillRect(Math.floor(i / this.rows) * w, height - (i % this.rows + 1) * h, Math.max(w - (w > 4 ? 1 : 0), 1),
				Math.max(h - (h > 3 ? 0.5 : 0), 1));
		});
		return canvas;
	}

	/** @param {KeyboardEvent} e */
	#key(e) {
		const {selection} = this.app, duration = this.app.profile.head.duration_ns;
		let from = Number.isFinite(selection.from) ? selection.from : 0;
		let to = Number.isFinite(selection.to) ? selection.to : duration;
		if (e.key === 'ArrowLeft' || e.key === 'ArrowRight') {
			const by = (e.key === 'ArrowLeft' ? -1 : 1) * this.column;
			if (e.shiftKey)
				to += by;
			else if (Number.isFinite(selection.from))
				from += by, to += by;
			else
				to = this.column;
		} else if (e.key === 'Escape') {
			this.app.selectTime(-Infinity, Infinity);
			return;
		} else {
			return;
		}
		e.preventDefault();
		if (to > from && from >= 0)
			this.app.selectTime(from, to);
	}
}

/**
 * Light to dark (or dark to light) in one hue: read by everybody, and in print.
 * @param {number} share 0 to 1
 * @param {App} app
 */
function heatColour(share, app) {
	if (!share)
		return app.style('--heat-0');
	return app.inDark ? `hsl(${28 + share * 22} 90% ${16 + share * 54}%)` : `hsl(${40 - share * 28} 92% ${88 - share * 50}%)`;
}

/** A flame chart: the stacks of one thread, one after the other. */
class FlameChart {
	/**
	 * @param {HTMLCanvasElement} canvas
	 * @param {App} app
	 */
	constructor(canvas, app) {
		this.canvas = canvas;
		this.app = app;
		/** @type {{x: number, w: number, y: number, node: number, from: number, to: number}[]} */
		this.drawn = [];
		canvas.addEventListener('click', (e) => {
			const hit = this.#at(e);
			if (hit)
				app.selectTime(hit.from, hit.to);
		});
		canvas.addEventListener('keydown', (e) => app.view === 'chart' && this.#key(e));
		canvas.addEventListener('wheel', (e) => {
			const area = canvas.getBoundingClientRect();
			if (app.view === 'chart')
				wheelTime(app, e, this.#scale(), (e.clientX - area.left) / area.width);
		}, {passive: false});
		canvas.addEventListener('mousemove', (e) => {
			if (app.view !== 'chart')
				return;
			const hit = this.#at(e);
			app.tip(hit ? {name: app.profile.name(app.profile.nodeFunc[hit.node]), lines: [
				app.profile.dso(app.profile.nodeFunc[hit.node]),
				`about ${timeText(hit.to - hit.from)}, from ${timeText(hit.from)} after the start`]} : null,
			e.clientX, e.clientY);
		});
	}

	/** @param {MouseEvent} e */
	#at(e) {
		const area = this.canvas.getBoundingClientRect(), x = e.clientX - area.left, y = e.clientY - area.top;
		return this.app.view !== 'chart' ? undefined :
			this.drawn.find((d) => x >= d.x && x < d.x + d.w && y >= d.y && y < d.y + SIZES.row);
	}

	/** @param {KeyboardEvent} e */
	#key(e) {
		const {from, to} = this.#scale(), width = to - from;
		const [left, right] = e.key === 'ArrowLeft' ? [-0.25, -0.25] : e.key === 'ArrowRight' ? [0.25, 0.25] :
			e.key === 'ArrowUp' ? [0.25, -0.25] : e.key === 'ArrowDown' ? [-0.5, 0.5] : [0, 0];
		if (!left)
			return;
		e.preventDefault();
		this.app.moveTime(from + left * width, to + right * width);
	}

	#scale() {
		const {selection, profile} = this.app, part = Number.isFinite(selection.from);
		return {from: part ? selection.from : 0, to: part ? selection.to : profile.head.duration_ns + 1};
	}

	/** The threads that are selected, as one line of time: the busiest of them. */
	thread() {
		const samples = this.app.samples(), counts = new Float64Array(samples.byThread.length);
		eachSelected(samples, this.app.selection, -1, (i) => counts[samples.thread[i]]++);
		return counts.reduce((most, n, thread) => n > (most < 0 ? 0 : counts[most]) ? thread : most, -1);
	}

	draw() {
		const {app, canvas} = this, {profile, selection} = app, samples = app.samples();
		const thread = this.thread();
		const width = canvas.parentElement ? canvas.parentElement.clientWidth : 800;
		const {from, to} = this.#scale();
		/* The first sample in each pixel speaks for it. */
		const first = new Int32Array(Math.ceil(width)).fill(-1);
		eachSelected(samples, {...selection, from, to, threads: new Set([thread])}, -1, (i) => {
			const x = Math.max(0, Math.floor((samples.time[i] - from) / (to - from) * width));
			if (first[x] < 0)
				first[x] = i;
		});
		/** @type {{x: number, i: number}[]} */
		const steps = [];
		first.forEach((i, x) => i >= 0 && steps.push({x, i}));
		const gaps = steps.slice(1).map((s, k) => s.x - steps[k].x).sort((a, b) => a - b);
		const usual = Math.max(1, (gaps[gaps.length >> 1] || 1) * 2);
		/** @type {{x: number, w: number, depth: number, node: number}[]} */
		const boxes = [];
		/** @type {{node: number, x: number}[]} */
		let open = [];
		let deepest = 0, end = 0;
		const close = (/** @type {number} */ keep, /** @type {number} */ at) => {
			for (let d = keep; d < open.length; d++)
				boxes.push({x: open[d].x, w: at - open[d].x, depth: d, node: open[d].node});
			open = open.slice(0, keep);
		};
		for (const {x, i} of steps) {
			/** @type {number[]} */
			const chain = [];
			for (let node = samples.node[i]; node > 0; node = profile.nodeParent[node])
				chain.unshift(node);
			if (x > end + 1)
				close(0, end);
			let same = 0;
			while (same < open.length && same < chain.length && open[same].node === chain[same])
				same++;
			close(same, x);
			for (let d = same; d < chain.length; d++)
				open.push({node: chain[d], x});
			deepest = Math.max(deepest, chain.length);
			end = samples.lasts ? (samples.time[i] + samples.weight[i] - from) / (to - from) * width : x + usual;
		}
		close(0, Math.min(end, width));
		const row = rowHeight(Math.max(deepest, 1) + 1);
		const height = Math.min(Math.max(deepest, 1) * row + SIZES.axis, Math.floor(32000 / pixelRatio()));
		canvas.style.height = `${height}px`;
		const c = clearCanvas(canvas, width, height);
		if (!c)
			return;
		drawAxis(c, app, {from, to, x: 0, width, y: 0});
		c.font = `${Math.round(row * 0.66)}px system-ui, sans-serif`;
		this.drawn = [];
		for (const b of boxes) {
			const func = profile.nodeFunc[b.node], found = app.isFound(func), y = SIZES.axis + b.depth * row;
			c.globalAlpha = app.search && !found ? 0.38 : 1;
			c.fillStyle = found ? app.style('--found') : shade(KIND_COLOURS[profile.funcKind[func]], 0.22 + scatter(func) * 0.34);
			c.fillRect(b.x, y, Math.max(b.w - (b.w > 3 ? 0.5 : 0), 0.5), row - rowGap(row));
			c.globalAlpha = 1;
			this.drawn.push({x: b.x, w: b.w, y, node: b.node, from: from + b.x / width * (to - from),
				to: from + (b.x + b.w) / width * (to - from)});
			const text = b.w > 22 && row >= LEAST_ROW ? fitName(c, profile.name(func), b.w - 8) : '';
			if (text) {
				c.fillStyle = app.search && !found && app.inDark ? '#d4d8de' : '#14161a';
				c.fillText(text, b.x + 4, y + row / 2);
			}
		}
	}
}
