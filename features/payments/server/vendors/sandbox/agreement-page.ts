import { findMethodLabel } from '../pay-method.ts'
import type { ChannelTools, RawReply, RawRequest } from '../port.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { tellAgreement } from './agreement-desk.ts'
import { agreementTexts } from './agreement-texts.ts'
import { escape, page } from './cashier.ts'
import { cashierTexts } from './cashier-texts.ts'
import { agreementByToken, moveAgreement } from './data-agreements.ts'
import type { Agreement } from './data-agreements.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'
import { DEFAULT_LANG, pickText } from '#platform/shared/languages.ts'

const LABEL_TEXT = { 1: 'label1', 5: 'label5' } as const

const OPEN = ['agree', 'agreeTwice', 'agreeSilently', 'refuse'] as const
const ACTIVE = ['end', 'endSilently'] as const
type Press = (typeof OPEN)[number] | (typeof ACTIVE)[number]
const PRESSES: readonly string[] = [...OPEN, ...ACTIVE]

/** Sandbox page to play the payer: agree, refuse, and later end the agreement at the channel. */
export async function showAgreement(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const row = await agreementByToken(tools.query, request.params['token'] ?? '')
  if (!row) return page(DEFAULT_LANG, `<h1>${pickText(agreementTexts, DEFAULT_LANG).unknown}</h1>`, 404)
  return page(row.lang, body(tools, row))
}

export async function pressAgreement(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const action = new URLSearchParams(request.body.toString('utf8')).get('action') ?? ''
  const row = await agreementByToken(tools.query, request.params['token'] ?? '')
  if (!row || !PRESSES.includes(action)) return showAgreement(tools, request)
  await carryOut(tools, row, action as Press)
  const goesBack = row.state === 'open'
  return { status: 303, type: 'text/plain', body: '', headers: { location: goesBack ? row.returnUrl : `/sandbox/agree/${row.token}` } }
}

async function carryOut(tools: ChannelTools, row: Agreement, action: Press): Promise<void> {
  const over = row.expiresAt <= tools.now()
  const to = action === 'refuse' ? 'refused' : action.startsWith('agree') ? 'active' : 'ended'
  const from = to === 'ended' ? 'active' : 'open'
  if (from === 'open' && over) return
  const label = to === 'active' ? pickText(agreementTexts, row.lang)[resolveTextKey(LABEL_TEXT, String(row.method))] : null
  if (!(await moveAgreement(tools.query, row.token, from, to, label)) || action.endsWith('Silently')) return
  await tellAgreement(tools, row, to === 'active' ? 'agreement.signed' : 'agreement.ended', action === 'agreeTwice' ? 2 : 1)
}

function body(tools: ChannelTools, row: Agreement): string {
  const t = pickText(agreementTexts, row.lang)
  const line = (name: string, value: string) => `<div class="row"><dt>${name}</dt><dd>${escape(value)}</dd></div>`
  const facts = `<dl>${line(t.method, findMethodLabel(row.method, row.lang))}${line(t.number, row.agreementNo)}${line(t.until, toShanghaiTime(row.expiresAt))}</dl>`
  const over = row.state === 'open' && row.expiresAt <= tools.now()
  const shown: readonly Press[] = row.state === 'active' ? ACTIVE : row.state === 'open' && !over ? OPEN : []
  const button = (name: Press) =>
    `<button name="action" value="${name}"${name === 'agree' ? ' class="main"' : ''}>${t[name]}<small>${t[`${name}About`]}</small></button>`
  const state = over ? t.expired : row.state === 'open' ? t.about : t[`state_${row.state}`]
  return `<p class="tag">${pickText(cashierTexts, row.lang).sandbox}</p><h1>${t.title}</h1><p>${state}</p>${facts}<form method="post" action="/sandbox/agree/${row.token}">${shown.map(button).join('')}</form><p class="back"><a href="${escape(row.returnUrl)}" target="_top">${pickText(cashierTexts, row.lang).back}</a></p>`
}
