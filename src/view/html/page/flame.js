// SPDX-License-Identifier: MIT
// @ts-check
/* Flame graphs on a canvas: boxes as wide as their weight. */
'use strict';

/*
 * Okabe and Ito's palette, which people of all kinds of colour vision tell apart, lightened so that black
 * text is read on it; hue says the kind of code, shade the function.
 */
const KIND_COLOURS = [[230, 159, 0], [86, 180, 233], [204, 121, 167], [240, 228, 66], [0, 178, 128], [170, 174, 180], [104, 120, 168]];

/** @param {number[]} rgb @param {number} light -1 (black) to 1 (white) @returns {number[]} */
function mixed(rgb, light) {
	const to = light < 0 ? 0 : 255, part = Math.abs(light);
	return rgb.map((v) => Math.round(v + (to - v) * part));
}

/** @param {number[]} rgb @param {number} light -1 (black) to 1 (white) */
function shade(rgb, light) {
	return `rgb(${mixed(rgb, light).join(',')})`;
}

/**
 * Makes a canvas ready to be drawn anew, in CSS pixels. It keeps its memory while it keeps its size.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
function clearCanvas(canvas, width, height) {
	const ratio = pixelRatio(), w = Math.round(width * ratio), h = Math.round(height * ratio);
	const c = canvas.getContext('2d');
	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
	}
	if (c) {
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		c.globalAlpha = 1;
		c.textBaseline = 'middle';
		c.clearRect(0, 0, width + 1, height + 1);
	}
	return c;
}

/** @param {number} n a number that differs for each function */
function scatter(n) {
	return ((Math.imul(n + 1, 2654435761) >>> 0) % 1000) / 1000;
}

