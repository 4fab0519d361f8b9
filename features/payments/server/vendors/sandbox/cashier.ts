import { findMethodLabel } from '../pay-method.ts'
import type { ChannelTools, RawReply, RawRequest } from '../port.ts'
import { formatMinor } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import * as book from './data.ts'
import { notify } from './notify.ts'
import { PRESSES, press } from './settle.ts'
import type { Press } from './settle.ts'
import { cashierTexts } from './cashier-texts.ts'
import { cashierStyle } from './cashier-style.ts'
import { LANGUAGES, type Lang, DEFAULT_LANG, pickText } from '#platform/shared/languages.ts'

const POLICY = `default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'`
export const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The page where a person plays the payer: opened by the code, by a redirect, or by a submitted form. */
export async function showCashier(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const trade = await book.tradeByToken(tools.query, request.params['token'] ?? '')
  if (!trade) return page(DEFAULT_LANG, `<h1>${pickText(cashierTexts, DEFAULT_LANG).unknown}</h1>`, 404)
  if (trade.state === 'open' && trade.expiresAt > tools.now() && (await book.markScanned(tools.query, trade.token))) await notify(tools, trade, 'trade.scanned')
  return page(trade.lang, await body(tools, trade))
}

/** A press of a button, or the entry of a submitted form. */
export async function pressCashier(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const sent = new URLSearchParams(request.body.toString('utf8'))
  const action = sent.get('action')
  const trade = await book.tradeByToken(tools.query, request.params['token'] ?? '')
  if (!trade || !PRESSES.includes(action as Press)) return showCashier(tools, request)
  await press(tools, trade, action as Press, /^[\w.@-]{1,40}$/.exec(sent.get('payer')?.trim() ?? '')?.[0])
  const goesBack = trade.form === 'redirect' && trade.returnUrl
  return { status: 303, type: 'text/plain', body: '', headers: { location: goesBack ? trade.returnUrl : `/sandbox/pay/${trade.token}` } }
}

export async function style(): Promise<RawReply> {
  return { status: 200, type: 'text/css; charset=utf-8', body: cashierStyle, headers: { 'cache-control': 'public, max-age=3600' } }
}

async function body(tools: ChannelTools, trade: book.Trade): Promise<string> {
  const t = pickText(cashierTexts, trade.lang)
  const over = trade.expiresAt <= tools.now()
  const row = (name: string, value: string) => `<div class="row"><dt>${name}</dt><dd>${escape(value)}</dd></div>`
  const receipt = `<p class="sum">¥${formatMinor(trade.minor)}</p><dl>${row(t.subject, trade.subject)}${row(t.method, findMethodLabel(trade.method, trade.lang))}${row(t.trade, trade.tradeNo)}${row(t.until, toShanghaiTime(trade.expiresAt))}</dl>`
  const back = trade.returnUrl ? `<p class="back"><a href="${escape(trade.returnUrl)}" target="_top">${t.back}</a></p>` : ''
  return `<p class="tag">${t.sandbox}</p><h1>${t.title}</h1>${receipt}${await standing(tools, trade, over)}${back}`
}

async function standing(tools: ChannelTools, trade: book.Trade, over: boolean): Promise<string> {
  const t = pickText(cashierTexts, trade.lang)
  if (trade.state === 'paid') {
    const payments = await book.paymentsOf(tools.query, trade.token)
    return `<p class="stamp">${t.paid}</p><p>${payments.map((payment) => `¥${formatMinor(payment.minor)}`).join(' + ')}</p><p>${t.canClose}</p>`
  }
  if (trade.state === 'declined') return `<p class="bad">${t.declined}</p>`
  if (trade.payDueAt) return `<p class="note">${t.willPayLate}</p>`
  const shown: readonly Press[] = over ? ['late'] : PRESSES
  const button = (name: Press) =>
    `<button name="action" value="${name}"${name === 'pay' ? ' class="main"' : ''}>${t[name]}<small>${t[`${name}About`]}</small></button>`
  return `${over ? `<p class="bad">${t.expired}</p>` : ''}<form method="post" action="/sandbox/pay/${trade.token}">${shown.map(button).join('')}<label>${t.payer}<input name="payer" maxlength="40" pattern="[\\w.@\\-]*" placeholder="${t.payerAbout}"></label></form>`
}

export function page(lang: Lang, content: string, status = 200): RawReply {
  return {
    status,
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' },
    body: `<!doctype html><html lang="${LANGUAGES[lang].tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${pickText(cashierTexts, lang).title}</title><link rel="stylesheet" href="/sandbox/pay.css"></head><body><main>${content}</main></body></html>`,
  }
}
