import type { SeatTools } from '../port.ts'
import { insertMessage, memberByToken } from './data.ts'
import type { SandboxMember } from './data.ts'
import { windowOf } from './window.ts'
import { shareTexts } from './texts.ts'
import { LANGUAGES, type Lang, readAcceptedLang, pickText } from '#platform/shared/languages.ts'

interface Asked {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}
interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const POLICY = `default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'`
const langOf = ({ headers }: Asked): Lang => readAcceptedLang(headers['accept-language'])

/** The shared chat as the supplier shows it: a message counts, and beyond the window's allowance none is taken. */
export async function showShare(tools: SeatTools, request: Asked): Promise<Reply> {
  const lang = langOf(request)
  const t = pickText(shareTexts, lang)
  const member = await memberByToken(tools.query, request.params['token'] ?? '')
  if (!member || member.state !== 'active' || member.until <= tools.now()) return page(lang, `<h1>${t.over}</h1><p>${t.overAbout}</p>`, 404)
  const { used, allowed } = await windowOf(tools, member, 'chat')
  const left = Math.max(0, allowed - used)
  const voice = request.query['redirect'] === '/voice' ? `<p class="tag">${t.voice}</p>` : ''
  const send = left > 0 ? `<form method="post" action="/sandbox/share/${member.token}"><button>${t.send}</button></form>` : `<p class="bad">${t.full}</p>`
  return page(
    lang,
    `<p class="tag">${t.sandbox}</p>${voice}<h1>${nameOf(member)}</h1><p>${t.used.replace('{used}', String(used)).replace('{allowed}', String(allowed))}</p>${send}`,
  )
}

export async function postMessage(tools: SeatTools, request: Asked): Promise<Reply> {
  const member = await memberByToken(tools.query, request.params['token'] ?? '')
  const isLive = member && member.state === 'active' && member.until > tools.now()
  if (!isLive) return showShare(tools, request)
  const { used, allowed } = await windowOf(tools, member, 'chat')
  if (used < allowed) await insertMessage(tools.query, member.ref, 'chat', tools.now())
  return { status: 303, type: 'text/plain', body: '', headers: { location: `/sandbox/share/${member.token}` } }
}

const nameOf = ({ accountRef: ref }: SandboxMember): string => (ref.startsWith('shared-2') ? 'Claude' : ref.startsWith('shared-6') ? 'Sora' : 'ChatGPT')

function page(lang: Lang, content: string, status = 200): Reply {
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="${LANGUAGES[lang].tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${pickText(shareTexts, lang).title}</title><link rel="stylesheet" href="/sandbox/share.css"></head><body><main>${content}</main></body></html>`,
    headers: { 'content-security-policy': POLICY, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  }
}

export async function shareStyle(): Promise<Reply> {
  return { status: 200, type: 'text/css; charset=utf-8', body: STYLE, headers: { 'cache-control': 'public, max-age=3600' } }
}

const STYLE = `:root{color-scheme:light dark;--bg:#f7fbfc;--fg:#131b1c;--line:#dbe1e2;--fg2:#5f686a;--brand:#16705b;--on:#fff;--bad:#c1253b}
@media(prefers-color-scheme:dark){:root{--bg:#0b0f10;--fg:#ecf1f2;--line:#292f30;--fg2:#909a9c;--brand:#64d6b5;--on:#0b0f10;--bad:#f77d80}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.6 -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{max-width:440px;margin:0 auto;padding:48px 20px}h1{font-size:24px;margin:12px 0}p{margin:12px 0}.bad{color:var(--bad)}
.tag{display:inline-block;margin:0 8px 0 0;padding:2px 10px;border:1px solid var(--line);border-radius:5px;font-size:13px;color:var(--fg2)}
button{min-height:48px;padding:0 20px;border:0;border-radius:8px;background:var(--brand);color:var(--on);font:inherit;cursor:pointer}:focus-visible{outline:2px solid var(--brand);outline-offset:2px}`
