// SPDX-License-Identifier: MIT
// @ts-check
/* Flame graphs on a canvas: boxes as wide as their weight. */
'use strict';

/*
 * Okabe and Ito's palette, which people of all kinds of colour vision tell apart, lightened so that black
 * text is read on it; hue says the kind of code, shade the function.
 */
const KIND_COLOURS = [[230, 159, 0], [86, 180, 233], [204, 121, 167], [240, 228, 66], [0, 178, 128], [170, 174, 180], [104, 120, 168]];

/** @param {number[]} rgb @param {number} light -1 (black) to 1 (white) */
function shade(rgb, light) {
	const to = light < 0 ? 0 : 255, part = Math.abs(light);
	return `rgb(${rgb.map((v) => Math.round(v + (to - v) * part)).join(',')})`;
}

/** @param {number} n a number that differs for each function */
function scatter(n) {
	return ((Math.imul(n + 1, 2654435761) >>> 0) % 1000) / 1000;
}

/**
 * The colour of a change: blue for less, orange for more, grey where it may well be chance.
 * @param {number} delta share gained, of what there was on the side that has more: -1 to 1
 * @param {number} confidence 0 to 1
 */
function changeColour(delta, confidence) {
	const strength = Math.min(1, Math.abs(delta) * 1.4 + 0.1) * (confidence < 0.9 ? confidence * 0.25 : confidence);
	const chance = [214, 218, 224], hue = delta > 0 ? [224, 112, 24] : [58, 140, 204];
	return `rgb(${hue.map((v, i) => Math.round(chance[i] + (v - chance[i]) * strength)).join(',')})`;
}

/** @typedef {{box: Box, x: number, y: number, w: number}} Drawn */

