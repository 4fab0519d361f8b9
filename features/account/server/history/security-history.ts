import { isIPv4 } from 'node:net'
import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { toIpSubject } from '#features/risk/server/door.ts'
import type { HistoryEntry, historyContract } from '../../contract-history.ts'
import { selectContactsSince, listHistory } from './data.ts'
import type { HistoryRow } from './data.ts'
import { listHistoryActions, toHistoryEvent } from './history-events.ts'
import { pseudonymizeTarget } from '../sessions/tokens.ts'

type C = (typeof historyContract)['securityHistory']
const NEWEST = 9_223_372_036_854_775_807n
const SIGN_IN_METHODS = ['password', 'code', 'google', 'register', 'totp', 'passkey', 'recovery'] as const

/** The user's own security history, made of audit rows. Failed sign-ins are found by the names of the user's contacts, under each key. */
export async function securityHistory(ctx: Ctx, { group, after, pageSize }: InputOf<C>): Promise<ReplyOf<C>> {
  const actions = listHistoryActions(group)
  const contacts = actions.ofUser.includes('account.login-failed') ? await selectContactsSince(ctx.db, ctx.userId) : []
  const rows = await listHistory(ctx.db, {
    userId: ctx.userId,
    ...actions,
    contacts: contacts.flatMap(({ since, ...contact }) => ctx.secretKeys.map((key) => ({ target: pseudonymizeTarget(key, contact), since }))),
    before: after === undefined ? NEWEST : BigInt(after),
    limit: pageSize + 1,
  })
  const shown = rows.slice(0, pageSize)
  return { rowList: shown.map((row) => toHistoryEntry(row, ctx.userId)), next: rows.length > pageSize ? String(shown.at(-1)!.id) : null }
}

function toHistoryEntry({ id, at, action, data, actorKind, actorId }: HistoryRow, userId: string): HistoryEntry {
  const text = (name: string) => (typeof data[name] === 'string' && data[name] !== '' ? data[name] : null)
  const ip = text('ip')
  return {
    id: String(id),
    at: at.toISOString(),
    event: toHistoryEvent(action),
    way: SIGN_IN_METHODS.find((way) => way === data['by']) ?? null,
    detail: describeDetail(action, data),
    userAgent: text('userAgent'),
    network: ip && maskNetwork(ip),
    byUser: actorKind === 'anonymous' || (actorKind === 'user' && actorId === userId),
  }
}

function describeDetail(action: string, data: HistoryRow['data']): string | null {
  if (action === 'alerts.changed') return typeof data['webhookHost'] === 'string' ? data['webhookHost'] : ''
  const value = action === 'key.renamed' ? data['to'] : action === 'account.sessions-ended' ? data['ended'] : data['keyName']
  return value === undefined || value === null ? null : String(value)
}

/** 203.0.113.* or 2001:db8:1:*: which network it was, not whose machine. */
function maskNetwork(ip: string): string {
  const subject = toIpSubject(ip)
  return isIPv4(subject) ? subject.replace(/\d+$/, '*') : `${subject.split(':').slice(0, 3).join(':')}:*`
}
