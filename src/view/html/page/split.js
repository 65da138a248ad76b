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
	const names = [...profile.strings], funcName = [...profile.funcName], funcDso = [...profile.funcDso];
	const funcKind = [...profile.funcKind];
	const nowhere = names.push('') - 1;
	/** @param {string} name */
	const groupOf = (name) => {
		let func = groups.get(name);
		if (func === undefined) {
			func = funcName.push(names.push(name) - 1) - 1;
			funcDso.push(nowhere);
			funcKind.push(KIND_GROUP);
			groups.set(name, func);
		}
		return func;
	};
	/* Recordings that are compared have no numbers in common. */
	const numbered = profile.head.sides.length < 2;
	const threadNames = profile.threads.map((t) => by !== 'thread' ? processName(profile, t.pid, numbered) :
		numbered ? `${t.comm} ${t.tid}` : t.comm);
	const nodeFunc = [0], nodeParent = [0];
	/* Of each group: the node of the profile -> the node here. */
	/** @type {Map<number, Map<number, number>>} */
	const made = new Map();
	/** @param {number} group @param {number} node @returns {number} */
	const nodeOf = (group, node) => {
		let of = made.get(group);
		if (!of) {
			of = new Map([[0, nodeFunc.push(group) - 1]]);
			nodeParent.push(0);
			made.set(group, of);
		}
		/** @type {number[]} */
		const missing = [];
		let at = node;
		for (; !of.has(at); at = profile.nodeParent[at])
			missing.push(at);
		let here = /** @type {number} */ (of.get(at));
		while (missing.length) {
			const below = /** @type {number} */ (missing.pop());
			nodeParent.push(here);
			here = nodeFunc.push(profile.nodeFunc[below]) - 1;
			of.set(below, here);
		}
		return here;
	};
	const events = profile.events.map((samples) => {
		const node = new Int32Array(samples.n);
		for (let i = 0; i < samples.n; i++) {
			const cpu = samples.cpu[i];
			const name = by !== 'CPU' ? threadNames[samples.thread[i]] : cpu < 0 ? 'unknown CPU' : `CPU ${cpu}`;
			node[i] = nodeOf(groupOf(name), samples.node[i]);
		}
		return {...samples, node};
	});
	return /** @type {Profile} */ (Object.assign(Object.create(Profile.prototype), profile, {
		strings: names, funcName: Int32Array.from(funcName), funcDso: Int32Array.from(funcDso),
		funcKind: Uint8Array.from(funcKind), nodes: nodeFunc.length, nodeFunc: Int32Array.from(nodeFunc),
		nodeParent: Int32Array.from(nodeParent), events, ...childrenOf(nodeParent),
	}));
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
