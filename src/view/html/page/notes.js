// SPDX-License-Identifier: MIT
// @ts-check
/* Texts: the code of the hottest functions, and what was recorded. */
'use strict';

/**
 * @param {HTMLElement} place
 * @param {App} app
 */
function drawCode(place, app) {
	place.textContent = '';
	for (const code of app.profile.head.code) {
		const head = document.createElement('h2'), pre = document.createElement('pre');
		const name = document.createElement('button'), file = document.createElement('small');
		name.textContent = app.profile.name(code.func);
		name.title = 'its callers and callees';
		name.onclick = () => app.showFunction(code.func);
		file.textContent = ` ${code.file}`;
		head.append(name, file);
		pre.className = 'code';
		const most = Math.max(...code.lines.map((l) => l[2]), 1e-9);
		for (const [number, text, share] of code.lines) {
			const line = document.createElement('div'), part = document.createElement('span'), at = document.createElement('span');
			part.textContent = share ? `${(share * 100).toFixed(2)} %` : '';
			at.textContent = number;
			line.className = share > most / 4 ? 'hot' : '';
			line.style.setProperty('--part', (share / most).toFixed(3));
			line.append(part, at, text);
			pre.append(line);
		}
		place.append(head, pre);
		if (code.func === app.func)
			head.scrollIntoView();
	}
}

/**
 * @param {HTMLElement} place
 * @param {[string, string][]} facts names and values
 */
function drawFacts(place, facts) {
	const list = document.createElement('dl');
	place.textContent = '';
	for (const [name, value] of facts) {
		const dt = document.createElement('dt'), dd = document.createElement('dd');
		dt.textContent = name;
		dd.textContent = value;
		list.append(dt, dd);
	}
	place.append(list);
}