class Flame {
	/**
	 * @param {HTMLCanvasElement} canvas
	 * @param {App} app
	 */
	constructor(canvas, app) {
		this.canvas = canvas;
		this.app = app;
		/** @type {{graph: Graph, zoom: Box, grows: 'up' | 'down', base: number}[]} */
		this.parts = [];
		/** @type {Drawn[]} */
		this.drawn = [];
		/** @type {Box | null} */
		this.chosen = null;
		canvas.addEventListener('mousemove', (e) => this.#hover(e));
		canvas.addEventListener('mouseleave', () => app.tip(null, 0, 0));
		canvas.addEventListener('click', (e) => this.#click(e));
		canvas.addEventListener('dblclick', (e) => this.#open(e));
		canvas.addEventListener('keydown', (e) => this.#key(e));
	}

	/** How tall a row is, in CSS pixels. */
	get row() {
		return Math.round(parseFloat(getComputedStyle(document.body).fontSize) * 1.35);
	}

	/** @param {{graph: Graph, zoom?: Box, grows: 'up' | 'down'}[]} parts from the top to the bottom */
	show(parts) {
		this.parts = parts.map((p) => ({graph: p.graph, zoom: p.zoom || p.graph.first, grows: p.grows, base: 0}));
		this.draw();
	}

	/** @param {Box} zoom @param {number} width */
	#rows(zoom, width) {
		/* Boxes of which something is seen: wider than half a pixel. */
		let deepest = 0;
		const scale = width / (zoom.extent() || 1);
		/** @type {[Box, number][]} */
		const open = [[zoom, 0]];
		while (open.length) {
			const [box, depth] = /** @type {[Box, number]} */ (open.pop());
			deepest = Math.max(deepest, depth);
			if (depth > 400)
				continue;
			for (const below of box.below())
				if (below.extent() * scale >= 0.5)
					open.push([below, depth + 1]);
		}
		return deepest + 1;
	}

	/** @param {Box} box */
	#above(box) {
		let n = 0;
		for (let b = box.above; b; b = b.above)
			n++;
		return n;
	}

	draw() {
		const canvas = this.canvas, width = canvas.parentElement ? canvas.parentElement.clientWidth : 800;
		const row = this.row, ratio = window.devicePixelRatio || 1;
		let height = 0;
		for (const part of this.parts) {
			const tall = (this.#rows(part.zoom, width) + this.#above(part.zoom)) * row;
			part.base = part.grows === 'down' ? height : height + tall - row;
			height += tall + (this.parts.length > 1 ? row / 2 : 0);
		}
		const room = canvas.parentElement ? canvas.parentElement.clientHeight - 4 : 0;
		if (this.parts.length === 1 && this.parts[0].grows === 'up' && height < room) {
			this.parts[0].base += room - height;
			height = room;
		}
		/* Canvases end at 32767 pixels in some browsers. */
		height = Math.min(height, Math.floor(32000 / ratio));
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		canvas.style.height = `${height}px`;
		const c = canvas.getContext('2d');
		if (!c)
			return;
		c.scale(ratio, ratio);
		c.font = `${Math.round(row * 0.66)}px system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif`;
		c.textBaseline = 'middle';
		this.drawn = [];
		for (const part of this.parts)
			this.#drawPart(c, part, width, row);
	}

	/**
	 * @param {CanvasRenderingContext2D} c
	 * @param {{graph: Graph, zoom: Box, grows: 'up' | 'down', base: number}} part
	 * @param {number} width
	 * @param {number} row
	 */
	#drawPart(c, part, width, row) {
		const step = part.grows === 'down' ? row : -row;
		let y = part.base;
		/** @type {Box[]} */
		const chain = [];
		for (let b = part.zoom.above; b; b = b.above)
			chain.unshift(b);
		for (const above of chain) {
			this.#drawBox(c, above, 0, y, width, row, true);
			y += step;
		}
		const scale = width / (part.zoom.extent() || 1);
		/** @type {[Box, number, number][]} */
		const open = [[part.zoom, 0, y]];
		while (open.length) {
			const [box, x, top] = /** @type {[Box, number, number]} */ (open.pop());
			const w = box.extent() * scale;
			this.#drawBox(c, box, x, top, w, row, false);
			if (Math.abs(top - part.base) > 400 * row)
				continue;
			let at = x;
			for (const below of box.below()) {
				const part = below.extent() * scale;
				if (part >= 0.5)
					open.push([below, at, top + step]);
				at += part;
			}
		}
	}

	/**
	 * @param {CanvasRenderingContext2D} c
	 * @param {Box} box
	 * @param {number} x
	 * @param {number} y
	 * @param {number} w
	 * @param {number} row
	 * @param {boolean} dim
	 */
	#drawBox(c, box, x, y, w, row, dim) {
		const {app} = this, profile = app.profile, found = app.isFound(box.func);
		this.drawn.push({box, x, y, w});
		c.globalAlpha = dim ? 0.55 : app.search && !found ? 0.38 : 1;
		c.fillStyle = this.colour(box);
		c.fillRect(x, y, Math.max(w - (w > 3 ? 1 : 0), 0.5), row - 1);
		c.globalAlpha = 1;
		if (found || box === this.chosen) {
			c.lineWidth = box === this.chosen ? 2 : 1.5;
			c.strokeStyle = app.style(box === this.chosen ? '--ink' : '--found');
			if (w > 3)
				c.strokeRect(x + 1, y + 1, w - 3, row - 3);
			else
				c.fillRect(x, y, w, row - 1);
		}
		if (w < 22)
			return;
		const name = box.func < 0 ? app.rootName(box) : profile.name(box.func);
		const text = fitText(c, name, w - 8);
		if (!text)
			return;
		c.fillStyle = this.textColour(box);
		c.fillText(text, x + 4, y + row / 2);
	}

	/** @param {Box} box */
	colour(box) {
		const {app} = this;
		if (box.graph.sums.length > 1) {
			const [a, b] = box.graph.sums.map((s, side) => s.sum ? box.weight[side] / s.sum : 0);
			const most = Math.max(a, b);
			return changeColour(most ? (b - a) / most : 0, box.func < 0 ? 0 : app.confidence(box));
		}
		if (box.func < 0)
			return app.dark ? '#4a505b' : '#c9cdd4';
		const shift = scatter(app.colourBy === 'kind' ? box.func : app.profile.funcDso[box.func]);
		const kind = KIND_COLOURS[app.profile.funcKind[box.func]];
		if (app.colourBy === 'library')
			return `hsl(${Math.round(shift * 360)} 55% ${68 + scatter(box.func) * 10}%)`;
		return shade(kind, 0.22 + shift * 0.34);
	}

	/** @param {Box} box */
	textColour(box) {
		return box.func < 0 && this.app.dark && box.graph.sums.length === 1 ? '#e8eaed' : '#14161a';
	}

	/** @param {MouseEvent} e */
	at(e) {
		if (this.app.view === 'chart')
			return null;
		const area = this.canvas.getBoundingClientRect(), x = e.clientX - area.left, y = e.clientY - area.top;
		const row = this.row;
		/* A box is at least as wide as a pointer is exact. */
		for (let i = this.drawn.length - 1; i >= 0; i--) {
			const d = this.drawn[i];
			if (y >= d.y && y < d.y + row && x >= d.x && x < d.x + Math.max(d.w, 1))
				return d.box;
		}
		return null;
	}

	/** @param {MouseEvent} e */
	#hover(e) {
		if (this.app.view === 'chart')
			return;
		const box = this.at(e);
		this.app.tip(box && this.app.describe(box), e.clientX, e.clientY);
	}

