// SPDX-License-Identifier: MIT
// @ts-check
/* Sums and trees over the samples that are selected. */
'use strict';

/**
 * What of the samples is looked at. from and to: ns since the start, to is not included; threads: NULL means all.
 * @typedef {{event: number, from: number, to: number, threads: Set<number> | null}} Selected
 */

/**
 * The first index whose value is not below a bound; the number of values where there is none.
 * @param {Float64Array} values that ascend
 * @param {number} bound
 */
function lowerBound(values, bound) {
	let least = 0, most = values.length;
	while (least < most) {
		const middle = (least + most) >> 1;
		if (values[middle] < bound)
			least = middle + 1;
		else
			most = middle;
	}
	return least;
}

/**
 * Visits the samples that are selected, in the order of time, each with its weight: of one that lasts, its part of the
 * selected time.
 * @param {EventSamples} samples
 * @param {Selected} selection
 * @param {number} side -1: both
 * @param {(i: number, weight: number) => void} visit
 */
function eachSelected(samples, selection, side, visit) {
	const {time, weight, thread, lasts} = samples, {from, to} = selection;
	const sides = side < 0 || !samples.side.length ? null : samples.side;
	const threads = selection.threads && new Uint8Array(samples.byThread.length);
	for (const t of selection.threads || [])
		if (threads)
			threads[t] = 1;
	const end = time.length ? lowerBound(time, to) : samples.n;
	for (let i = time.length ? lowerBound(lasts ? samples.ends : time, from) : 0; i < end; i++) {
		if ((sides && sides[i] !== side) || (threads && !threads[thread[i]]))
			continue;
		if (!lasts)
			visit(i, weight[i]);
		else if (time[i] + weight[i] > from)
			visit(i, Math.min(time[i] + weight[i], to) - Math.max(time[i], from));
	}
}

/** Sums of each node, of one side (see PageHead.sides). */
class Sums {
	/**
	 * @param {Profile} profile
	 * @param {Selected} selection
	 * @param {number} side
	 */
	constructor(profile, selection, side) {
		const samples = profile.events[selection.event], {node, count} = samples, self = new Float64Array(profile.nodes);
		let n = 0;
		eachSelected(samples, selection, side, (i, weight) => {
			self[node[i]] += weight;
			n += count[i];
		});
		this.samples = n;
		this.self = self;
		this.total = self.slice();
		for (let i = profile.nodes - 1; i > 0; i--)
			this.total[profile.nodeParent[i]] += this.total[i];
		this.sum = this.total[0] || 0;
	}
}

/**
 * A box of a graph: a function met along one way, for all nodes that this way leads to. Boxes below it
 * are made when they are asked for.
 */
class Box {
	/**
	 * @param {Graph} graph
	 * @param {Box | null} above
	 * @param {number} func -1: all
	 * @param {number[]} at nodes; going up, where the way has come to
	 * @param {number[]} start going up, the nodes that the weights are of; else the same as at
	 * @param {number} depth
	 */
	constructor(graph, above, func, at, start, depth) {
		this.graph = graph;
		this.above = above;
		this.func = func;
		this.at = at;
		this.start = start;
		this.depth = depth;
		/** @type {Box[] | null} */
		this.made = null;
		this.weight = graph.sums.map((sums) => {
			let sum = 0;
			const of = graph.up && func >= 0 && !graph.subtrees ? sums.self : sums.total;
			for (const i of start)
				sum += of[i];
			return sum;
		});
		/* How wide it is drawn: its weight, or its mean share of the two sides, so that boxes below have room in all. */
		this.extent = graph.sums.length < 2 ? this.weight[0] : graph.sums.reduce((share, s, side) =>
			share + (s.sum ? this.weight[side] / s.sum : 0), 0) / graph.sums.length;
	}

	/**
	 * What was sampled in the function itself, of one side.
	 * @param {number} side
	 */
	self(side) {
		let sum = 0;
		for (const i of this.at)
			sum += this.graph.sums[side].self[i];
		return this.graph.up ? (this.depth === 1 ? this.weight[side] : 0) : sum;
	}

	/** @returns {Box[]} the widest first, or in the order of names */
	below() {
		if (!this.made) {
			this.made = this.graph.up ? this.#callers() : this.#callees();
			const {rank} = this.graph.profile;
			if (this.graph.byName)
				this.made.sort((a, b) => rank[a.func] - rank[b.func]);
			else
				this.made.sort((a, b) => b.extent - a.extent);
		}
		return this.made;
	}

