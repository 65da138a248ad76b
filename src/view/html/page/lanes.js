// SPDX-License-Identifier: MIT
// @ts-check
/* Lanes of CPUs and threads: what ran where, and in a wall-clock profile what each thread did. */
'use strict';

/**
 * What threads do in a wall-clock profile: enum wall_state of the kernel of the page, wall_state.h. Colours are of Okabe and
 * Ito's palette: who runs, who could run, who waits.
 */
const WALL_STATES = [
	{name: '', colour: [170, 174, 180]}, {name: 'on a CPU', colour: [0, 158, 115]}, {name: 'preempted', colour: [230, 159, 0]},
	{name: 'woken up, not running', colour: [230, 159, 0]}, {name: 'made, not running', colour: [230, 159, 0]},
	{name: 'blocked', colour: [120, 190, 236]}, {name: 'stopped', colour: [204, 121, 167]},
	{name: 'off the CPUs', colour: [120, 190, 236]}, {name: 'unknown: records were lost', colour: [170, 174, 180]},
];
const WALL_LEGEND = /** @type {[string, number][]} */ ([['on a CPU', 1], ['ready, not running', 2], ['waits', 5], ['stopped', 6],
	['unknown', 8]]);
/*
 * Colours of the threads that were sampled most, in the lanes of CPUs: Okabe and Ito's palette; the others are grey. The first
 * three stand for states where lanes show what threads did.
 */
const THREAD_COLOURS = [[230, 159, 0], [86, 180, 233], [0, 158, 115], [240, 228, 66], [0, 114, 178], [213, 94, 0], [204, 121, 167]];
const OTHER_THREAD = [150, 154, 160];
/* Arrows from wakers to the woken are drawn while the picture has no more of them. */
const MOST_ARROWS = 400;

/**
 * The spans of a lane that lie in a range of time, or reach into it: they stand in the order of time, and do not overlap.
 * @param {ThreadLane} lane
 * @param {number} from @param {number} to ns
 */
function spansIn(lane, from, to) {
	/** @param {(span: Span) => boolean} isBefore */
	const firstAfter = (isBefore) => {
		let least = 0, most = lane.spans.length;
		while (least < most) {
			const middle = (least + most) >> 1;
			if (isBefore(lane.spans[middle]))
				least = middle + 1;
			else
				most = middle;
		}
		return least;
	};
	return lane.spans.slice(firstAfter((s) => s.to <= from), firstAfter((s) => s.from < to));
}

/**
 * A lane for each CPU and for each of the busiest threads: what was sampled there; in a wall-clock profile what each
 * thread did at any time, and who woke it up.
 */
