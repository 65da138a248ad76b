// SPDX-License-Identifier: MIT
// @ts-check
/* A profile whose stacks begin with the thread, process or CPU that they were sampled on. */
'use strict';

/** What stacks can begin with: the words of the address, and of the control. */
const SPLITS = ['none', 'process', 'thread', 'CPU'];

/**
 * The same samples in a tree of stacks in which each thread, process or CPU has a box of its own above the root. Boxes
 * of threads are functions without a library, of the last kind (KIND_GROUP).
 * @param {Profile} profile
 * @param {string} by one of SPLITS
 * @returns {Profile}
 */
function splitProfile(profile, by) {
	if (by === 'none')
		return profile;
	/** @type {Map<string, number>} */
	const groups = new Map();
	const strings = [...profile.strings], funcName = [...profile.funcName], funcDso = [...profile.funcDso];
	const funcKind = [...profile.funcKind];
	const nowhere = strings.push('') - 1;
	/** @param {string} name */
	const groupOf = (name) => {
		let func = groups.get(name);
		if (func === undefined) {
			func = funcName.push(strings.push(name) - 1) - 1;
			funcDso.push(nowhere);
			funcKind.push(KIND_GROUP);
			groups.set(name, func);
		}
		return func;
	};
	/* Recordings that are compared have no numbers in common. */
	const numbered = profile.head.sides.length < 2;
	/** @param {ThreadHead} t */
	const threadName = (t) => by !== 'thread' ? processName(profile, t.pid, numbered) : numbered ? `${t.comm} ${t.tid}` : t.comm;
	/* The function of the group of each thread or CPU. */
	const ofThread = by === 'CPU' ? [] : profile.threads.map((t) => groupOf(threadName(t)));
	/** @type {number[]} */
	const ofCpu = [];
	if (by === 'CPU')
		for (const {byCpu} of profile.events)
			byCpu.forEach((n, cpu) => n && (ofCpu[cpu] = groupOf(cpu ? `CPU ${cpu - 1}` : 'unknown CPU')));
	const nodeFunc = [0], nodeParent = [0], here = profile.events.map(({n}) => new Int32Array(n));
	/* The node here of each node of the profile, in the group that it was last made for. */
	const made = new Int32Array(profile.nodes), madeFor = new Int32Array(profile.nodes);
	const inGroups = profile.events.map((samples) => orderBy(by === 'CPU' ? samples.cpu : samples.thread,
		by === 'CPU' ? ofCpu : ofThread, funcName.length));
	for (const group of groups.values()) {
		made[0] = nodeFunc.push(group) - 1;
		madeFor[0] = group;
		nodeParent.push(0);
		profile.events.forEach(({node}, e) => {
			const {order, from} = inGroups[e];
			for (let k = from[group]; k < from[group + 1]; k++) {
				/** @type {number[]} */
				const missing = [];
				for (let at = node[order[k]]; madeFor[at] !== group; at = profile.nodeParent[at])
					missing.push(at);
				while (missing.length) {
					const below = /** @type {number} */ (missing.pop());
					nodeParent.push(made[profile.nodeParent[below]]);
					made[below] = nodeFunc.push(profile.nodeFunc[below]) - 1;
					madeFor[below] = group;
				}
				here[e][order[k]] = made[node[order[k]]];
			}
		});
	}
	return /** @type {Profile} */ (Object.assign(Object.create(Profile.prototype), profile, {
		strings, funcName: Int32Array.from(funcName), funcDso: Int32Array.from(funcDso),
		funcKind: Int32Array.from(funcKind), nodes: nodeFunc.length, nodeFunc: Int32Array.from(nodeFunc),
		nodeParent: Int32Array.from(nodeParent), events: profile.events.map((samples, e) => ({...samples, node: here[e]})),
		ranks: null, ...childrenOf(nodeParent),
	}));
}

/**
 * The indices of samples, group by group: those of group g are order[from[g]] up to order[from[g + 1]].
 * @param {Int32Array} keys of samples
 * @param {number[]} groups by key
 * @param {number} n the number of groups
 */
function orderBy(keys, groups, n) {
	const from = new Int32Array(n + 1), order = new Int32Array(keys.length);
	for (let i = 0; i < keys.length; i++)
		from[groups[keys[i]] + 1]++;
	for (let g = 0; g < n; g++)
		from[g + 1] += from[g];
	const next = from.slice();
	for (let i = 0; i < keys.length; i++)
		order[next[groups[keys[i]]]++] = i;
	return {order, from};
}

/**
 * A process has the name of its first thread.
 * @param {Profile} profile
 * @param {number} pid
 * @param {boolean} numbered
 */
function processName(profile, pid, numbered) {
	const first = profile.threads.find((t) => t.tid === pid) || profile.threads.find((t) => t.pid === pid);
	const comm = first ? first.comm : '';
	return numbered ? `${comm} ${pid}` : comm;
}
