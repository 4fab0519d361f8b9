import { writeCents } from '../money.ts'
import type { Company } from '../company.ts'
import type { Authorization, Dispute, Subscription, Transaction } from '../model.ts'
import { escape } from '../web/tokens.ts'
import { dollars, localText, when } from './page.ts'
import { disputeStates, reasons, states, texts } from './texts.ts'
import type { PageLang } from '../web/languages.ts'

const MOST = 60

/** Everything that was done in this browser, newest first, each with what can be done next; and the hands of the clock. */
export function list(company: Company, visit: string, lang: PageLang): string {
  const t = texts[lang]
  const all = company.store.ofVisit(visit, MOST)
  const items = all.flatMap(({ kind, body }) => {
    if (kind === 'authorization') return [authorization(company, body as Authorization, lang)]
    if (kind === 'transaction' && !(body as Transaction).authorization && !(body as Transaction).of) return [alone(company, body as Transaction, lang)]
    if (kind === 'subscription') return [subscription(body as Subscription, lang)]
    return []
  })
  const time = `<form method="post" action="/shop/time"><span class="soft">${t.time} <span class="num">${when(company.now())}</span></span>${(['day', 'week', 'month'] as const).map((step) => `<button name="step" value="${step}">${t[step]}</button>`).join('')}</form>`
  return `<div class="bar"><h2 id="done">${t.history}</h2>${time}</div>${items.join('') || `<p class="empty">${t.none}</p>`}`
}

interface Act {
  readonly what: string
  readonly label: string
}
/** Buttons about one thing; with a sum, if they take one. */
function acts(lang: PageLang, ref: string, buttons: readonly Act[], sum?: bigint): string {
  if (!buttons.length) return ''
  const input =
    sum === undefined ? '' : `<input type="text" name="sum" inputmode="decimal" maxlength="9" value="${writeCents(sum)}" aria-label="${texts[lang].amount}">`
  return `<form class="acts" method="post" action="/shop/act"><input type="hidden" name="ref" value="${ref}">${input}${buttons.map(({ what, label }) => `<button name="what" value="${what}">${label}</button>`).join('')}</form>`
}

function authorization(company: Company, found: Authorization, lang: PageLang): string {
  const t = texts[lang]
  const state = found.approved ? found.status : 'declined'
  const open = found.approved && found.status === 'pending'
  const buttons: Act[] = [
    ...(found.status === 'reversed' ? [] : [{ what: 'capture', label: open ? t.capture : t.captureAnyway }]),
    ...(open
      ? [
          { what: 'captureMore', label: t.captureMore },
          { what: 'increment', label: t.increment },
          { what: 'reverse', label: t.reverse },
          { what: 'expire', label: t.expire },
        ]
      : []),
  ]
  const parts = company.store.byLink('transaction', found.ref)
  // the forms of a finished authorisation are folded away
  const again = found.approved && !open && parts.length > 0
  const facts = [
    when(found.at),
    `${escape(found.merchant.city)} ${escape(found.merchant.country)}`,
    localText(found.local),
    open ? `${t.held} ${dollars(found.heldMinor)}` : '',
    found.reason && !found.approved ? `<span class="bad">${reasons[lang][found.reason]}</span>` : '',
  ]
  const sum = open ? found.heldMinor : found.approvedMinor || found.askedMinor || 100n
  const forms = acts(lang, found.ref, buttons, sum)
  return `<section class="item${found.approved ? '' : ' void'}"><div class="top"><b>${escape(found.merchant.name)}</b><span class="num">${dollars(found.approved ? found.approvedMinor : found.askedMinor)}</span></div><div class="facts"><span class="tag ${found.approved ? (open ? 'good' : '') : 'no'}">${states[lang][state]}</span>${facts
    .filter(Boolean)
    .map((fact) => `<span>${fact}</span>`)
    .join(
      '',
    )}</div>${again ? `<details><summary class="small">${t.more}</summary>${forms}</details>` : forms}${parts.map((part) => transaction(company, part, lang)).join('')}</section>`
}

function transaction(company: Company, found: Transaction, lang: PageLang): string {
  const t = texts[lang]
  const rest = found.minor - found.backMinor
  const buttons: Act[] =
    found.kind === 'capture' && rest > 0n
      ? [{ what: 'refund', label: t.refund }]
      : found.kind === 'refund' && !found.backMinor
        ? [{ what: 'reverseRefund', label: t.reverseRefund }]
        : []
  const disputes = company.store.byLink('dispute', found.ref).map((one) => dispute(one, lang))
  return `<div class="sub"><div class="top"><span>${t[`${found.kind}Of`]} <span class="soft small">${when(found.at)} ${localText(found.local)}</span></span><span class="num">${found.kind === 'refund' ? '+' : '−'}${dollars(found.minor)}</span></div>${acts(lang, found.ref, buttons, found.kind === 'capture' ? rest : undefined)}${disputes.join('')}</div>`
}

function dispute(found: Dispute, lang: PageLang): string {
  const t = texts[lang]
  const buttons =
    found.status === 'submitted'
      ? [
          { what: 'won', label: t.won },
          { what: 'lost', label: t.lost },
        ]
      : []
  return `<div class="sub"><div class="top"><span>${t.dispute} <span class="tag">${disputeStates[lang][found.status]}</span></span><span class="num">${dollars(found.minor)}</span></div>${acts(lang, found.ref, buttons)}</div>`
}

function alone(company: Company, found: Transaction, lang: PageLang): string {
  return `<section class="item"><div class="top"><b>${escape(found.merchant.name)}</b></div><div class="facts"><span>${escape(found.merchant.city)} ${escape(found.merchant.country)}</span></div>${transaction(company, found, lang)}${company.store
    .ofCard('transaction', found.card)
    .filter((one) => one.of === found.ref)
    .map((one) => transaction(company, one, lang))
    .join('')}</section>`
}

function subscription(found: Subscription, lang: PageLang): string {
  const t = texts[lang]
  const running = found.state === 'running'
  return `<section class="item"><div class="top"><b>${escape(found.merchant.name)}</b><span class="num">${dollars(found.minor)}</span></div><div class="facts"><span class="tag ${running ? 'good' : ''}">${running ? `${t.running} ${when(found.due ?? 0)}` : t.stopped}</span></div>${acts(lang, found.ref, running ? [{ what: 'stop', label: t.stop }] : [])}</section>`
}
