import { randomBytes } from 'node:crypto'
import { writeCents } from '../money.ts'
import type { Reply } from '../web/http.ts'
import type { Authorization, Local, Transaction } from '../model.ts'
import { escape } from '../web/tokens.ts'
import { HOWS, SHOPS } from './merchants.ts'
import type { Shop } from './merchants.ts'
import { style } from './style.ts'
import { hows, reasons, texts } from './texts.ts'
import type { PageLang } from '../web/languages.ts'
import { PAGE_LANGUAGES, nextPageLang } from '../web/languages.ts'

export const dollars = (minor: bigint): string => {
  const [whole = '', cents = ''] = writeCents(minor).split('.')
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`
}
export const localText = (local: Local | undefined): string => (local ? `${writeCents(local.minor)} ${escape(local.currency)}` : '')
const CHINA_MS = 8 * 3_600_000
/** Month, day and time in China. */
export const when = (at: number): string => new Date(at + CHINA_MS).toISOString().slice(5, 16).replace('T', ' ')

export function document(
  lang: PageLang,
  body: string,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Reply {
  const nonce = randomBytes(16).toString('base64')
  return {
    status,
    type: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...headers,
    },
    body: `<!doctype html><html lang="${PAGE_LANGUAGES[lang]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${texts[lang].title}</title><style nonce="${nonce}">${style}</style></head><body><main>${body}</main></body></html>`,
  }
}

export function header(lang: PageLang): string {
  const t = texts[lang]
  const other = nextPageLang(lang)
  return `<header><div><h1>${t.title}</h1><p>${t.about}</p></div><a class="lang" href="/shop?lang=${other}" lang="${PAGE_LANGUAGES[other]}">${t.other}</a></header>`
}

function shop(lang: PageLang, { id, merchant, label, minor, mark }: Shop, checked: boolean): string {
  return `<label class="shop"><input type="radio" name="shop" value="${id}"${checked ? ' checked' : ''}><span class="mark" aria-hidden="true">${mark}</span><span class="what"><b>${merchant.name}</b><small>${label[lang]}</small></span>${minor ? `<span class="num">${dollars(minor)}</span>` : ''}</label>`
}

interface Field {
  readonly name: string
  readonly label: string
  readonly size?: string
  readonly more?: string
}
const field = ({ name, label, size = '', more = '' }: Field) =>
  `<label class="field ${size}"><span>${label}</span><input type="text" name="${name}" ${more}></label>`

/** Merchants to choose from, and the card to pay with. */
export function counter(lang: PageLang, chosen: string, note: string): string {
  const t = texts[lang]
  const digits = 'inputmode="numeric" spellcheck="false"'
  const options = HOWS.map((how) => `<option value="${how}">${hows[lang][how]}</option>`).join('')
  const fields = [
    field({
      name: 'number',
      label: t.number,
      size: 'wide',
      more: `${digits} autocomplete="cc-number" maxlength="23" required placeholder="4000 0000 0000 0000"`,
    }),
    field({ name: 'expiry', label: t.expiry, size: 'third', more: `${digits} autocomplete="cc-exp" maxlength="7" required placeholder="MM/YY"` }),
    field({ name: 'cvv', label: t.cvv, size: 'third', more: `${digits} autocomplete="cc-csc" maxlength="4" required placeholder="000"` }),
    field({ name: 'postal', label: t.postal, size: 'third last', more: `autocomplete="postal-code" maxlength="12" title="${t.postalHint}"` }),
    field({ name: 'name', label: t.name, size: 'wide', more: `autocomplete="cc-name" maxlength="80"` }),
  ].join('')
  return `${note ? `<p class="note" role="alert">${note}</p>` : ''}<form method="post" action="/shop/pay" autocomplete="on"><fieldset class="shops"><legend>${t.merchant}</legend>${SHOPS.map((one) => shop(lang, one, one.id === chosen)).join('')}</fieldset>
${field({ name: 'sum', label: t.amount, size: 'free', more: 'inputmode="decimal" maxlength="9" value="12.00"' })}<h2>${t.card}</h2><div class="fields">${fields}</div>
<details><summary>${t.more}</summary><div class="fields"><label class="field wide"><span>${t.how}</span><select name="how"><option value="">${t.asUsual}</option>${options}</select></label><label class="check"><input type="checkbox" name="secure" value="1">${t.secure}</label><label class="check"><input type="checkbox" name="partial" value="1">${t.partial}</label></div></details>
<button class="main">${t.pay}</button></form>`
}

const line = (name: string, value: string) => `<div class="line"><dt>${name}</dt><i></i><dd>${value}</dd></div>`

/** Result of the last payment. */
export function outcome(lang: PageLang, found: Authorization | Transaction | undefined): string {
  const t = texts[lang]
  if (!found) return `<aside class="idle"><div class="outline"><div class="receipt"><p class="soft">${t.none}</p></div></div></aside>`
  const isAuthorization = 'approved' in found
  const went = !isAuthorization || found.approved
  const minor = !isAuthorization ? found.minor : went ? found.approvedMinor : found.askedMinor
  const word = !isAuthorization ? (found.kind === 'refund' ? t.given : t.done) : went ? t.approved : t.declined
  const why = isAuthorization && found.reason && !found.approved ? line(t.declinedBy, reasons[lang][found.reason]) : ''
  const local = found.local ? line(found.local.currency, writeCents(found.local.minor)) : ''
  return `<aside aria-live="polite"><div class="outline"><div class="receipt"><p class="who">${escape(found.merchant.name)}</p><p class="soft small">${escape(`${found.merchant.city} ${found.merchant.country}`)}</p><p class="sum${went ? '' : ' void'}">${dollars(minor)}</p><dl>${line(t.time, when(found.at))}${local}${why}</dl><span class="stamp${went ? '' : ' no'}">${word}</span></div></div></aside>`
}