	#callees() {
		const {profile, sums} = this.graph;
		/* A node's children are different functions. */
		if (this.at.length === 1)
			return Array.from(profile.child.subarray(profile.childFrom[this.at[0]], profile.childFrom[this.at[0] + 1]))
				.filter((node) => sums.some((s) => s.total[node] > 0)).map((node) => {
					const at = [node];
					return new Box(this.graph, this, profile.nodeFunc[node], at, at, this.depth + 1);
				});
		/** @type {Map<number, number[]>} */
		const by = new Map();
		for (const i of this.at)
			for (let c = profile.childFrom[i]; c < profile.childFrom[i + 1]; c++) {
				const node = profile.child[c];
				if (sums.some((s) => s.total[node] > 0))
					pushTo(by, profile.nodeFunc[node], node);
			}
		return [...by].map(([func, at]) => new Box(this.graph, this, func, at, at, this.depth + 1));
	}

	#callers() {
		const {profile, sums} = this.graph;
		/** @type {Map<number, {at: number[], start: number[]}>} */
		const by = new Map();
		if (this.func < 0) {
			for (let i = 1; i < profile.nodes; i++)
				if (sums.some((s) => s.self[i] > 0))
					pushPair(by, profile.nodeFunc[i], i, i);
		} else {
			this.at.forEach((node, i) => {
				const parent = profile.nodeParent[node];
				if (parent > 0)
					pushPair(by, profile.nodeFunc[parent], parent, this.start[i]);
			});
		}
		return [...by].map(([func, pair]) => new Box(this.graph, this, func, pair.at, pair.start,
			this.depth + 1));
	}
}

/**
 * @param {Map<number, number[]>} by
 * @param {number} key
 * @param {number} value
 */
function pushTo(by, key, value) {
	const list = by.get(key);
	if (list)
		list.push(value);
	else
		by.set(key, [value]);
}

/**
 * @param {Map<number, {at: number[], start: number[]}>} by
 * @param {number} key
 * @param {number} at
 * @param {number} start
 */
function pushPair(by, key, at, start) {
	const pair = by.get(key);
	if (pair) {
		pair.at.push(at);
		pair.start.push(start);
	} else {
		by.set(key, {at: [at], start: [start]});
	}
}

/** A flame graph: its first box, and how boxes below others are found. */
class Graph {
	/**
	 * @param {Profile} profile
	 * @param {Sums[]} sums one a side
	 * @param {{up: boolean, byName: boolean, func?: number}} how up: from what was sampled to its callers;
	 *   func: only what calls it, or is called by it
	 */
	constructor(profile, sums, how) {
		this.profile = profile;
		this.sums = sums;
		this.up = how.up;
		this.byName = how.byName;
		this.subtrees = how.func !== undefined;
		if (how.func === undefined) {
			this.first = new Box(this, null, -1, [0], [0], 0);
		} else {
			const nodes = outermost(profile, how.func);
			this.first = new Box(this, null, how.func, nodes, nodes, 0);
		}
	}
}

/**
 * The nodes of a function that have no other one of it above them.
 * @param {Profile} profile
 * @param {number} func
 */
function outermost(profile, func) {
	const inside = new Uint8Array(profile.nodes);
	/** @type {number[]} */
	const found = [];
	for (let i = 1; i < profile.nodes; i++) {
		if (inside[profile.nodeParent[i]]) {
			inside[i] = 1;
		} else if (profile.nodeFunc[i] === func) {
			inside[i] = 1;
			found.push(i);
		}
	}
	return found;
}

/**
 * Self and total of each function, library, kind of code, thread, process, command or CPU.
 * @typedef {{key: number, name: string, where: string, self: number[], total: number[], func: number}} Row
 */

/**
 * @param {Profile} profile
 * @param {Sums[]} sums
 * @param {(func: number) => number} keyOf
 * @returns {{self: Float64Array[], total: Float64Array[]}} by key
 */
function sumsByFunction(profile, sums, keyOf) {
	const keys = new Int32Array(profile.nodes);
	let most = 0;
	for (let i = 1; i < profile.nodes; i++) {
		keys[i] = keyOf(profile.nodeFunc[i]);
		most = Math.max(most, keys[i] + 1);
	}
	const self = sums.map(() => new Float64Array(most)), total = sums.map(() => new Float64Array(most));
	const open = new Int32Array(most);
	/* Down and up again: a function counts once in each way, however often it stands there. */
	const stack = [0], leaving = ~0;
	stack.length = 0;
	for (let c = profile.childFrom[0]; c < profile.childFrom[1]; c++)
		stack.push(profile.child[c]);
	while (stack.length) {
		const i = /** @type {number} */ (stack.pop());
		if (i <= leaving) {
			open[keys[~i]]--;
			continue;
		}
		sums.forEach((s, side) => {
			self[side][keys[i]] += s.self[i];
			if (!open[keys[i]])
				total[side][keys[i]] += s.total[i];
		});
		open[keys[i]]++;
		stack.push(~i);
		for (let c = profile.childFrom[i]; c < profile.childFrom[i + 1]; c++)
			stack.push(profile.child[c]);
	}
	return {self, total};
}

/**
 * The rows of the table.
 * @param {Profile} profile
 * @param {Selected} selection
 * @param {Sums[]} sums
 * @param {string} by 'function', 'library', 'kind', 'thread', 'process', 'command', 'cpu'
 * @returns {Row[]}
 */