class Lanes {
	/**
	 * @param {HTMLCanvasElement} canvas
	 * @param {App} app
	 */
	constructor(canvas, app) {
		this.canvas = canvas;
		this.app = app;
		/** @type {{cpu: number, thread: number, name: string, spans: number}[]} spans: index of the profile's lanes, or -1 */
		this.lanes = [];
		this.left = this.arrows = 0;
		/** @type {Map<number, number[]>} */
		this.colours = new Map();
		/* What the picture shows is made of. */
		/** @type {unknown[]} */
		this.drawnOf = [];
		canvas.addEventListener('mousemove', (e) => this.#hover(e));
		canvas.addEventListener('mouseleave', () => app.tip(null, 0, 0));
		/* What the arrows have come to; x in pixels of the picture. */
		this.chosen = {lane: -1, x: 0};
		/* A range of time that is dragged, in pixels of the picture. */
		/** @type {{from: number, to: number} | null} */
		this.dragging = null;
		canvas.addEventListener('pointerdown', (e) => {
			canvas.setPointerCapture(e.pointerId);
			this.dragging = {from: this.#xOf(e), to: this.#xOf(e)};
		});
		canvas.addEventListener('pointermove', (e) => {
			if (!this.dragging)
				return;
			this.dragging.to = this.#xOf(e);
			this.draw();
		});
		canvas.addEventListener('pointerup', (e) => this.#drop(e));
		canvas.addEventListener('wheel', (e) => wheelTime(app, e, this.#scale(), this.#xOf(e) / this.#width()), {passive: false});
		canvas.addEventListener('keydown', (e) => this.#key(e));
		canvas.addEventListener('focus', () => this.draw());
		canvas.addEventListener('blur', () => this.draw());
	}

	prepare() {
		const MOST_CPUS = 16, MOST_THREADS = 8, {byCpu} = this.app.samples(), busiest = this.app.busiest();
		/* Of all samples of the event, whatever time is selected. */
		const cpus = [...byCpu.keys()].slice(1).filter((i) => byCpu[i] > 0).map((i) => i - 1);
		/** @type {Map<number, number[]>} by index of threads; empty where no CPU has a lane */
		this.colours = new Map();
		const colours = THREAD_COLOURS.slice(this.app.profile.lanes.length ? 3 : 0);
		for (let i = 0; cpus.length > 1 && i < Math.min(busiest.length, colours.length); i++)
			this.colours.set(busiest[i], colours[i]);
		this.lanes = [];
		if (this.app.profile.lanes.length) {
			this.#prepareSpans(cpus.length > 1 ? cpus : []);
			return;
		}
		if (cpus.length > 1)
			for (const cpu of cpus.slice(0, MOST_CPUS))
				this.lanes.push({cpu, thread: -1, name: `CPU ${cpu}`, spans: -1});
		for (const thread of busiest.slice(0, MOST_THREADS)) {
			const t = this.app.profile.threads[thread];
			this.lanes.push({cpu: -1, thread, name: `${t.comm} ${t.tid}`, spans: -1});
		}
		this.left = Math.max(0, cpus.length - MOST_CPUS) + Math.max(0, busiest.length - MOST_THREADS);
	}

	/**
	 * CPUs, then selected threads, else those of which something is known in the selected time: first those that ran the most.
	 * @param {number[]} cpus
	 */
	#prepareSpans(cpus) {
		const MOST = 24, MOST_CPUS = 8, {profile, selection} = this.app, {threads} = profile, {from, to} = this.#scale();
		/** @type {Map<number, number>} */
		const byTid = new Map(threads.map((t, i) => [t.tid, i]));
		const tids = selection.threads && new Set([...selection.threads].map((i) => threads[i].tid));
		const all = profile.lanes.map((lane, i) => {
			const spans = spansIn(lane, from, to), ran = spans.reduce((sum, s) => sum + (s.state !== 1 ? 0 :
				Math.max(0, Math.min(s.to, to) - Math.max(s.from, from))), 0);
			return {i, ran, lane, known: spans.length > 0};
		}).filter(({lane, known}) => tids ? tids.has(lane.tid) : known).sort((a, b) => b.ran - a.ran);
		this.lanes = cpus.slice(0, MOST_CPUS).map((cpu) => ({cpu, thread: -1, name: `CPU ${cpu}`, spans: -1}));
		this.lanes.push(...all.slice(0, MOST).map(({i, lane}) => {
			const thread = byTid.get(lane.tid);
			return {cpu: -1, thread: thread === undefined ? -1 : thread, name: `${lane.comm} ${lane.tid}`, spans: i};
		}));
		this.left = Math.max(0, all.length - MOST) + Math.max(0, cpus.length - MOST_CPUS);
	}

	/** What the colours mean. @returns {[string, string][]} */
	legend() {
		if (!this.app.profile.lanes.length)
			return [];
		const used = new Set(this.lanes.flatMap((l) => (l.spans < 0 ? [] : [...this.app.profile.lanes[l.spans].states])));
		return WALL_LEGEND.filter(([, state]) => [...used].some((s) => WALL_STATES[s].colour.join() === WALL_STATES[state].colour.join()))
			.map(([name, state]) => [name, shade(WALL_STATES[state].colour, 0)]);
	}

	/**
	 * Each column shows its states as parts of its height.
	 * @param {CanvasRenderingContext2D} c
	 * @param {number} i
	 * @param {number} width
	 */
	#drawSpans(c, i, width) {
		const scale = this.#scale(), columns = Math.max(1, Math.floor(width)), perNs = columns / (scale.to - scale.from);
		const spans = spansIn(this.app.profile.lanes[this.lanes[i].spans], scale.from, scale.to), y = i * this.row, tall = this.row - 2;
		const parts = WALL_STATES.map(() => new Float64Array(columns));
		for (const s of spans) {
			const from = Math.max(0, (s.from - scale.from) * perNs), to = Math.min(columns, (s.to - scale.from) * perNs);
			for (let x = Math.floor(from); x < to; x++)
				parts[s.state][x] += Math.min(x + 1, to) - Math.max(x, from);
		}
		const order = [1, 2, 3, 4, 6, 8, 0, 5, 7];
		for (let x = 0; x < columns;) {
			/* Neighbours that are one state as a whole are one rectangle. */
			const whole = order.find((state) => parts[state][x] > 0.999);
			let n = 1;
			if (whole !== undefined) {
				while (x + n < columns && parts[whole][x + n] > 0.999)
					n++;
				c.fillStyle = shade(WALL_STATES[whole].colour, 0);
				c.fillRect(this.label + x, y, n, tall);
			} else {
				let bottom = y + tall;
				for (const state of order) {
					const part = parts[state][x] * tall;
					if (!part)
						continue;
					c.fillStyle = shade(WALL_STATES[state].colour, 0);
					c.fillRect(this.label + x, bottom - part, 1, part);
					bottom -= part;
				}
			}
			x += n;
		}
	}

	/**
	 * From who woke up to who was woken up.
	 * @param {CanvasRenderingContext2D} c
	 * @param {number} width
	 */
	#drawArrows(c, width) {
		const scale = this.#scale(), {lanes} = this.app.profile;
		const rows = new Map(this.lanes.map((l, i) => /** @type {[number, number]} */ ([l.spans, i])));
		rows.delete(-1);
		/** @type {{x: number, from: number, to: number}[]} */
		const arrows = [];
		this.lanes.forEach((lane, to) => {
			for (const s of lane.spans < 0 ? [] : spansIn(lanes[lane.spans], scale.from, scale.to)) {
				const from = rows.get(s.waker), ends = s.state === 4 ? s.from : s.to;
				/* A wait ends with its wake-up; what comes then, ready or on a CPU, has the same waker. */
				if (from === undefined || (s.state !== 5 && s.state !== 6 && s.state !== 4))
					continue;
				if (ends >= scale.from && ends < scale.to)
					arrows.push({x: this.label + (ends - scale.from) / (scale.to - scale.from) * width, from, to});
			}
		});
		this.arrows = arrows.length;
		if (arrows.length > MOST_ARROWS)
			return;
		c.strokeStyle = c.fillStyle = this.app.style('--ink');
		c.lineWidth = 1;
		for (const {x, from, to} of arrows) {
			const down = to > from, y0 = from * this.row + (this.row - 2) / 2, y1 = to * this.row + (down ? 0 : this.row - 2);
			c.globalAlpha = 0.75;
			c.beginPath();
			c.moveTo(x, y0);
			c.lineTo(x, y1);
			c.stroke();
			c.beginPath();
			c.arc(x, y0, 1.6, 0, 7);
			c.moveTo(x, y1 + (down ? 3 : -3));
			c.lineTo(x - 3, y1 - (down ? 3 : -3));
			c.lineTo(x + 3, y1 - (down ? 3 : -3));
			c.fill();
		}
		c.globalAlpha = 1;
	}

	get row() {
		return SIZES.letters + 4;
	}

	get label() {
		return SIZES.label;
	}

	draw() {
		const canvas = this.canvas, ratio = pixelRatio(), row = this.row;
		const width = canvas.clientWidth, height = this.lanes.length * row + (this.#isPart() ? SIZES.axis : 0);
		const isFocused = document.activeElement === canvas;
		const {dragging} = this;
		const of = [this.app.updates, this.app.inDark, width, ratio, row, isFocused, this.chosen.lane, this.chosen.x,
			dragging && dragging.from, dragging && dragging.to];
		if (of.every((v, i) => v === this.drawnOf[i]))
			return;
		this.drawnOf = of;
		canvas.style.height = `${height}px`;
		const c = clearCanvas(canvas, width, height);
		if (!c || !height)
			return;
		c.font = SIZES.font;
		const columns = Math.max(1, Math.floor((width - this.label) / 2)), scale = this.#scale();
		const {counts, shown} = this.#count(scale, columns);
		this.shown = shown;
		if (this.#isPart())
			drawAxis(c, this.app, {...scale, x: this.label, width: width - this.label, y: height - SIZES.axis});
		c.font = SIZES.font;
		c.imageSmoothingEnabled = false;
		const strips = this.#strips(counts, shown, columns);
		this.lanes.forEach((lane, i) => {
			const y = i * row;
			const colour = this.colours.get(lane.thread), indent = lane.thread >= 0 && this.colours.size ? Math.round(row * 0.8) : 0;
			if (colour) {
				c.fillStyle = shade(colour, 0);
				c.fillRect(0, y + row * 0.15, row * 0.55, row * 0.55);
			}
			c.fillStyle = this.app.style('--soft');
			c.fillText(fitText(c, lane.name, this.label - 10 - indent), indent, y + row / 2);
			c.fillStyle = this.app.style('--heat-0');
			c.fillRect(this.label, y, width - this.label, row - 2);
			if (lane.spans >= 0)
				this.#drawSpans(c, i, width - this.label);
			else
				c.drawImage(strips, 0, i, columns, 1, this.label, y, columns * 2, row - 2);
		});
		if (this.app.profile.lanes.length)
			this.#drawArrows(c, width - this.label);
		if (dragging && dragging.from !== dragging.to) {
			c.globalAlpha = 0.25;
			c.fillStyle = this.app.style('--ink');
			c.fillRect(this.label + Math.min(dragging.from, dragging.to), 0, Math.abs(dragging.to - dragging.from), height);
			c.globalAlpha = 1;
		}
		if (isFocused && this.lanes[this.chosen.lane]) {
			c.strokeStyle = this.app.style('--ink');
			c.lineWidth = 2;
			c.strokeRect(this.label + this.chosen.x - 1, this.chosen.lane * row, 4, row - 2);
		}
	}

	/**
	 * Samples by lane and column, and what the last of them shows: a thread in lanes of CPUs, else a node.
	 * @param {{from: number, to: number}} scale
	 * @param {number} columns
	 */
	#count(scale, columns) {
		const samples = this.app.samples(), {time, cpu, thread, node, count} = samples;
		const ofCpu = new Int32Array(samples.byCpu.length).fill(-1), ofThread = new Int32Array(samples.byThread.length).fill(-1);
		this.lanes.forEach((l, i) => {
			if (l.cpu >= 0)
				ofCpu[l.cpu + 1] = i;
			else if (l.thread >= 0)
				ofThread[l.thread] = i;
		});
		const counts = this.lanes.map(() => new Uint32Array(columns)), perNs = columns / (scale.to - scale.from);
		const shown = this.lanes.map(() => new Int32Array(columns).fill(-1));
		for (let i = lowerBound(time, scale.from), end = lowerBound(time, scale.to); i < end; i++) {
			const x = Math.min(Math.floor((time[i] - scale.from) * perNs), columns - 1), onCpu = ofCpu[cpu[i]], inThread = ofThread[thread[i]];
			if (onCpu >= 0) {
				counts[onCpu][x] += count[i];
				shown[onCpu][x] = thread[i];
			}
			if (inThread >= 0) {
				counts[inThread][x] += count[i];
				shown[inThread][x] = node[i];
			}
		}
		return {counts, shown};
	}

	/**
	 * A picture with a row of pixels for each lane, a pixel for each column: the more samples, the stronger.
	 * @param {Uint32Array[]} counts
	 * @param {Int32Array[]} shown
	 * @param {number} columns
	 */
	#strips(counts, shown, columns) {
		const canvas = document.createElement('canvas'), image = new ImageData(columns, this.lanes.length);
		this.lanes.forEach(({cpu}, i) => {
			const most = counts[i].reduce((a, b) => Math.max(a, b), 1);
			for (let x = 0; x < columns; x++)
				if (shown[i][x] >= 0) {
					image.data.set(this.#colourOf(cpu >= 0, shown[i][x]), (i * columns + x) * 4);
					image.data[(i * columns + x) * 4 + 3] = 255 * (0.35 + 0.65 * counts[i][x] / most);
				}
		});
		canvas.width = columns;
		canvas.height = this.lanes.length;
		const c = canvas.getContext('2d');
		if (c)
			c.putImageData(image, 0, 0);
		return canvas;
	}

	/** @param {boolean} isThread @param {number} what a thread, or a node */
	#colourOf(isThread, what) {
		const {profile} = this.app;
		return isThread ? this.colours.get(what) || OTHER_THREAD : KIND_COLOURS[profile.funcKind[profile.nodeFunc[what]]];
	}

	#isPart() {
		return Number.isFinite(this.app.selection.from);
	}

	/** The selected range, or the heat map's axis. */
	#scale() {
		const {selection, heat} = this.app;
		return this.#isPart() ? {from: selection.from, to: selection.to} : {from: 0, to: heat.columns * heat.column};
	}

	#width() {
		return Math.max(1, this.canvas.clientWidth - this.label);
	}

