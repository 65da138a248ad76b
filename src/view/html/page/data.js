// SPDX-License-Identifier: MIT
// @ts-check
/*
 * The profile that a page carries, decoded.
 *
 * The page holds one block of bytes: base64 of a raw DEFLATE stream (RFC 1951). Expanded, it is
 *   u32 little-endian: bytes of the head; the head: JSON (see PageHead); then the columns that the head
 *   lists, one after the other, each a number of LEB128 words.
 * src/view/html/page_data.h says what each column means.
 */
'use strict';

/**
 * @typedef {{name: string, n: number, same?: number}} ColumnHead
 * @typedef {{pid: number, tid: number, comm: string}} ThreadHead
 * @typedef {{name: string, unit: string, sides: number}} EventHead
 * @typedef {{func: number, file: string, lines: [string, string, number][]}} CodeHead
 * @typedef {{
 *   version: number, title: string, facts: [string, string][], losses: string,
 *   start_ns: number, duration_ns: number, timed: boolean, sides: string[],
 *   strings: string[], threads: ThreadHead[], events: EventHead[],
 *   columns: ColumnHead[], code: CodeHead[], lanes: ThreadHead[]
 * }} PageHead
 */

/**
 * The samples of one event, in the order of time. lasts: a sample stands for its weight in ns from its time on; ends is then,
 * of each sample, the latest end of those up to it. cpu: 0 where it is not known, else CPU + 1. Sums of counts: by thread, by cpu.
 * @typedef {{
 *   head: EventHead, n: number, time: Float64Array, node: Int32Array, thread: Int32Array,
 *   cpu: Int32Array, weight: Float64Array, count: Int32Array, side: Int32Array, lasts: boolean, ends: Float64Array,
 *   byThread: Float64Array, byCpu: Float64Array
 * }} EventSamples
 */

/**
 * What a thread did from one time to another, in ns after the start. state: enum wall_state; waker: index of lanes,
 * BY_INTERRUPT, or -2 where nobody is known.
 * @typedef {{from: number, to: number, state: number, reason: string, function: string, waker: number}} Span
 * @typedef {{pid: number, tid: number, comm: string, spans: Span[], states: Set<number>}} ThreadLane
 */
const BY_INTERRUPT = -1;

/** What kind of code a function is: enum stack_kind of stacks.h; the last one is no code but a thread, process or CPU. */
const KIND_GROUP = 6;
const KIND_NAMES = ['program', 'library', 'kernel', 'JIT code', 'inlined', 'without a name', 'thread or CPU'];

/**
 * Expands a raw DEFLATE stream: for browsers without DecompressionStream.
 * @param {Uint8Array} bytes
 * @param {number} size of what it expands to
 * @returns {Uint8Array}
 */
