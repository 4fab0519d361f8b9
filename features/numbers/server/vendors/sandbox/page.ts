import type { RawReply, RawRequest, NumberTools } from '../port.ts'
import { addText, heldLately, MOODS, moodOf, setMood } from './data.ts'
import type { Held } from './data.ts'
import { deskTexts } from './texts.ts'
import { LANGUAGES, readAcceptedLang, pickText } from '#platform/shared/languages.ts'

export const DESK_PATH = '/sandbox/numbers'
const POLICY = `default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
const MOST_TEXT = 1_000
type Words = (typeof deskTexts)[keyof typeof deskTexts]

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const langOf = ({ headers }: RawRequest) => readAcceptedLang(headers['accept-language'])
const spaced = (number: string) => number.replace(/^(\+\d{1,3})(\d{3})(\d{3})(\d+)$/, '$1 $2 $3 $4')

/** Page of rented numbers, newest first, each with a field that sends a text to it. */
export async function showDesk(tools: NumberTools, request: RawRequest): Promise<RawReply> {
  const lang = langOf(request)
  const t = pickText(deskTexts, lang)
  const [held, mood] = [await heldLately(tools.query), await moodOf(tools.query)]
  const moods = MOODS.map((one) => `<option value="${one}"${one === mood ? ' selected' : ''}>${t[one]}</option>`).join('')
  const body = `<h1>${t.title}</h1><p>${t.about}</p>
<form method="post" action="${DESK_PATH}/mood" class="mood"><label>${t.mood} <select name="mood">${moods}</select></label><button>${t.set}</button></form>
${held.length ? held.map((one) => row(one, t)).join('') : `<p class="none">${t.none}</p>`}<p><a href="/sandbox">${t.back}</a></p>`
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': POLICY, 'cache-control': 'no-store' },
    body: `<!doctype html><html lang="${LANGUAGES[lang].tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${t.title}</title><link rel="stylesheet" href="${DESK_PATH}.css"></head><body><main>${body}</main></body></html>`,
  }
}

function row({ ref, number, service, country, state, texts }: Held, t: Words): string {
  const last = texts.at(-1)
  const sample = `Your ${service} code is ${String(100_000 + (Number.parseInt(ref.slice(0, 8), 16) % 900_000))}`
  const form = (text: string, label: string) =>
    `<form method="post" action="${DESK_PATH}/send"><input type="hidden" name="ref" value="${ref}"><input name="text" maxlength="${MOST_TEXT}" required aria-label="${t.example} ${number}" value="${escape(text)}"><button>${label}</button></form>`
  return `<section><h2>${spaced(number)}</h2><p class="what">${escape(service)} · ${escape(country)}${state === 'open' ? '' : ` · ${t[`ended_${state}`]}`}</p>
${texts.map((text) => `<blockquote>${escape(text)}</blockquote>`).join('')}${state === 'open' ? form(last ?? sample, last ? t.more : t.send) : ''}</section>`
}

const back = (): RawReply => ({ status: 303, type: 'text/plain', body: '', headers: { location: DESK_PATH } })

export async function sendText(tools: NumberTools, { body }: RawRequest): Promise<RawReply> {
  const form = new URLSearchParams(body.toString('utf8'))
  const text = (form.get('text') ?? '').replace(/\0/g, '').slice(0, MOST_TEXT)
  if (text) await addText(tools.query, form.get('ref') ?? '', text)
  return back()
}

export async function chooseMood(tools: NumberTools, { body }: RawRequest): Promise<RawReply> {
  const wanted = new URLSearchParams(body.toString('utf8')).get('mood')
  const mood = MOODS.find((one) => one === wanted)
  if (mood) await setMood(tools.query, mood)
  return back()
}

export async function deskStyle(): Promise<RawReply> {
  return { status: 200, type: 'text/css; charset=utf-8', body: STYLE, headers: { 'cache-control': 'public, max-age=3600' } }
}

const STYLE = `:root{color-scheme:light dark;--bg:#f7fbfc;--fg:#131b1c;--line:#dbe1e2;--fg2:#5f686a;--brand:#16705b;--on:#fff;--surface:#fff}
@media(prefers-color-scheme:dark){:root{--bg:#0b0f10;--fg:#ecf1f2;--line:#292f30;--fg2:#909a9c;--brand:#64d6b5;--on:#0b0f10;--surface:#141819}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.6 -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{max-width:640px;margin:0 auto;padding:32px 20px}h1{font-size:24px;margin:0 0 8px}h2{margin:0;font:600 20px/1.4 ui-monospace,monospace}p{margin:8px 0;color:var(--fg2)}
section{margin:16px 0;padding:16px 20px;border:1px solid var(--line);background:var(--surface)}.what{margin:0 0 8px}blockquote{margin:8px 0;padding:8px 12px;border-left:3px solid var(--brand)}
form{display:flex;gap:8px;margin-top:12px;flex-wrap:wrap;align-items:center}input:not([type=hidden]),select{flex:1;min-width:0;min-height:40px;padding:8px 12px;border:1px solid var(--line);border-radius:8px;background:var(--bg);color:inherit;font:inherit}
button{min-height:40px;padding:8px 16px;border:0;border-radius:8px;background:var(--brand);color:var(--on);font:inherit;cursor:pointer}a{color:var(--brand)}:focus-visible{outline:2px solid var(--brand);outline-offset:2px}`
