// SPDX-License-Identifier: MIT
// @ts-check
/* What is shown, what is selected, and the address that says so. */
'use strict';

/** @template {HTMLElement} T @param {string} id @returns {T} */
function element(id) {
	return /** @type {T} */ (document.getElementById(id));
}

const A_BOX = 'a box is a function, as wide as its share of the samples; point at it, or choose it with the arrows';
const VIEWS = /** @type {[string, string, string, string][]} */ ([
	['flame', 'Flame graph', 'callers below, callees above', A_BOX],
	['icicle', 'Icicle', 'callers above, callees below', A_BOX],
	['callers', 'By callee', 'from what was running to its callers', A_BOX],
	['sandwich', 'Sandwich', 'one function: its callers and its callees', 'a double click on a box, or a click in the table, shows another one'],
	['chart', 'Chart', 'the stacks of one thread along time', 'a box is a function while it was seen in one sample after the other'],
	['table', 'Table', 'rows with their sums', 'Enter or a click shows what calls a function, and what it calls'],
	['code', 'Code', 'lines of the hottest functions', 'the darker a line, the more samples it has'],
	['notes', 'Notes', 'what was recorded, and how', ''],
]);

const KEYS = [
	['1 … 8', 'the views'], ['/', 'search; then Enter: to what is found'], ['Enter', 'zoom to the chosen box'], ['Esc, Backspace', 'zoom out'],
	['arrows', 'choose a box: callers, callees, neighbours'], ['s, double click', 'the function in the sandwich view'],
	['a', 'boxes in the order of their names, or the widest first'], ['c', 'colours by kind of code, or by library'],
	['in the lanes', 'drag: a range of time; click: only this thread; arrows: the next lane, earlier, later; Enter: only this thread'],
	['r', 'forget what was selected'], ['l', 'lanes of CPUs and threads'], ['t', 'light or dark'], ['?', 'this list'],
	['in the heat map', 'drag, or arrows with and without Shift: a range of time'],
	['in the lanes, in the chart', 'Ctrl and the wheel: closer, from farther away; Shift and the wheel: earlier, later'],
	['in the chart', 'arrows: earlier, later, closer, from farther away; click: the time of a box'],
];

/* The variables of the style sheet that canvases are drawn with. */
const STYLES = ['--ink', '--soft', '--found', '--heat-0'];

/** @param {string[][]} entries name and colour */
function legendOf(entries) {
	const legend = document.createElement('span');
	legend.className = 'legend';
	for (const [name, colour] of entries) {
		const one = document.createElement('span'), box = document.createElement('i');
		box.style.background = colour;
		one.append(box, name);
		legend.append(one);
	}
	return legend;
}

