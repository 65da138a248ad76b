// SPDX-License-Identifier: MIT
// @ts-check
/* Names of functions in little room: what tells functions apart stays, and what they have in common goes first. */
'use strict';

/* Operators with brackets in their names. */
const BRACKET_OPERATOR = /operator *(\(\)|<=>|<<=?|>>=?|->\*?|[<>]=?)/y;

/**
 * A name without template arguments and parameters: "a::list<int>::add(int)" is "a::list::add". "<a::B as c::D>::e", as
 * Rust has it, is "a::B::e". The name itself where its brackets do not match.
 * @param {string} name
 * @returns {string}
 */
function withoutArguments(name) {
	let depth = 0, plain = '';
	for (let i = 0; i < name.length; i++) {
		BRACKET_OPERATOR.lastIndex = i;
		const operator = /\w/.test(name[i - 1] || '') ? null : BRACKET_OPERATOR.exec(name);
		if (operator) {
			plain += depth ? '' : operator[0];
			i += operator[0].length - 1;
		} else if (name[i] === '<' || name[i] === '(') {
			const type = depth || i ? null : /^<(.*?) as /.exec(name);
			if (type)
				plain = withoutArguments(type[1]);
			depth++;
		} else if (name[i] === ')' || (name[i] === '>' && name[i - 1] !== '-')) {
			depth--;
		} else if (!depth) {
			plain += name[i];
		}
		if (depth < 0)
			return name;
	}
	plain = plain.replace(/^::| const$/g, '').replace(/::::/g, '::');
	return depth || !plain ? name : plain;
}

/**
 * A file without its folders.
 * @param {string} path
 */
function fileText(path) {
	return path.slice(path.lastIndexOf('/') + 1) || path;
}

/* Shorter forms of names that were too long for their boxes. */
/** @type {Map<string, string[]>} */
const shortForms = new Map();

/**
 * The forms of a name, the longest first: whole, without arguments, the last two of its parts, the last one.
 * @param {string} name
 */
function namesOf(name) {
	let forms = shortForms.get(name);
	if (!forms) {
		const plain = withoutArguments(name), parts = plain.split('::');
		forms = [...new Set([name, plain, parts.slice(-2).join('::'), parts[parts.length - 1]])].filter(Boolean);
		shortForms.set(name, forms);
	}
	return forms;
}

/* Widths of texts that were measured, by font. */
/** @type {Map<string, Map<string, number>>} */
const textWidths = new Map();

/**
 * @param {CanvasRenderingContext2D} c
 * @param {string} text
 */
function widthOf(c, text) {
	const {font} = c;
	let widths = textWidths.get(font);
	if (!widths || widths.size > 50000)
		textWidths.set(font, widths = new Map());
	let width = widths.get(text);
	if (width === undefined)
		widths.set(text, width = c.measureText(text).width);
	return width;
}

/**
 * As much of a text as has room, with an ellipsis where it was cut; nothing when that says nothing.
 * @param {CanvasRenderingContext2D} c
 * @param {string} text
 * @param {number} room
 */
function fitText(c, text, room) {
	const width = widthOf(c, text);
	if (width <= room)
		return text;
	/** @param {number} n */
	const fits = (n) => widthOf(c, `${text.slice(0, n)}…`) <= room;
	/* Letters have about the same width. */
	let n = Math.min(text.length - 1, Math.max(Math.floor(room / width * text.length), 1));
	while (n > 1 && !fits(n))
		n--;
	while (n < text.length - 1 && n > 1 && fits(n + 1))
		n++;
	return n < 2 ? '' : `${text.slice(0, n)}…`;
}

/**
 * The longest form of a function's name that has room; else the beginning of its shortest one.
 * @param {CanvasRenderingContext2D} c
 * @param {string} name
 * @param {number} room
 */
function fitName(c, name, room) {
	if (widthOf(c, name) <= room)
		return name;
	const forms = namesOf(name);
	return forms.find((form) => widthOf(c, form) <= room) || fitText(c, forms[forms.length - 1], room);
}
