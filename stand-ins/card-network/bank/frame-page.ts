import type { Reveal } from '../data.ts'
import { escape, MONO, SANS, themeOf } from '../web/tokens.ts'
import { PAGE_LANGUAGES } from '../web/languages.ts'

const TEXTS = {
  zh: { number: '卡号', expiry: '有效期', cvv: 'CVV', holder: '持卡人', copy: '复制', copied: '已复制', failed: '没复制', over: '已遮住', title: '卡片信息' },
  en: {
    number: 'Number',
    expiry: 'Expires',
    cvv: 'CVV',
    holder: 'Name',
    copy: 'Copy',
    copied: 'Copied',
    failed: 'Not copied',
    over: 'Hidden',
    title: 'Card details',
  },
} as const
const ROWS = ['number', 'expiry', 'cvv', 'holder'] as const
type RowName = (typeof ROWS)[number]

export interface Shown extends Pick<Reveal, 'lang' | 'theme' | 'origin'> {
  /** Milliseconds until it masks itself. */
  readonly left: number
  /** Not masked while its window is hidden: an operator types it into another window. */
  readonly stays: boolean
  readonly rows: Readonly<Record<RowName, string>>
}

const ICON = `<svg viewBox="0 0 24 24" width="14" height="14" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true"><rect x="9" y="9" width="12" height="12" rx="2"/><path d="M5 15H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1"/></svg>`
const CHECK = `<svg viewBox="0 0 24 24" width="14" height="14" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true"><path d="M4 12.5l5 5L20 6.5"/></svg>`

/** Four rows of 38 pixels, 348 wide, on the platform's paper. */
const style = (theme: Reveal['theme']) => `${themeOf(theme)}
*{box-sizing:border-box}html,body{margin:0;height:100%;background:var(--surface);color:var(--fg);overflow:hidden}
body{font:13px/20px ${SANS};-webkit-text-size-adjust:100%}
ul{margin:0;padding:0;list-style:none}.row{display:flex;align-items:center;height:38px;gap:8px}
.name{flex:none;width:60px;color:var(--fg-3);white-space:nowrap}
.value{flex:1;min-width:0;font:600 14px/20px ${MONO};white-space:nowrap;overflow:hidden;text-overflow:ellipsis;font-variant-numeric:tabular-nums}
button{flex:none;display:inline-flex;align-items:center;gap:4px;height:28px;padding:0 8px;border:0;border-radius:8px;background:none;color:var(--brand-text);font:500 13px/20px ${SANS};white-space:nowrap;cursor:pointer}
button span{display:inline-flex}button:hover{background:var(--sunken)}button[data-state=copied]{background:var(--brand-soft);color:var(--success)}button[data-state=failed]{color:var(--danger)}
:focus-visible{outline:2px solid var(--brand);outline-offset:-2px}
.value.dots{color:var(--fg-3);letter-spacing:2px}.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media(pointer:coarse){button{height:36px}}
@media(max-width:300px){.name{width:48px}.value{font-size:12px}button .word{display:none}}`

const script = ({ lang, left, stays, origin }: Shown) => {
  const { copy, copied, failed, over } = TEXTS[lang]
  return `'use strict';
const words=${JSON.stringify({ copy, copied, failed, over })},icons=${JSON.stringify({ copy: ICON, copied: CHECK, failed: '' })},said=document.getElementById('said');
const tell=(state)=>{if(parent!==window)parent.postMessage({mingxi:'reveal',state},${JSON.stringify(origin)})};
let hidden=false;
function mask(){if(hidden)return;hidden=true;
 for(const cell of document.querySelectorAll('.value')){cell.textContent='\\u00b7'.repeat(Number(cell.dataset.dots));cell.className='value dots';cell.removeAttribute('title')}
 for(const button of document.querySelectorAll('button'))button.remove();
 said.textContent=words.over;tell('masked')}
async function put(text){try{await navigator.clipboard.writeText(text);return true}catch{
 const field=document.createElement('textarea');field.value=text;field.readOnly=true;field.className='sr';document.body.append(field);field.select();
 try{return document.execCommand('copy')}catch{return false}finally{field.remove()}}}
function show(button,state){button.dataset.state=state;button.firstElementChild.innerHTML=icons[state];button.querySelector('.word').textContent=words[state]}
for(const button of document.querySelectorAll('button')){let timer;button.addEventListener('click',async()=>{
 const cell=button.parentElement.querySelector('.value');
 const text=cell.textContent;
 const state=await put(button.dataset.bare?text.replaceAll(' ',''):text)?'copied':'failed';
 show(button,state);said.textContent=words[state];clearTimeout(timer);timer=setTimeout(()=>{show(button,'copy');said.textContent=''},2000)})}
setTimeout(mask,${Math.max(0, Math.floor(left))});
addEventListener('pagehide',mask);${stays ? '' : "document.addEventListener('visibilitychange',()=>{if(document.hidden)mask()});"}
tell('shown');`
}

const DOTS: Readonly<Record<RowName, number>> = { number: 16, expiry: 4, cvv: 3, holder: 8 }

export function framePage(shown: Shown, nonce: string): string {
  const { lang, theme, rows } = shown
  const t = TEXTS[lang]
  const row = (name: RowName) =>
    `<li class="row"><span class="name">${t[name]}</span><span class="value" data-dots="${DOTS[name]}" translate="no"${name === 'holder' ? ` title="${escape(rows[name])}"` : ''}>${escape(rows[name])}</span><button type="button" aria-label="${t.copy} ${t[name]}"${name === 'number' ? ' data-bare="1"' : ''}><span>${ICON}</span><span class="word">${t.copy}</span></button></li>`
  return `${head(lang, theme, nonce)}<ul>${ROWS.map(row).join('')}</ul><p class="sr" role="status" id="said"></p><script nonce="${nonce}">${script(shown)}</script></body></html>`
}

export function overPage({ lang, theme }: Pick<Reveal, 'lang' | 'theme'>, nonce: string): string {
  const row = (name: RowName) => `<li class="row"><span class="name">${TEXTS[lang][name]}</span><span class="value dots">${'·'.repeat(DOTS[name])}</span></li>`
  return `${head(lang, theme, nonce)}<ul>${ROWS.map(row).join('')}</ul><p class="sr" role="status">${TEXTS[lang].over}</p></body></html>`
}

const head = (lang: Reveal['lang'], theme: Reveal['theme'], nonce: string) =>
  `<!doctype html><html lang="${PAGE_LANGUAGES[lang]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${TEXTS[lang].title}</title><style nonce="${nonce}">${style(theme)}</style></head><body>`