class App {
	/** @param {Profile} profile */
	constructor(profile) {
		/* As it was recorded, and as it is shown: with stacks that begin with what split says. */
		this.recorded = profile;
		this.profile = profile;
		this.split = 'none';
		this.view = 'flame';
		this.group = 'function';
		this.colourBy = 'kind';
		this.byName = true;
		this.withLanes = innerHeight >= 1000 || profile.lanes.length > 0;
		this.onPaper = false;
		this.dark = matchMedia('(prefers-color-scheme: dark)').matches;
		/** @type {Selected} */
		this.selection = {event: 0, from: -Infinity, to: Infinity, threads: null};
		this.func = -1;
		/** @type {RegExp | null} */
		this.search = null;
		/** @type {Map<number, boolean>} */
		this.foundFuncs = new Map();
		/** @type {Sums[]} */
		this.sums = [];
		/** @type {Confidence | null} */
		this.sure = null;
		/** @type {number[]} */
		this.zoomPath = [];
		this.flame = new Flame(element('flame'), this);
		this.chart = new FlameChart(element('flame'), this);
		this.heat = new HeatMap(element('heat'), this);
		this.lanes = new Lanes(element('lanes'), this);
		this.table = new Table(element('table'), element('scroll'), this);
		/* How often sums were made. */
		this.updates = 0;
		/* When the address was last written, and the timer of its next time. */
		this.writes = -Infinity;
		this.timer = 0;
		this.written = location.hash;
		this.#fillControls();
		this.readAddress();
		addEventListener('hashchange', () => {
			if (location.hash !== this.written) {
				clearTimeout(this.timer);
				this.readAddress();
				this.update();
			}
		});
		addEventListener('resize', () => this.draw());
		addEventListener('beforeprint', () => this.#drawOn(true));
		addEventListener('afterprint', () => this.#drawOn(false));
		document.addEventListener('keydown', (e) => this.#key(e));
		this.update();
		this.#sayView();
	}

	samples() {
		return this.profile.events[this.selection.event];
	}

	#fillControls() {
		const {head} = this.profile;
		document.title = head.title;
		element('title').textContent = element('title').title = head.title;
		const losses = element('losses');
		losses.textContent = head.losses;
		losses.hidden = !head.losses;
		for (const [id, name, what] of VIEWS) {
			if ((id === 'chart' && !head.timed) || (id === 'code' && !head.code.length))
				continue;
			const button = document.createElement('button');
			button.textContent = name;
			button.title = what;
			button.id = `view-${id}`;
			button.setAttribute('role', 'tab');
			button.onclick = () => this.setView(id);
			element('views').append(button);
		}
		const events = /** @type {HTMLSelectElement} */ (element('event'));
		head.events.forEach((e, i) => events.add(new Option(e.name, String(i))));
		element('event-choice').hidden = head.events.length < 2;
		events.onchange = () => {
			this.selection.event = Number(events.value);
			this.zoomPath = [];
			this.update();
		};
		const threads = /** @type {HTMLSelectElement} */ (element('threads'));
		threads.onchange = () => {
			const value = threads.value;
			if (value === '')
				this.selection.threads = null;
			else if (value === 'several')
				return;
			else if (value.startsWith('p'))
				this.selection.threads = new Set(head.threads.flatMap((t, i) => t.pid === Number(value.slice(1)) ? [i] : []));
			else
				this.selection.threads = new Set([Number(value)]);
			this.update();
		};
		const group = /** @type {HTMLSelectElement} */ (element('group'));
		for (const by of ['function', 'library', 'kind', 'thread', 'process', 'command', 'cpu'])
			group.add(new Option(by === 'cpu' ? 'CPU' : by, by));
		group.onchange = () => {
			this.group = group.value;
			this.draw();
			this.writeAddress();
		};
		const split = /** @type {HTMLSelectElement} */ (element('split'));
		const hasCpus = this.profile.events.some((e) => e.byCpu.length > 1);
		for (const by of SPLITS)
			if (by !== 'CPU' || hasCpus)
				split.add(new Option(by === 'none' ? 'nothing' : by, by));
		split.onchange = () => {
			this.zoomPath = [];
			this.setSplit(split.value);
			this.update();
		};
		const search = /** @type {HTMLInputElement} */ (element('search'));
		search.oninput = () => {
			this.setSearch(search.value);
			this.draw();
			this.writeAddress();
		};
		search.onkeydown = (e) => {
			if (e.key === 'Escape') {
				search.value = '';
				this.setSearch('');
				this.draw();
				search.blur();
			} else if (e.key === 'Enter') {
				element(this.view === 'table' ? 'table' : 'flame').focus();
			}
			e.stopPropagation();
		};
		element('theme').onclick = () => this.#act('t');
		const keys = /** @type {HTMLDialogElement} */ (element('keys'));
		for (const [key, what] of KEYS) {
			const dt = document.createElement('dt'), dd = document.createElement('dd');
			dt.textContent = key;
			dd.textContent = what;
			element('keylist').append(dt, dd);
		}
		element('help').onclick = () => keys.showModal();
		element('close-keys').onclick = () => keys.close();
		element('time').hidden = !head.timed;
	}

	/** The threads that have samples, those with the most first. */
	busiest() {
		const {byThread} = this.samples();
		return [...byThread.keys()].filter((t) => byThread[t] > 0).sort((a, b) => byThread[b] - byThread[a]);
	}

	#fillThreads() {
		const threads = /** @type {HTMLSelectElement} */ (element('threads')), most = 300;
		if (this.listed !== this.samples().byThread) {
			this.listed = this.samples().byThread;
			const all = this.busiest(), processes = new Set(all.map((t) => this.profile.threads[t].pid));
			threads.textContent = '';
			threads.add(new Option(`all ${all.length}`, ''));
			if (processes.size > 1 && processes.size < all.length)
				for (const pid of [...processes].slice(0, most)) {
					const t = this.profile.threads.find((x) => x.pid === pid);
					threads.add(new Option(`process ${t ? t.comm : ''} ${pid}`, `p${pid}`));
				}
			for (const i of all.slice(0, most)) {
				const t = this.profile.threads[i];
				threads.add(new Option(`${t.comm} ${t.tid}`, String(i)));
			}
		}
		const chosen = this.selection.threads, pids = new Set([...chosen || []].map((t) => this.profile.threads[t].pid));
		const value = !chosen ? '' : chosen.size === 1 ? String([...chosen][0]) : pids.size === 1 ? `p${[...pids][0]}` : 'several';
		if (value === 'several' && ![...threads.options].some((o) => o.value === value))
			threads.add(new Option(value, value));
		threads.value = value;
	}

	/** @param {string} name of a variable of the style sheet */
	style(name) {
		return (this.styles && this.styles.get(name)) || '#888';
	}

	/** @param {string} by what stacks begin with: one of SPLITS */
	setSplit(by) {
		const known = SPLITS.includes(by) ? by : 'none';
		if (known === this.split)
			return;
		this.split = known;
		this.profile = splitProfile(this.recorded, known);
		this.foundFuncs = new Map();
		this.func = this.func < this.profile.funcName.length ? this.func : -1;
	}

	/** @param {boolean} paper which is light, and has no controls */
	#drawOn(paper) {
		this.onPaper = paper;
		document.documentElement.classList.toggle('paper', paper);
		this.draw();
	}

