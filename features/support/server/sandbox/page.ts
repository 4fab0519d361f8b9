import { LANGS, type TextKeyOf } from '#platform/shared/texts.ts'
import { createHmac, hkdfSync } from 'node:crypto'
import { findSealingKey } from '#platform/server/sealing/seal.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import type { MessageRow } from '../data.ts'
import { supportServerTexts } from '../server-texts.ts'
import type { DeskConversation } from '../desk/conversations.ts'
import { LANGUAGES, DEFAULT_LANG } from '#platform/shared/languages.ts'

const STATE_TEXT = { open: 'state_open', waiting: 'state_waiting', closed: 'state_closed' } as const

type Key = TextKeyOf<typeof supportServerTexts>

/** The sandbox speaks every language at once. */
export const inEachLang = (key: Key): string => LANGS.map((lang) => supportServerTexts[lang][key]).join(' ')

/** Proves that the form came from our own page. */
export function formToken(secretKey: Buffer, id: string): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), 'support.sandbox', 32))
  return createHmac('sha256', key).update(id).digest('base64url')
}

export function isFormToken(secretKeys: readonly Buffer[], id: string, given: string): boolean {
  return findSealingKey(secretKeys, Buffer.from(given), (key) => Buffer.from(formToken(key, id))) !== undefined
}

export const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'referrer-policy': 'no-referrer',
}

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const WHO = { user: 'sandbox_user', operator: 'sandbox_operator', system: 'sandbox_system' } as const

/** One conversation with a field to answer in. */
export function conversationPage({ id, from, state, messages }: DeskConversation & { readonly messages: readonly MessageRow[] }, token: string): string {
  const line = (message: MessageRow) =>
    `<li class="${message.author}"><b>${escape(inEachLang(WHO[message.author]))}</b> <time>${toShanghaiTime(message.at)}</time><p dir="auto">${escape(message.text || `${message.event} ${message.detail}`)}</p></li>`
  return `<!doctype html><html lang="${LANGUAGES[DEFAULT_LANG].tag}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(inEachLang('sandbox_title'))}</title>
<style>:root{color-scheme:light dark;--line:#dbe1e2;--bg:#f7fbfc;--text:#131b1c;--soft:#5f686a;--brand:#16705b;--on:#fff}@media(prefers-color-scheme:dark){:root{--line:#292f30;--bg:#0b0f10;--text:#ecf1f2;--soft:#909a9c;--brand:#64d6b5;--on:#0b0f10}}
body{margin:0;background:var(--bg);color:var(--text);font:14px/22px -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}main{max-width:720px;margin:0 auto;padding:32px 20px}h1{font-size:24px;line-height:32px;margin:8px 0 0;overflow-wrap:anywhere}a{color:var(--brand)}.soft,time{color:var(--soft)}
ol{list-style:none;margin:24px 0;padding:0}li{border-top:1px dashed var(--line);padding:10px 0}li p{margin:2px 0 0;white-space:pre-wrap;overflow-wrap:anywhere}textarea{box-sizing:border-box;width:100%;min-height:96px;font:inherit;padding:10px;border:1px solid var(--soft);border-radius:8px;background:transparent;color:inherit}
button{font:inherit;font-weight:600;min-height:44px;padding:0 20px;border-radius:8px;border:1px solid var(--soft);background:transparent;color:inherit}button.main{background:var(--brand);border-color:var(--brand);color:var(--on)}form{display:grid;gap:12px}.row{display:flex;gap:12px}</style>
<body><main><a href="/sandbox">${escape(inEachLang('sandbox_back'))}</a><h1>${escape(from)}</h1><p class="soft">${escape(id)} · ${escape(inEachLang(STATE_TEXT[state]))}</p>
<ol>${messages.map(line).join('')}</ol>
<form method="post"><input type="hidden" name="token" value="${token}"><textarea name="text" maxlength="4000" aria-label="${escape(inEachLang('sandbox_reply'))}"></textarea>
<div class="row"><button class="main" name="do" value="answer">${escape(inEachLang('sandbox_reply'))}</button><button name="do" value="close">${escape(inEachLang('sandbox_close'))}</button></div></form></main></body></html>`
}
