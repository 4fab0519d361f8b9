import { isIPv4 } from 'node:net'
import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { toIpSubject } from '#features/risk/server/door.ts'
import type { HistoryEntry, historyContract, HistoryEvent, HistoryGroup } from '../../contract-history.ts'
import { selectContactsSince, listHistory, type HistoryRow } from './data.ts'
import { pseudonymizeTarget } from '../sessions/tokens.ts'

type Group = Exclude<HistoryGroup, 'all'>

/** Audit actions that name the user, and what the history calls them. Others of the account are its owner's housekeeping. */
const EVENTS_ON_USER: Readonly<Record<string, readonly [HistoryEvent, Group]>> = {
  'account.registered': ['registered', 'signIn'],
  'account.login': ['login', 'signIn'],
  'account.login-failed': ['loginFailed', 'signIn'],
  'account.logout': ['logout', 'signIn'],
  'account.session-ended': ['sessionEnded', 'signIn'],
  'account.sessions-ended': ['sessionsEnded', 'signIn'],
  'account.step-up': ['stepUp', 'signIn'],
  'account.password-set': ['passwordSet', 'security'],
  'account.password-changed': ['passwordChanged', 'security'],
  'account.email-verified': ['emailVerified', 'security'],
  'account.email-changed': ['emailChanged', 'security'],
  'account.mobile-changed': ['mobileChanged', 'security'],
  'account.google-linked': ['googleLinked', 'security'],
  'account.secrets-dropped': ['secretsDropped', 'security'],
  'account.pay-password-set': ['payPasswordSet', 'security'],
  'account.pay-password-changed': ['payPasswordChanged', 'security'],
  'account.pay-password-reset': ['payPasswordReset', 'security'],
  'account.pay-password-wrong': ['payPasswordWrong', 'security'],
  'account.pay-password-locked': ['payPasswordLocked', 'security'],
  'account.authenticator-added': ['authenticatorAdded', 'security'],
  'account.authenticator-removed': ['authenticatorRemoved', 'security'],
  'account.passkey-added': ['passkeyAdded', 'security'],
  'account.passkey-removed': ['passkeyRemoved', 'security'],
  'account.recovery-renewed': ['recoveryRenewed', 'security'],
  'account.factors-reset': ['factorsReset', 'security'],
  'account.pay-tries-reset': ['payTriesReset', 'security'],
  'account.viewed': ['viewed', 'access'],
  'account.frozen': ['frozen', 'security'],
  'account.thawed': ['thawed', 'security'],
  'account.payouts-frozen': ['payoutsFrozen', 'security'],
  'account.payouts-thawed': ['payoutsThawed', 'security'],
  'account.calls-frozen': ['callsFrozen', 'security'],
  'account.calls-thawed': ['callsThawed', 'security'],
  'account.login-unlocked': ['loginUnlocked', 'security'],
  'account.exported': ['exported', 'access'],
  'alerts.changed': ['alertsChanged', 'access'],
}

/** Actions that name a thing of the user's, found by who did them. */
const EVENTS_BY_USER: Readonly<Record<string, readonly [HistoryEvent, Group]>> = {
  'key.created': ['keyCreated', 'access'],
  'key.renamed': ['keyRenamed', 'access'],
  'key.limited': ['keyLimited', 'access'],
  'key.rotated': ['keyRotated', 'access'],
  'key.disabled': ['keyDisabled', 'access'],
  'key.enabled': ['keyEnabled', 'access'],
  'key.deleted': ['keyDeleted', 'access'],
}

const filterActions = (events: typeof EVENTS_ON_USER, group: HistoryGroup) =>
  Object.keys(events).filter((action) => group === 'all' || events[action]![1] === group)

/** The audit actions of a group: those that name the user, those found by who did them. */
export function listHistoryActions(group: HistoryGroup): { readonly ofUser: readonly string[]; readonly byUser: readonly string[] } {
  return { ofUser: filterActions(EVENTS_ON_USER, group), byUser: filterActions(EVENTS_BY_USER, group) }
}

function toHistoryEvent(action: string): HistoryEvent {
  return (EVENTS_ON_USER[action] ?? EVENTS_BY_USER[action])![0]
}

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