function tableRows(profile, selection, sums, by) {
	/** @type {Row[]} */
	const rows = [];
	if (by === 'function' || by === 'library' || by === 'kind') {
		const {self, total} = sumsByFunction(profile, sums, (func) => by === 'function' ? func :
			by === 'kind' ? profile.funcKind[func] : profile.funcDso[func]);
		/** @param {number} key what stacks begin with is no row */
		const name = (key) => by === 'library' ? profile.strings[key] : by === 'kind' ? key !== KIND_GROUP && KIND_NAMES[key] :
			profile.funcKind[key] !== KIND_GROUP && profile.name(key);
		for (let key = 0; key < (total[0] || []).length; key++)
			if (total.some((t) => t[key] > 0) && name(key))
				rows.push({key, name: name(key) || '', where: by === 'function' ? profile.dso(key) : '', func: by === 'function' ? key : -1,
					self: self.map((s) => s[key]), total: total.map((t) => t[key])});
		return rows;
	}
	const samples = profile.events[selection.event], {threads} = profile;
	/* Of each thread the first one of that name. */
	/** @type {Map<string, number>} */
	const byName = new Map();
	const firsts = threads.map((t, i) => byName.get(t.comm) ?? (byName.set(t.comm, i), i));
	/** @type {Map<number, Row>} */
	const found = new Map();
	sums.forEach((_, side) => eachSelected(samples, selection, side, (i, weight) => {
		const thread = samples.thread[i];
		const key = by === 'thread' ? thread : by === 'process' ? threads[thread].pid :
			by === 'command' ? firsts[thread] : samples.cpu[i] - 1;
		let row = found.get(key);
		if (!row) {
			const {comm} = threads[thread];
			const name = by === 'command' ? comm : by !== 'cpu' ? `${comm} ${by === 'thread' ? threads[thread].tid : key}` :
				key < 0 ? 'unknown' : `CPU ${key}`;
			row = {key, name, where: '', func: -1, self: sums.map(() => 0), total: sums.map(() => 0)};
			found.set(key, row);
		}
		row.self[side] += weight;
		row.total[side] += weight;
	}));
	return [...found.values()];
}

/**
 * How sure it is that the share of nodes differs between the two sides: each side is cut into slices of
 * time, whose shares scatter; what lies outside of that scatter is no chance.
 */
class Confidence {
	/**
	 * @param {Profile} profile
	 * @param {Selected} selection
	 * @param {Sums[]} sums
	 */
	constructor(profile, selection, sums) {
		const SLICES = 24, samples = profile.events[selection.event];
		/* Only nodes of some weight are told apart; lighter ones count for the one above. */
		const index = new Int32Array(profile.nodes);
		let n = 1;
		for (let i = 1; i < profile.nodes; i++) {
			const share = Math.max(...sums.map((s) => s.sum ? s.total[i] / s.sum : 0));
			index[i] = share > 2e-4 ? n++ : index[profile.nodeParent[i]];
		}
		const parent = new Int32Array(n);
		for (let i = 1; i < profile.nodes; i++)
			if (index[i] !== index[profile.nodeParent[i]])
				parent[index[i]] = index[profile.nodeParent[i]];
		this.index = index;
		this.mean = sums.map(() => new Float64Array(n));
		this.spread = sums.map(() => new Float64Array(n));
		for (let side = 0; side < sums.length; side++) {
			let from = Infinity, to = -Infinity;
			eachSelected(samples, selection, side, (i) => {
				from = Math.min(from, samples.time[i]);
				to = Math.max(to, samples.time[i]);
			});
			const slices = Array.from({length: SLICES}, () => new Float64Array(n));
			eachSelected(samples, selection, side, (i) => {
				const at = Math.floor((samples.time[i] - from) / (to - from + 1) * SLICES);
				slices[at][index[samples.node[i]]] += samples.weight[i];
			});
			let used = 0;
			for (const slice of slices) {
				for (let i = n - 1; i > 0; i--)
					slice[parent[i]] += slice[i];
				if (!slice[0])
					continue;
				used++;
				for (let i = 0; i < n; i++) {
					const share = slice[i] / slice[0];
					this.mean[side][i] += share;
					this.spread[side][i] += share * share;
				}
			}
			for (let i = 0; i < n && used; i++) {
				const mean = this.mean[side][i] /= used;
				this.spread[side][i] = used < 2 ? Infinity :
					Math.max(this.spread[side][i] / used - mean * mean, 0) / (used - 1);
			}
		}
	}

	/**
	 * 0: may well be chance, 1: is none.
	 * @param {number[]} nodes
	 */
	of(nodes) {
		let delta = 0, spread = 0;
		for (const i of nodes) {
			const k = this.index[i];
			delta += this.mean[1][k] - this.mean[0][k];
			spread += this.spread[0][k] + this.spread[1][k];
		}
		if (!delta)
			return 0;
		const z = Math.abs(delta) / Math.sqrt(spread || 1e-18) / Math.SQRT2;
		/* The error function, to 5e-4: Abramowitz and Stegun, 7.1.27. */
		const d = 1 + z * (0.278393 + z * (0.230389 + z * (0.000972 + z * 0.078108)));
		return 1 - 1 / (d * d * d * d);
	}
}
