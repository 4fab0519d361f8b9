import { randomBytes } from 'node:crypto'
import type { SupplierTools, FaceVendor } from '../port.ts'
import { endFace, faceByRef, insertFace } from './data.ts'
import type { Face } from './data.ts'
import { faceTexts } from './texts.ts'
import { LANGUAGES, type Lang, DEFAULT_LANG, pickText } from '#platform/shared/languages.ts'

interface Asked {
  readonly params: Readonly<Record<string, string>>
  readonly body: Buffer
}
interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const POLICY = `default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'`
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const ENDS = ['passed', 'failed', 'other'] as const

/** Plays the company with the camera: a person decides on a page what the camera saw. */
export const sandbox: FaceVendor = {
  name: 'sandbox',
  sandbox: true,
  env: {},
  connect: () => ({
    name: 'sandbox',
    start: async (tools, { name, returnUrl, expiresAt, lang }) => {
      const ref = randomBytes(16).toString('hex')
      const short = `*${[...name].slice(1).join('')}`
      await insertFace(tools.query, { ref, name: short, lang, returnUrl, expiresAt }, tools.now())
      // The page lies where the person comes from and goes back to: its form may lead to no other origin (CSP form-action).
      return { ref, url: new URL(`/sandbox/face/${ref}`, returnUrl).href }
    },
    query: async (tools, ref) => {
      const face = await faceByRef(tools.query, ref)
      return !face || face.state === 'open' ? 'processing' : face.state
    },
  }),
}

export async function showFace(tools: SupplierTools, request: Asked): Promise<Reply> {
  const face = await faceByRef(tools.query, request.params['ref'] ?? '')
  if (!face) return page(DEFAULT_LANG, `<h1>${pickText(faceTexts, DEFAULT_LANG).unknown}</h1>`, 404)
  return page(face.lang, body(face, face.expiresAt <= tools.now()))
}

export async function answerFace(tools: SupplierTools, request: Asked): Promise<Reply> {
  const face = await faceByRef(tools.query, request.params['ref'] ?? '')
  const saw = ENDS.find((end) => end === new URLSearchParams(request.body.toString('utf8')).get('saw'))
  if (!face || !saw || face.expiresAt <= tools.now()) return showFace(tools, request)
  await endFace(tools.query, face.ref, saw)
  return { status: 303, type: 'text/plain', body: '', headers: { location: face.returnUrl } }
}

const ABOUT = { passed: 'passedAbout', failed: 'failedAbout', other: 'otherAbout' } as const satisfies Record<(typeof ENDS)[number], string>

function body(face: Face, over: boolean): string {
  const t = pickText(faceTexts, face.lang)
  const button = (end: (typeof ENDS)[number]) =>
    `<button name="saw" value="${end}"${end === 'passed' ? ' class="main"' : ''}>${t[end]}<small>${t[ABOUT[end]]}</small></button>`
  const asked =
    face.state === 'open' && !over
      ? `<p>${t.about}</p><form method="post" action="/sandbox/face/${face.ref}">${ENDS.map(button).join('')}</form>`
      : `<p class="bad">${t.over}</p><p><a href="${escape(face.returnUrl)}">${t.back}</a></p>`
  return `<p class="tag">${t.sandbox}</p><h1>${t.title}</h1><div class="lens" aria-hidden="true"></div><p class="who">${escape(t.who.replace('{name}', face.name))}</p>${asked}`
}

function page(lang: Lang, content: string, status = 200): Reply {
  const title = pickText(faceTexts, lang).title
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="${LANGUAGES[lang].tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><link rel="stylesheet" href="/sandbox/face.css"></head><body><main>${content}</main></body></html>`,
    headers: { 'content-security-policy': POLICY, 'x-frame-options': 'SAMEORIGIN' },
  }
}

export async function sandboxStyle(): Promise<Reply> {
  return { status: 200, type: 'text/css; charset=utf-8', body: STYLE, headers: { 'cache-control': 'public, max-age=3600' } }
}

const STYLE = `:root{color-scheme:light dark;--bg:#f7fbfc;--fg:#131b1c;--line:#dbe1e2;--fg2:#5f686a;--brand:#16705b;--on:#fff;--surface:#fff}
@media(prefers-color-scheme:dark){:root{--bg:#0b0f10;--fg:#ecf1f2;--line:#292f30;--fg2:#909a9c;--brand:#64d6b5;--on:#0b0f10;--surface:#141819}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.6 -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{max-width:420px;margin:0 auto;padding:40px 20px;text-align:center}h1{font-size:24px;margin:12px 0}.tag{display:inline-block;margin:0;padding:2px 10px;border:1px solid var(--line);border-radius:5px;font-size:13px;color:var(--fg2)}
.lens{width:160px;height:160px;margin:24px auto;border-radius:50%;border:6px solid var(--line);border-top-color:var(--brand)}.who{font-weight:600}p{margin:12px 0;color:inherit}
form{display:grid;gap:10px;margin-top:20px}button{min-height:56px;padding:8px 16px;border:1px solid var(--line);border-radius:8px;background:var(--surface);color:inherit;font:inherit;cursor:pointer}
button small{display:block;font-size:13px;color:var(--fg2)}button.main{background:var(--brand);border-color:var(--brand);color:var(--on)}button.main small{color:inherit}a{color:var(--brand)}:focus-visible{outline:2px solid var(--brand);outline-offset:2px}`