	/** What is drawn: paper is white. */
	get inDark() {
		return this.dark && !this.onPaper;
	}

	/** Sums are made anew: another event, range of time or thread. */
	update() {
		const {profile, selection} = this;
		this.updates++;
		this.sums = profile.head.sides.map((_, side) => new Sums(profile, selection, side));
		this.sure = null;
		this.#fillThreads();
		if (profile.head.timed) {
			this.heat.prepare();
			this.lanes.prepare();
		}
		/** @type {HTMLSelectElement} */ (element('event')).value = String(selection.event);
		this.draw();
		this.writeAddress();
	}

	/** @param {Box} box */
	confidence(box) {
		if (!this.profile.head.timed || this.sums.length < 2)
			return 1;
		this.sure = this.sure || new Confidence(this.profile, this.selection, this.sums);
		return this.sure.of(box.graph.up && box.func >= 0 && !box.graph.subtrees ? box.start : box.at);
	}

	draw() {
		const {view, profile} = this;
		document.documentElement.classList.toggle('dark', this.inDark);
		const styles = getComputedStyle(document.documentElement);
		this.styles = new Map(STYLES.map((name) => [name, styles.getPropertyValue(name).trim()]));
		measureSizes(this.onPaper);
		for (const button of document.querySelectorAll('#views button'))
			button.setAttribute('aria-selected', String(button.id === `view-${view}`));
		element('flame').hidden = !['flame', 'icicle', 'callers', 'sandwich', 'chart'].includes(view);
		element('flame').style.display = element('flame').hidden ? 'none' : '';
		element('table').hidden = view !== 'table';
		element('table').style.display = view === 'table' ? '' : 'none';
		element('notes').style.display = view === 'notes' || view === 'code' ? '' : 'none';
		element('group-choice').style.display = view === 'table' ? '' : 'none';
		element('split-choice').style.display = ['flame', 'icicle', 'callers', 'sandwich'].includes(view) ? '' : 'none';
		element('path').style.display = view === 'table' || view === 'notes' ? 'none' : '';
		/** @type {HTMLSelectElement} */ (element('split')).value = this.split;
		/** @type {HTMLSelectElement} */ (element('group')).value = this.group;
		if (profile.head.timed) {
			element('time').classList.toggle('short', !this.withLanes);
			this.heat.draw();
			if (this.withLanes)
				this.lanes.draw();
		}
		this.#drawRange();
		this.#drawSummary();
		switch (view) {
		case 'flame':
		case 'icicle':
		case 'callers':
			this.#drawGraph();
			break;
		case 'sandwich':
			this.#drawSandwich();
			break;
		case 'chart':
			this.chart.draw();
			this.#drawPath(null, `thread ${this.#threadName(this.chart.thread())}`);
			break;
		case 'table':
			this.table.show(tableRows(profile, this.selection, this.sums, this.group));
			break;
		case 'code':
			this.#drawPath(null, 'the hottest functions, with the share of each line in all samples' +
				(Number.isFinite(this.selection.from) || this.selection.threads ? ' of the whole recording, not of what is selected' : ''));
			drawCode(element('notes'), this);
			break;
		default:
			drawFacts(element('notes'), [...profile.head.facts, ['what is missing', profile.head.losses || 'nothing is known to be']]);
		}
		if (this.search)
			this.#countFound();
		else
			element('found').textContent = '';
	}

	/** @param {number} thread */
	#threadName(thread) {
		const t = this.profile.threads[thread];
		return t ? `${t.comm} ${t.tid}` : 'none';
	}

	#drawGraph() {
		const {view} = this;
		const graph = new Graph(this.profile, this.sums, {up: view === 'callers', byName: this.byName});
		let zoom = graph.first;
		for (const func of this.zoomPath) {
			const below = zoom.below().find((b) => b.func === func);
			if (!below)
				break;
			zoom = below;
		}
		this.flame.chosen = null;
		this.flame.show([{graph, zoom, grows: view === 'flame' ? 'up' : 'down'}]);
		this.#drawPath(zoom);
		if (view === 'flame')
			element('scroll').scrollTop = element('scroll').scrollHeight;
		else
			element('scroll').scrollTop = 0;
	}

	#drawSandwich() {
		if (this.func < 0) {
			const rows = tableRows(this.profile, this.selection, this.sums, 'function');
			const hottest = rows.reduce((/** @type {Row | null} */ a, b) => !a || b.self[0] > a.self[0] ? b : a, null);
			this.func = hottest ? hottest.func : -1;
		}
		if (this.func < 0)
			return;
		const callers = new Graph(this.profile, this.sums, {up: true, byName: this.byName, func: this.func});
		const callees = new Graph(this.profile, this.sums, {up: false, byName: this.byName, func: this.func});
		this.flame.chosen = null;
		this.flame.show([{graph: callers, grows: 'up'}, {graph: callees, grows: 'down'}]);
		this.#drawPath(null, `${this.profile.name(this.func)}: its callers above, its callees below`);
		if (this.profile.head.code.some((code) => code.func === this.func)) {
			const button = document.createElement('button');
			button.textContent = 'its code';
			button.onclick = () => this.setView('code');
			element('path').insertBefore(button, element('path').lastChild);
		}
		const middle = this.flame.parts[1] ? this.flame.parts[1].base : 0;
		element('scroll').scrollTop = Math.max(0, middle - element('scroll').clientHeight / 2);
	}

	/** @param {Box | null} zoom @param {string} [text] */
	#drawPath(zoom, text) {
		const path = element('path');
		path.textContent = text || '';
		if (zoom) {
			/** @type {Box[]} */
			const chain = [];
			for (let b = /** @type {Box | null} */ (zoom); b; b = b.above)
				chain.unshift(b);
			chain.slice(-12).forEach((box, i) => {
				const button = document.createElement('button');
				button.textContent = box.func < 0 ? 'all' : this.profile.name(box.func);
				button.onclick = () => this.flame.zoomTo(box);
				if (i)
					path.append('›');
				path.append(button);
			});
		}
		const legend = legendOf(this.#legend());
		if (!this.onPaper && ['flame', 'icicle', 'callers', 'sandwich'].includes(this.view)) {
			legend.prepend(this.#toggle('a', `order: ${this.byName ? 'name' : 'width'}`, 'boxes in the order of their names, or the widest first (a)'));
			if (this.sums.length < 2)
				legend.prepend(this.#toggle('c', `colours: ${this.colourBy}`, 'what colours mean: the kind of code, or the library (c)'));
		}
		path.append(legend);
	}

	/** @returns {string[][]} what the colours of boxes mean, and the colours */
	#legend() {
		if (this.view === 'code')
			return [];
		if (this.sums.length > 1) {
			const name = fileText(this.profile.head.sides[1]);
			return [[`more in ${name}`, changeColour(1, 1)], ['less', changeColour(-1, 1)], ['may well be chance', changeColour(1, 0)]];
		}
		if (this.colourBy === 'kind' || this.view === 'chart')
			return [...new Set(this.recorded.funcKind)].sort().map((k) => [KIND_NAMES[k], shade(KIND_COLOURS[k], 0.3)]);
		const MOST = 5, {profile} = this, [self] = sumsByFunction(profile, this.sums, (func) => profile.funcDso[func]).self;
		return [...self.keys()].filter((dso) => self[dso] > 0).sort((a, b) => self[b] - self[a]).slice(0, MOST)
			.map((dso) => [fileText(profile.strings[dso]), libraryColour(dso)]);
	}

	/** @param {string} key @param {string} text @param {string} title */
	#toggle(key, text, title) {
		const button = document.createElement('button');
		button.textContent = text;
		button.title = title;
		button.onclick = () => this.#act(key);
		return button;
	}

	#drawRange() {
		const {selection, profile} = this, range = element('range');
		range.textContent = '';
		if (!profile.head.timed)
			return;
		if (Number.isFinite(selection.from)) {
			range.append(`${timeText(selection.from, this.heat.cell)} to ${timeText(selection.to, this.heat.cell)} of ${timeText(profile.head.duration_ns)}`);
			const button = document.createElement('button');
			button.textContent = 'all of it';
			button.onclick = () => this.selectTime(-Infinity, Infinity);
			range.append(button);
		} else {
			range.append(timeText(profile.head.duration_ns) + (this.onPaper ? '' : '. Drag to select a part.'));
		}
		const lanes = document.createElement('button');
		lanes.textContent = this.withLanes ? 'without lanes' : 'lanes of CPUs and threads';
		lanes.onclick = () => {
			this.withLanes = !this.withLanes;
			this.draw();
		};
		range.append(lanes);
		if (!this.withLanes)
			return;
		range.append(legendOf(this.lanes.legend()));
		if (this.lanes.left)
			range.append(` ${this.lanes.left} more are not shown.`);
		if (this.lanes.arrows > MOST_ARROWS)
			range.append(` ${this.lanes.arrows.toLocaleString('en')} wake-ups: select less time for their arrows.`);
	}

	#drawSummary() {
		const parts = this.sums.map((s, side) => {
			const name = this.profile.head.sides.length > 1 ? `${this.profile.head.sides[side]}: ` : '';
			return `${name}${s.samples.toLocaleString('en')} samples, ${this.weightText(s.sum)}`;
		});
		element('summary').textContent = `${this.samples().head.name} · ${parts.join(' · ')}`;
	}

	#countFound() {
		let sum = 0;
		const {profile} = this, side = this.sums.length - 1, sums = this.sums[side];
		const inside = new Uint8Array(profile.nodes);
		for (let i = 1; i < profile.nodes; i++) {
			if (inside[profile.nodeParent[i]]) {
				inside[i] = 1;
			} else if (this.isFound(profile.nodeFunc[i])) {
				inside[i] = 1;
				sum += sums.total[i];
			}
		}
		element('found').textContent = `${(sum / (sums.sum || 1) * 100).toFixed(2)} % match`;
	}

	/** @param {string} text */
	setSearch(text) {
		const search = /** @type {HTMLInputElement} */ (element('search'));
		search.value = text;
		this.foundFuncs = new Map();
		search.classList.remove('bad');
		try {
			this.search = text ? new RegExp(text, text === text.toLowerCase() ? 'i' : '') : null;
		} catch (e) {
			search.classList.add('bad');
			this.search = null;
		}
	}

	/** @param {string} text */
	matches(text) {
		return !!this.search && this.search.test(text);
	}

	/** @param {number} func */
	isFound(func) {
		if (!this.search || func < 0)
			return false;
		let found = this.foundFuncs.get(func);
		if (found === undefined) {
			found = this.matches(this.profile.name(func)) || this.matches(this.profile.dso(func));
			this.foundFuncs.set(func, found);
		}
		return found;
	}

	/** @param {number} weight */
	weightText(weight) {
		const unit = this.samples().head.unit;
		if (unit === 'ns')
			return timeText(weight);
		const steps = /** @type {[number, string][]} */ ([[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']]);
		const step = steps.find(([n]) => weight >= n);
		return `${step ? (weight / step[0]).toPrecision(3) + ' ' + step[1] : weight} ${unit}`;
	}

	/** @param {Box} box */
	rootName(box) {
		return box.graph.up ? 'all, by what was running' : 'all';
	}

	/** @param {Box} box */
	describe(box) {
		const {profile} = this, lines = [];
		if (box.func >= 0)
			lines.push(`${profile.dso(box.func)} (${KIND_NAMES[profile.funcKind[box.func]]})`.trim());
		this.sums.forEach((s, side) => {
			const name = this.sums.length > 1 ? `${profile.head.sides[side]}: ` : '';
			const part = box.weight[side] / (s.sum || 1) * 100, self = box.self(side) / (s.sum || 1) * 100;
			lines.push(`${name}${part.toFixed(2)} % (${this.weightText(box.weight[side])}), ${self.toFixed(2)} % in itself`);
		});
		if (this.sums.length > 1 && profile.head.timed)
			lines.push(`${(this.confidence(box) * 100).toFixed(0)} % sure that it differs`);
		return {name: box.func < 0 ? this.rootName(box) : profile.name(box.func), lines};
	}

	/** @param {{name: string, lines: string[]} | null} what @param {number} x @param {number} y */
	tip(what, x, y) {
		const tip = element('tip');
		tip.hidden = !what;
		if (!what)
			return;
		tip.textContent = '';
		const name = document.createElement('b');
		name.textContent = what.name;
		tip.append(name);
		for (const line of what.lines) {
			const row = document.createElement('span');
			row.textContent = line;
			tip.append(row);
		}
		const area = tip.getBoundingClientRect();
		tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - area.width - 6))}px`;
		tip.style.top = `${y + 18 + area.height > innerHeight ? y - area.height - 10 : y + 18}px`;
		this.say(what);
	}

	/** @param {{name: string, lines: string[]}} what */
	say(what) {
		const status = element('status'), name = document.createElement('b');
		name.textContent = what.name;
		status.textContent = '';
		status.append(name, `  ${what.lines.join(' · ')}`);
	}

	/** @param {string} view */
	setView(view) {
		this.view = view;
		this.zoomPath = [];
		this.tip(null, 0, 0);
		element('scroll').scrollTop = 0;
		this.draw();
		this.#sayView();
		this.writeAddress();
	}

	/** What the view shows, until something is pointed at. */
	#sayView() {
		const [, name, what, how] = VIEWS.find(([id]) => id === this.view) || VIEWS[0];
		this.say({name, lines: how ? [what, how] : [what]});
	}

	/** @param {Box} box */
	zoomed(box) {
		if (this.view === 'sandwich') {
			this.flame.draw();
			return;
		}
		this.zoomPath = [];
		for (let b = /** @type {Box | null} */ (box); b && b.func >= 0; b = b.above)
			this.zoomPath.unshift(b.func);
		this.flame.draw();
		this.#drawPath(box);
		this.say(this.describe(box));
		this.writeAddress();
	}

	/** @param {number} func */
	showFunction(func) {
		this.func = func;
		this.setView('sandwich');
	}

	/** @param {number} from @param {number} to ns */
	selectTime(from, to) {
		this.selection.from = from;
		this.selection.to = to;
		this.update();
	}

	/**
	 * Another range of the same width stays within the recording; a wider one ends at its ends.
	 * @param {number} from @param {number} to ns
	 */
	moveTime(from, to) {
		const end = this.profile.head.duration_ns + 1, width = to - from;
		if (width >= end)
			this.selectTime(-Infinity, Infinity);
		else if (width >= 1000)
			this.selectTime(Math.max(0, Math.min(from, end - width)), Math.min(end, Math.max(to, width)));
	}

	/** @param {number[]} threads */
	selectThreads(threads) {
		this.selection.threads = new Set(threads);
		this.update();
	}

	/* The address holds the view: names, not numbers, where another page of the same program has the same. */
	address() {
		const {selection} = this, words = new URLSearchParams();
		words.set('view', this.view);
		if (selection.event)
			words.set('event', String(selection.event));
		if (Number.isFinite(selection.from))
			words.set('time', `${Math.round(selection.from)}-${Math.round(selection.to)}`);
		if (selection.threads)
			words.set('threads', [...selection.threads].map((t) => this.profile.threads[t].tid).join(','));
		if (this.split !== 'none')
			words.set('split', this.split);
		if ((this.view === 'sandwich' || this.view === 'code') && this.func >= 0)
			words.set('function', this.profile.name(this.func));
		if (this.view === 'table' && this.group !== 'function')
			words.set('rows', this.group);
		if (!this.byName)
			words.set('order', 'width');
		if (this.colourBy !== 'kind')
			words.set('colours', this.colourBy);
		const {column, down} = this.table.sort;
		if (column !== 'self' || !down)
			words.set('sort', down ? column : `-${column}`);
		if (this.zoomPath.length)
			words.set('zoom', this.zoomPath.map((f) => this.profile.name(f).replace(/[~|]/g, '~$&')).join('||'));
		const search = /** @type {HTMLInputElement} */ (element('search')).value;
		if (search)
			words.set('search', search);
		return `#${words}`;
	}

	/** Writes the address, five times a second at most: browsers refuse one that changes all the time. */
	writeAddress() {
		const wait = this.writes + 200 - performance.now();
		clearTimeout(this.timer);
		if (wait > 0) {
			this.timer = setTimeout(() => this.writeAddress(), wait);
			return;
		}
		this.writes = performance.now();
		this.written = this.address();
		try {
			history.replaceState(null, '', this.written);
		} catch (e) {
			/* A page within another one may have no address of its own. */
		}
	}

	readAddress() {
		const words = new URLSearchParams(location.hash.slice(1));
		const view = words.get('view');
		this.setSplit(words.get('split') || 'none');
		const {profile} = this;
		if (view && document.getElementById(`view-${view}`))
			this.view = view;
		const event = Number(words.get('event') || 0);
		this.selection.event = event < profile.events.length ? event : 0;
		const time = /^(\d+)-(\d+)$/.exec(words.get('time') || '');
		this.selection.from = time ? Number(time[1]) : -Infinity;
		this.selection.to = time ? Number(time[2]) : Infinity;
		const tids = new Set((words.get('threads') || '').split(',').filter(Boolean).map(Number));
		const threads = profile.threads.flatMap((t, i) => tids.has(t.tid) ? [i] : []);
		this.selection.threads = threads.length ? new Set(threads) : null;
		this.group = words.get('rows') || 'function';
		this.byName = words.get('order') !== 'width';
		this.colourBy = words.get('colours') === 'library' ? 'library' : 'kind';
		const sort = /^(-?)(self|total|change|name|where)$/.exec(words.get('sort') || 'self') || ['', '', 'self'];
		this.table.sort = {column: sort[2], down: !sort[1]};
		/** @type {Map<string, number>} */
		const byName = new Map();
		if (words.has('function') || words.has('zoom'))
			for (let f = profile.funcName.length - 1; f >= 0; f--)
				byName.set(profile.name(f), f);
		const func = byName.get(words.get('function') || '');
		this.func = func === undefined ? -1 : func;
		this.zoomPath = words.has('zoom') ? (words.get('zoom') || '').split('||').map((n) => {
			const f = byName.get(n.replace(/~([~|])/g, '$1'));
			return f === undefined ? -1 : f;
		}) : [];
		this.setSearch(words.get('search') || '');
	}

	/** @param {KeyboardEvent} e */
	#key(e) {
		if (e.ctrlKey || e.metaKey || e.altKey || /INPUT|SELECT/.test(/** @type {HTMLElement} */ (e.target).tagName) ||
			/** @type {HTMLDialogElement} */ (element('keys')).open)
			return;
		if (e.key === '/')
			e.preventDefault();
		this.#act(e.key);
	}

	/** @param {string} key what it stands for is done */
	#act(key) {
		const shown = [...document.querySelectorAll('#views button')];
		if (/^[1-9]$/.test(key) && shown[Number(key) - 1]) {
			this.setView(shown[Number(key) - 1].id.slice(5));
		} else if (key === '/') {
			element('search').focus();
		} else if (key === 't') {
			this.dark = !this.dark;
			this.draw();
		} else if (key === 'l') {
			this.withLanes = !this.withLanes;
			this.draw();
		} else if (key === 'a') {
			this.byName = !this.byName;
			this.draw();
			this.writeAddress();
		} else if (key === 'c') {
			this.colourBy = this.colourBy === 'kind' ? 'library' : 'kind';
			this.draw();
			this.writeAddress();
		} else if (key === 'r') {
			this.zoomPath = [];
			this.selection.threads = null;
			this.selectTime(-Infinity, Infinity);
		} else if (key === '?') {
			/** @type {HTMLDialogElement} */ (element('keys')).showModal();
		}
	}
}

(async () => {
	const data = element('data');
	const bytes = await expand(data.textContent || '', Number(data.getAttribute('data-size')));
	/** @type {any} */ (window).perf = new App(new Profile(bytes));
	document.documentElement.setAttribute('data-ready', 'yes');
})();