function inflate(bytes, size) {
	const out = new Uint8Array(size);
	const lengthBase = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99,
		115, 131, 163, 195, 227, 258];
	const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
	const distanceBase = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025,
		1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577];
	let at = 0, bits = 0, held = 0, n = 0;

	/** @param {number} want */
	function take(want) {
		while (held < want) {
			bits |= bytes[at++] << held;
			held += 8;
		}
		const v = bits & ((1 << want) - 1);
		bits >>>= want;
		held -= want;
		return v;
	}
	/**
	 * A table by 15 bits of input: symbol << 4 | length.
	 * @param {number[]} lengths
	 */
	function codes(lengths) {
		const table = new Uint16Array(1 << 15);
		let code = 0;
		for (let length = 1; length <= 15; length++) {
			for (let symbol = 0; symbol < lengths.length; symbol++) {
				if (lengths[symbol] !== length)
					continue;
				let reversed = 0;
				for (let b = 0; b < length; b++)
					reversed |= ((code >> b) & 1) << (length - 1 - b);
				for (let i = reversed; i < 1 << 15; i += 1 << length)
					table[i] = symbol << 4 | length;
				code++;
			}
			code <<= 1;
		}
		return table;
	}
	/** @param {Uint16Array} table */
	function symbol(table) {
		while (held < 15 && at < bytes.length) {
			bits |= bytes[at++] << held;
			held += 8;
		}
		const entry = table[bits & 0x7fff];
		bits >>>= entry & 15;
		held -= entry & 15;
		return entry >> 4;
	}
	const fixed = codes([...Array(288).keys()].map((i) => i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
	const fixedDistance = codes(Array(30).fill(5));

	for (let last = 0; !last;) {
		last = take(1);
		const kind = take(2);
		if (kind === 0) {
			at -= held >> 3;
			bits = held = 0;
			const length = bytes[at] | bytes[at + 1] << 8;
			out.set(bytes.subarray(at + 4, at + 4 + length), n);
			at += 4 + length;
			n += length;
			continue;
		}
		let literal = fixed, distance = fixedDistance;
		if (kind === 2) {
			const literals = take(5) + 257, distances = take(5) + 1, given = take(4) + 4;
			const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
			const lengths = Array(19).fill(0);
			for (let i = 0; i < given; i++)
				lengths[order[i]] = take(3);
			const table = codes(lengths);
			/** @type {number[]} */
			const all = [];
			while (all.length < literals + distances) {
				const s = symbol(table);
				if (s < 16) {
					all.push(s);
					continue;
				}
				const value = s === 16 ? all[all.length - 1] : 0;
				let times = s === 16 ? 3 + take(2) : s === 17 ? 3 + take(3) : 11 + take(7);
				while (times--)
					all.push(value);
			}
			literal = codes(all.slice(0, literals));
			distance = codes(all.slice(literals));
		}
		for (;;) {
			const s = symbol(literal);
			if (s < 256) {
				out[n++] = s;
				continue;
			}
			if (s === 256)
				break;
			const length = lengthBase[s - 257] + take(lengthBits[s - 257]);
			const d = symbol(distance);
			const back = distanceBase[d] + take(d < 4 ? 0 : (d >> 1) - 1);
			for (let i = 0; i < length; i++, n++)
				out[n] = out[n - back];
		}
	}
	return out;
}

/**
 * @param {string} text base64
 * @returns {Uint8Array}
 */
function fromBase64(text) {
	const known = /** @type {any} */ (Uint8Array).fromBase64;
	if (known)
		return known.call(Uint8Array, text);
	const binary = atob(text), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

/**
 * @param {string} text base64
 * @param {number} size
 * @returns {Promise<Uint8Array>}
 */
async function expand(text, size) {
	const bytes = fromBase64(text.trim());
	try {
		const expander = new /** @type {any} */ (window).DecompressionStream('deflate-raw');
		const writer = expander.writable.getWriter(), reader = expander.readable.getReader(), out = new Uint8Array(size);
		writer.write(bytes);
		writer.close();
		for (let n = 0;;) {
			const {done, value} = await reader.read();
			if (done)
				return out;
			out.set(value, n);
			n += value.length;
		}
	} catch (e) {
		return inflate(bytes, size);
	}
}

/** Columns whose numbers need more than 31 bits. */
const WIDE_COLUMN = /[.](time|ns|weight)$/;

/**
 * Reads columns of LEB128 words.
 * @param {Uint8Array} bytes
 * @param {number} at where the first one begins
 * @param {ColumnHead[]} heads
 * @returns {Map<string, Int32Array | Float64Array>}
 */
function readColumns(bytes, at, heads) {
	/** @type {Map<string, Int32Array | Float64Array>} */
	const columns = new Map();
	for (const {name, n, same} of heads) {
		const values = WIDE_COLUMN.test(name) ? new Float64Array(n) : new Int32Array(n);
		columns.set(name, values);
		if (same !== undefined) {
			values.fill(same);
			continue;
		}
		for (let i = 0; i < n; i++) {
			let b = bytes[at++];
			if (b < 128) {
				values[i] = b;
				continue;
			}
			let v = b & 127, scale = 128;
			do {
				b = bytes[at++];
				v += (b & 127) * scale;
				scale *= 128;
			} while (b > 127);
			values[i] = v;
		}
	}
	return columns;
}

/**
 * Sums of counts by what each sample has in a column.
 * @param {Int32Array} keys
 * @param {Int32Array} counts
 */
function sumsBy(keys, counts) {
	const sums = new Float64Array(keys.reduce((a, b) => Math.max(a, b), -1) + 1);
	for (let i = 0; i < keys.length; i++)
		sums[keys[i]] += counts[i];
	return sums;
}

/**
 * @param {EventHead} head
 * @param {boolean} lasts
 * @param {(name: string) => Int32Array | Float64Array} column
 * @returns {EventSamples}
 */
function readEvent(head, lasts, column) {
	/** @param {string} name */
	const numbers = (name) => /** @type {Int32Array} */ (column(name));
	const node = numbers('node'), n = node.length, time = /** @type {Float64Array} */ (column('time'));
	const weight = /** @type {Float64Array} */ (column('weight')), ends = new Float64Array(lasts ? n : 0);
	const thread = numbers('thread'), cpu = numbers('cpu'), count = numbers('count');
	for (let i = 1; i < time.length; i++)
		time[i] += time[i - 1];
	for (let i = 0; i < ends.length; i++)
		ends[i] = Math.max(time[i] + weight[i], i ? ends[i - 1] : 0);
	return {head, n, time, node, thread, cpu, weight, count, side: numbers('side'), lasts, ends,
		byThread: sumsBy(thread, count), byCpu: sumsBy(cpu, count)};
}

/**
 * The children of each node: those of node i are child[childFrom[i]] up to child[childFrom[i + 1]].
 * @param {ArrayLike<number>} parents of each node; node 0 is the root
 */
function childrenOf(parents) {
	const n = parents.length, childFrom = new Int32Array(n + 1);
	for (let i = 1; i < n; i++)
		childFrom[parents[i] + 1]++;
	for (let i = 0; i < n; i++)
		childFrom[i + 1] += childFrom[i];
	const next = childFrom.slice(), child = new Int32Array(Math.max(n - 1, 0));
	for (let i = 1; i < n; i++)
		child[next[parents[i]]++] = i;
	return {childFrom, child};
}

class Profile {
	/** @param {Uint8Array} bytes */
	constructor(bytes) {
		const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
		/** @type {PageHead} */
		this.head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
		/* A recording without samples is shown as an event that has none. */
		if (!this.head.events.length)
			this.head.events.push({name: 'nothing was sampled', unit: '', sides: this.head.sides.length});
		this.strings = this.head.strings;
		this.threads = this.head.threads;
		const columns = readColumns(bytes, 4 + size, this.head.columns);
		/** @param {string} name */
		const column = (name) => columns.get(name) || new Int32Array(0);
		/** @param {string} name */
		const numbers = (name) => /** @type {Int32Array} */ (column(name));
		this.funcName = numbers('func.name');
		this.funcDso = numbers('func.dso');
		this.funcKind = numbers('func.kind');
		this.nodeFunc = numbers('node.func');
		/* A node's parent stands before it: how far. Node 0 is the root. */
		this.nodeParent = numbers('node.parent').map((back, i) => i - back);
		this.nodes = this.nodeFunc.length;
		/** @type {EventSamples[]} */
		this.events = this.head.events.map((head, e) => readEvent(head, this.head.lanes.length > 0 && head.unit === 'ns',
			(name) => column(`event${e}.${name}`)));
		/* Of a wall-clock profile: what each thread did. */
		/** @type {ThreadLane[]} */
		this.lanes = this.head.lanes.map((t) => ({...t, spans: [], states: new Set()}));
		const of = ['at', 'time', 'ns', 'state', 'reason', 'function', 'waker'].map((name) => column(`lane.${name}`));
		for (let i = 0, at = -1, from = 0; i < of[0].length; i++) {
			const [lane, time, ns, state, reason, func, waker] = of.map((c) => c[i]);
			from = lane === at ? from + time : time;
			at = lane;
			this.lanes[lane].states.add(state);
			this.lanes[lane].spans.push({from, to: from + ns, state, reason: this.strings[reason - 1] || '',
				function: this.strings[func - 1] || '', waker: waker - 2});
		}
		/** @type {Int32Array | null} */
		this.ranks = null;
		const {childFrom, child} = childrenOf(this.nodeParent);
		this.childFrom = childFrom;
		this.child = child;
	}

	/**
	 * All code of a file that has no names is one function, which is called by its file.
	 * @param {number} func
	 */
	name(func) {
		if (func < 0)
			return 'all';
		const name = this.strings[this.funcName[func]];
		if (name !== '[unknown]')
			return name;
		const dso = this.dso(func);
		return dso.startsWith('[') ? dso : `[${dso}]`;
	}

	/** The place of each function in the order of names. */
	get rank() {
		if (!this.ranks) {
			const names = Array.from(this.funcName, (_, func) => this.name(func)), ranks = new Int32Array(names.length);
			names.map((_, func) => func).sort((a, b) => names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b)
				.forEach((func, rank) => ranks[func] = rank);
			this.ranks = ranks;
		}
		return this.ranks;
	}

	/** @param {number} func */
	dso(func) {
		return func < 0 ? '' : this.strings[this.funcDso[func]];
	}
}