	/** @param {MouseEvent} e */
	#xOf(e) {
		return Math.max(0, Math.min(this.#width(), e.clientX - this.canvas.getBoundingClientRect().left - this.label));
	}

	/**
	 * The end of a drag selects time, that of a click the thread of the lane.
	 * @param {MouseEvent} e
	 */
	#drop(e) {
		const drag = this.dragging, LEAST = 4, {from, to} = this.#scale();
		this.dragging = null;
		if (!drag)
			return;
		const [left, right] = [drag.from, drag.to].sort((a, b) => a - b), perPixel = (to - from) / this.#width();
		if (right - left < LEAST)
			this.#choose(this.#laneAt(e));
		else
			this.app.selectTime(from + left * perPixel, from + right * perPixel);
	}

	/** @param {MouseEvent} e */
	#laneAt(e) {
		return Math.floor((e.clientY - this.canvas.getBoundingClientRect().top) / this.row);
	}

	/**
	 * @param {number} index of the profile's lanes
	 * @param {number} share of the width
	 */
	describe(index, share) {
		const {lanes} = this.app.profile, lane = lanes[index], scale = this.#scale();
		const at = scale.from + share * (scale.to - scale.from), name = `${lane.comm} ${lane.tid}`;
		const span = lane.spans.find((s) => at >= s.from && at < s.to);
		if (share < 0 || !span)
			return share < 0 ? null : {name, lines: [`nothing known ${timeText(at)} after the start`]};
		const state = WALL_STATES[span.state].name, plain = span.state >= 2 && span.state <= 4;
		const lines = [span.reason && !plain && span.reason !== state ? `${state}: ${span.reason}` : state];
		lines.push(`${timeText(span.to - span.from)}, from ${timeText(span.from)} after the start`);
		if (span.function)
			lines.push(`in ${span.function}`);
		if (span.waker >= 0)
			lines.push(`${span.state === 4 ? 'made' : 'woken up'} by ${lanes[span.waker].comm} ${lanes[span.waker].tid}`);
		else if (span.waker === BY_INTERRUPT)
			lines.push('woken up by an interrupt (a timer or a device)');
		return {name, lines};
	}

	/** @param {MouseEvent} e */
	#hover(e) {
		const area = this.canvas.getBoundingClientRect();
		this.app.tip(this.#textOf(this.#laneAt(e), e.clientX - area.left - this.label, area.width - this.label), e.clientX, e.clientY);
	}

	/**
	 * What a lane shows at a place.
	 * @param {number} at the lane
	 * @param {number} x
	 * @param {number} width
	 */
	#textOf(at, x, width) {
		const {profile} = this.app, lane = this.lanes[at];
		if (lane && lane.spans >= 0)
			return this.describe(lane.spans, x / width);
		const column = Math.floor(x / 2);
		if (!lane || !this.shown || column < 0 || column >= this.shown[at].length)
			return null;
		const scale = this.#scale(), what = this.shown[at][column], step = (scale.to - scale.from) / this.shown[at].length;
		const lines = [`${timeText(scale.from + column * step, step)} after the start`];
		if (what < 0)
			lines.push('no sample');
		else if (lane.cpu >= 0)
			lines.push(`${profile.threads[what].comm} ${profile.threads[what].tid}`);
		else
			lines.push(profile.name(profile.nodeFunc[what]));
		return {name: lane.name, lines};
	}

	/** @param {KeyboardEvent} e */
	#key(e) {
		const width = this.canvas.clientWidth - this.label, {chosen} = this;
		const [down, right] = e.key === 'ArrowDown' ? [1, 0] : e.key === 'ArrowUp' ? [-1, 0] : e.key === 'ArrowRight' ? [0, 1] :
			e.key === 'ArrowLeft' ? [0, -1] : [0, 0];
		if (e.key === 'Enter' && this.lanes[chosen.lane])
			this.#choose(chosen.lane);
		if (!down && !right)
			return;
		e.preventDefault();
		chosen.lane = Math.min(Math.max(chosen.lane + down, 0), this.lanes.length - 1);
		chosen.x = Math.min(Math.max(chosen.x + right * (e.shiftKey ? 20 : 2), 0), width - 2);
		this.draw();
		const text = this.#textOf(chosen.lane, chosen.x, width);
		if (text)
			this.app.say(text);
	}

	/** @param {number} at the lane of a thread: only that is selected */
	#choose(at) {
		const lane = this.lanes[at];
		if (lane && lane.thread >= 0)
			this.app.selectThreads([lane.thread]);
	}
}