/** @param {number} dso @param {number} [light] 0 to 1 */
function libraryColour(dso, light = 0.5) {
	return `hsl(${Math.round(scatter(dso) * 360)} 55% ${68 + light * 10}%)`;
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

/**
 * @typedef {{box: Box, x: number, y: number, w: number}} Drawn
 * @typedef {{graph: Graph, zoom: Box, grows: 'up' | 'down', base: number}} Part base: y of its first row
 */

/* Rows of a graph: deeper ones than these are not drawn. */
const MOST_ROWS = 400;

class Flame {
	/**
	 * @param {HTMLCanvasElement} canvas
	 * @param {App} app
	 */
	constructor(canvas, app) {
		this.canvas = canvas;
		this.app = app;
		/* How tall a row is, in CSS pixels. */
		this.row = SIZES.row;
		/** @type {Part[]} */
		this.parts = [];
		/** @type {Drawn[]} */
		this.drawn = [];
		/** @type {Box | null} */
		this.chosen = null;
		/* Colours of functions, of which of them, and of which profile. */
		/** @type {{by: string, profile: Profile | null, of: string[]}} */
		this.colours = {by: '', profile: null, of: []};
		canvas.addEventListener('mousemove', (e) => this.#hover(e));
		canvas.addEventListener('mouseleave', () => app.tip(null, 0, 0));
		canvas.addEventListener('click', (e) => this.#click(e));
		canvas.addEventListener('dblclick', (e) => this.#open(e));
		canvas.addEventListener('keydown', (e) => this.#key(e));
		canvas.addEventListener('focus', () => {
			const box = this.chosen || (this.parts[0] && this.parts[0].zoom);
			if (box && app.view !== 'chart')
				app.say(app.describe(box));
		});
	}

	/** @param {{graph: Graph, zoom?: Box, grows: 'up' | 'down'}[]} parts from the top to the bottom */
	show(parts) {
		this.parts = parts.map((p) => ({graph: p.graph, zoom: p.zoom || p.graph.first, grows: p.grows, base: 0}));
		this.draw();
	}

	/**
	 * The boxes of which something is seen: wider than half a pixel.
	 * @param {Box} zoom
	 * @param {number} width
	 * @returns {{boxes: {box: Box, x: number, w: number, depth: number}[], rows: number}}
	 */
	#layOut(zoom, width) {
		const scale = width / (zoom.extent || 1), boxes = [{box: zoom, x: 0, w: zoom.extent * scale, depth: 0}];
		let rows = 1;
		for (let i = 0; i < boxes.length; i++) {
			const {box, depth} = boxes[i];
			rows = Math.max(rows, depth + 1);
			if (depth >= MOST_ROWS || boxes[i].w < 0.5)
				continue;
			let x = boxes[i].x;
			for (const below of box.below()) {
				const w = below.extent * scale;
				if (w >= 0.5)
					boxes.push({box: below, x, w, depth: depth + 1});
				x += w;
			}
		}
		return {boxes, rows};
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
		let height = 0;
		const laid = this.parts.map((part) => this.#layOut(part.zoom, width));
		const rows = this.parts.map((part, i) => laid[i].rows + this.#above(part.zoom));
		const row = this.row = rowHeight(rows.reduce((sum, n) => sum + n, 0) + this.parts.length / 2);
		this.parts.forEach((part, i) => {
			const tall = rows[i] * row;
			part.base = part.grows === 'down' ? height : height + tall - row;
			height += tall + (this.parts.length > 1 ? row / 2 : 0);
		});
		if (!SIZES.paper) {
			const room = canvas.parentElement ? canvas.parentElement.clientHeight - 4 : 0;
			/* A graph that grows by a row keeps its canvas. */
			const tall = Math.max(room, Math.ceil(height / row / 8) * row * 8);
			if (this.parts.length === 1 && this.parts[0].grows === 'up')
				this.parts[0].base += tall - height;
			height = tall;
		}
		/* Canvases end at 32767 pixels in some browsers. */
		height = Math.min(height, Math.floor(32000 / pixelRatio()));
		canvas.style.height = `${height}px`;
		const c = clearCanvas(canvas, width, height);
		if (!c)
			return;
		c.font = `${Math.round(row * 0.66)}px system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif`;
		this.drawn = [];
		this.parts.forEach((part, i) => this.#drawPart(c, part, laid[i].boxes, width));
	}

	/**
	 * @param {CanvasRenderingContext2D} c
	 * @param {Part} part
	 * @param {{box: Box, x: number, w: number, depth: number}[]} boxes
	 * @param {number} width
	 */
	#drawPart(c, part, boxes, width) {
		const {row} = this, step = part.grows === 'down' ? row : -row;
		let y = part.base;
		/** @type {Box[]} */
		const chain = [];
		for (let b = part.zoom.above; b; b = b.above)
			chain.unshift(b);
		for (const above of chain) {
			this.#drawBox(c, above, 0, y, width, row, true);
			y += step;
		}
		for (const {box, x, w, depth} of boxes)
			this.#drawBox(c, box, x, y + depth * step, w, row, false);
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
		const isFaint = !dim && app.search && !found;
		c.globalAlpha = dim ? 0.55 : isFaint ? 0.38 : 1;
		c.fillStyle = this.colour(box);
		c.fillRect(x, y, Math.max(w - (w > 3 ? 1 : 0), 0.5), row - rowGap(row));
		c.globalAlpha = 1;
		if (found || box === this.chosen) {
			c.lineWidth = box === this.chosen ? 2 : 1.5;
			c.strokeStyle = app.style(box === this.chosen ? '--ink' : '--found');
			if (w > 3)
				c.strokeRect(x + 1, y + 1, w - 3, row - 3);
			else
				c.fillRect(x, y, w, row - 1);
		}
		if (w < 22 || row < LEAST_ROW)
			return;
		const name = box.func < 0 ? app.rootName(box) : profile.name(box.func);
		const text = fitName(c, name, w - 8);
		if (!text)
			return;
		c.fillStyle = isFaint && app.inDark ? '#d4d8de' : this.textColour(box);
		c.fillText(text, x + 4, y + row / 2);
		const share = box.func < 0 ? '' : this.#shareText(box), left = x + w - 6 - widthOf(c, share);
		if (share && left > x + 4 + widthOf(c, text) + row) {
			c.globalAlpha = 0.7;
			c.fillText(share, left, y + row / 2);
			c.globalAlpha = 1;
		}
	}

	/**
	 * The share of all samples; of two recordings, how it changed.
	 * @param {Box} box
	 */
	#shareText(box) {
		const shares = box.graph.sums.map((s, side) => box.weight[side] / (s.sum || 1) * 100);
		return shares.length < 2 ? `${shares[0].toFixed(1)} %` : signedText(shares[1] - shares[0], 1);
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
			return app.inDark ? '#4a505b' : '#c9cdd4';
		const {colours} = this;
		if (colours.by !== app.colourBy || colours.profile !== app.profile)
			this.colours = {by: app.colourBy, profile: app.profile, of: []};
		return this.colours.of[box.func] || (this.colours.of[box.func] = this.#functionColour(box.func));
	}

	/** @param {number} func */
	#functionColour(func) {
		const {profile, colourBy} = this.app;
		if (colourBy === 'library')
			return libraryColour(profile.funcDso[func], scatter(func));
		return shade(KIND_COLOURS[profile.funcKind[func]], 0.22 + scatter(func) * 0.34);
	}

	/** @param {Box} box */
	textColour(box) {
		return box.func < 0 && this.app.inDark && box.graph.sums.length === 1 ? '#e8eaed' : '#14161a';
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