	/** @param {MouseEvent} e */
	#click(e) {
		const box = this.at(e);
		if (!box)
			return;
		this.chosen = box;
		this.zoomTo(box);
	}

	/** @param {MouseEvent} e */
	#open(e) {
		const box = this.at(e);
		if (box && box.func >= 0)
			this.app.showFunction(box.func);
	}

	/** @param {Box} box */
	zoomTo(box) {
		for (const part of this.parts)
			if (part.graph === box.graph)
				part.zoom = box;
		this.chosen = box;
		this.app.zoomed(box);
	}

	/** @param {KeyboardEvent} e */
	#key(e) {
		const box = this.chosen || (this.parts[0] && this.parts[0].zoom);
		if (!box || this.app.view === 'chart')
			return;
		const up = this.parts.find((p) => p.graph === box.graph);
		const outward = up && up.grows === 'up' ? 'ArrowDown' : 'ArrowUp';
		const inward = outward === 'ArrowUp' ? 'ArrowDown' : 'ArrowUp';
		let next = null;
		if (e.key === outward) {
			next = box.above;
		} else if (e.key === inward) {
			next = box.below()[0];
		} else if ((e.key === 'ArrowLeft' || e.key === 'ArrowRight') && box.above) {
			const beside = box.above.below();
			next = beside[beside.indexOf(box) + (e.key === 'ArrowLeft' ? -1 : 1)];
		} else if (e.key === 'Enter') {
			this.zoomTo(box);
			e.preventDefault();
			return;
		} else if (e.key === 's' && box.func >= 0) {
			this.app.showFunction(box.func);
			return;
		} else if (e.key === 'Escape' || e.key === 'Backspace') {
			if (up && up.zoom.above)
				this.zoomTo(up.zoom.above);
			e.preventDefault();
			return;
		} else {
			return;
		}
		e.preventDefault();
		if (!next)
			return;
		this.chosen = next;
		this.draw();
		this.app.say(this.app.describe(next));
	}
}

/**
 * As much of a text as has room, with an ellipsis where it was cut; nothing when that says nothing.
 * @param {CanvasRenderingContext2D} c
 * @param {string} text
 * @param {number} room
 */
function fitText(c, text, room) {
	if (c.measureText(text).width <= room)
		return text;
	let least = 0, most = Math.min(text.length - 1, Math.ceil(room / 3));
	while (least < most) {
		const middle = (least + most + 1) >> 1;
		if (c.measureText(`${text.slice(0, middle)}…`).width <= room)
			least = middle;
		else
			most = middle - 1;
	}
	return least < 2 ? '' : `${text.slice(0, least)}…`;
}
