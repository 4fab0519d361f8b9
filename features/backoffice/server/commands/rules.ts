import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { OperatorCommand, ApprovalWeight } from '#platform/server/operator-command.ts'
import { parseUsd, addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { findContact } from '#features/account/server/door.ts'
import { findInviter } from '#features/invitations/server/door.ts'
import { listActiveOwners, findOperator, listOthersWithPermission } from '../access/data.ts'
import { readAccountAgeDays, sumMovedToday, findNewestRules, hasWithdrawn } from './data-rules.ts'
import { APPROVAL_LEVELS, approvalRules } from '../../words.ts'
import type { ApprovalLevel, ApprovalRule } from '../../words.ts'
import { moneyPerDay, youngAccountDays } from '../settings.ts'

interface MoneyRequest {
  readonly command: Pick<OperatorCommand, 'name' | 'money'>
  readonly weight: ApprovalWeight
  readonly operatorId: string
}

/**
 * Minimum level of a command that moves money, regardless of the rule table: a second operator decides above the requester's daily sum,
 * counted over all such commands, and for the first withdrawal of a young account. Exact under concurrent requests, which are serialized
 * (`lockOperatorRequests`). Undefined if only the table decides.
 */
async function resolveMoneyFloor(deps: Pick<Deps, 'clock' | 'settings' | 'commands'>, sql: Sql, asked: MoneyRequest): Promise<ApprovalLevel | undefined> {
  const { command, weight, operatorId } = asked
  if (command.money !== 'counted') return undefined
  if (weight.amount === undefined) throw new Error(`the command ${command.name} moves money and does not say how much`)
  if (weight.amount === 0n) return undefined
  const now = deps.clock.now()
  const counted = [...(deps.commands?.values() ?? [])].filter(({ money }) => money === 'counted').map(({ name }) => name)
  const moved = addNano(await sumMovedToday(sql, operatorId, { names: counted, now }), weight.amount)
  if (moved > (await readDayLimit(deps, sql, operatorId))) return 'second'
  return (await isFirstPayoutOfNewAccount(deps, sql, { request: asked, now })) ? 'second' : undefined
}

/** The largest daily sum of the operator's roles; a role without one always needs a second operator. */
async function readDayLimit({ settings }: Pick<Deps, 'settings'>, sql: Sql, operatorId: string): Promise<Nano> {
  const limits = await settings.get(moneyPerDay)
  const roles = (await findOperator(sql, operatorId))?.roles ?? []
  return roles.map((role) => parseUsd(limits[role] ?? '0')).reduce((most, next) => (next > most ? next : most), 0n)
}

/** Commands that pay out a withdrawal. */
const PAYOUT_COMMANDS: readonly string[] = ['withdrawal.approve', 'withdrawal.release']

async function isFirstPayoutOfNewAccount(
  { settings }: Pick<Deps, 'settings'>,
  sql: Sql,
  { request: { command, weight }, now }: { readonly request: MoneyRequest; readonly now: Date },
): Promise<boolean> {
  const { userId } = weight
  if (!PAYOUT_COMMANDS.includes(command.name) || userId === undefined) return false
  return (await readAccountAgeDays(sql, userId, now)) < (await settings.get(youngAccountDays)) && !(await hasWithdrawn(sql, userId))
}

/**
 * Rules in force until an operator publishes a table. Rules for roles, rules and payment settings require a second operator only from two
 * owners on, because a single owner's commands could never be approved.
 */
export const DEFAULT_RULES: readonly ApprovalRule[] = approvalRules.parse([
  { command: 'conversation.*', level: 'free' },
  { command: 'complaint.*', level: 'free' },
  { command: 'customer.note', level: 'free' },
  { command: 'customer.pin-note', level: 'free' },
  { command: 'alarm.take', level: 'free' },
  { command: 'service.take', level: 'free' },
  { command: 'service.putBack', level: 'free' },
  { command: 'service.note', level: 'free' },
  { command: 'service.finish', level: 'free' },
  { command: 'service.return', level: 'second', when: { amountAbove: '50' } },
  { command: 'service.return', level: 'forbidden', when: { ownAccount: true } },
  { command: 'credit.grant', level: 'second', when: { amountAbove: '50' } },
  { command: 'credit.grant', level: 'second', when: { todayAbove: '200' } },
  { command: 'credit.grant', level: 'forbidden', when: { ownAccount: true } },
  { command: 'order.refund', level: 'second', when: { amountAbove: '100' } },
  { command: 'order.refund', level: 'second', when: { todayAbove: '500' } },
  { command: 'order.refund', level: 'forbidden', when: { ownAccount: true } },
  { command: 'order.approve', level: 'forbidden', when: { ownAccount: true } },
  { command: 'dispute.submit', level: 'forbidden', when: { ownAccount: true } },
  { command: 'withdrawal.*', level: 'forbidden', when: { ownAccount: true } },
  { command: 'invoice.*', level: 'forbidden', when: { ownAccount: true } },
  { command: 'withdrawal.approve', level: 'second', when: { amountAbove: '1000' } },
  { command: 'withdrawal.release', level: 'second', when: { amountAbove: '1000' } },
  { command: 'identity.*', level: 'forbidden', when: { ownAccount: true } },
  { command: 'reward.*', level: 'forbidden', when: { ownAccount: true } },
  { command: 'reward.rate', level: 'second' },
  { command: 'reward.rules', level: 'stepUp' },
  { command: 'reward.rules', level: 'second', when: { ownersAtLeast: 2 } },
  { command: 'calls.repair', level: 'stepUp' },
  { command: 'call.figure', level: 'second', when: { amountAbove: '50' } },
  { command: 'call.figure', level: 'forbidden', when: { ownAccount: true } },
  { command: 'upstream.set-key', level: 'stepUp' },
  // Our API key and our customers' prompts are sent to this upstream's address
  { command: 'upstream.change', level: 'stepUp' },
  { command: 'upstream.change', level: 'second', when: { othersAtLeast: 1 } },
  { command: 'fault.*', level: 'stepUp' },
  { command: '*', level: 'second', when: { rowsAbove: 20 } },
  { command: 'compensation.run', level: 'second' },
  { command: 'account.reset-factors', level: 'second' },
  { command: 'price.plan', level: 'second' },
  { command: 'price.terms', level: 'second' },
  { command: 'price.terms', level: 'forbidden', when: { ownAccount: true } },
  { command: 'price.terms-cancel', level: 'forbidden', when: { ownAccount: true } },
  { command: 'operator.*', level: 'stepUp' },
  // An urgent suspension does not wait for approval
  { command: 'operator.invite', level: 'second', when: { ownersAtLeast: 2 } },
  { command: 'operator.roles', level: 'second', when: { ownersAtLeast: 2 } },
  { command: 'operator.resume', level: 'second', when: { ownersAtLeast: 2 } },
  // All customers see an announcement and may follow its link
  { command: 'announcement.plan', level: 'stepUp' },
  { command: 'announcement.change', level: 'stepUp' },
  // Either command can silence all alarms at night
  { command: 'alarm.tell', level: 'stepUp' },
  { command: 'alarm.untell', level: 'stepUp' },
  { command: 'rules.change', level: 'stepUp' },
  { command: 'rules.change', level: 'second', when: { ownersAtLeast: 2 } },
  { command: 'setting.*', level: 'second', when: { subject: 'setting:payments.*', ownersAtLeast: 2 } },
])

/**
 * Commands by the day they were added. Their first rules also apply beside an older table, which would otherwise let one operator do what
 * needs two.
 */
const COMMANDS_BY_DAY: readonly (readonly [day: string, commands: readonly string[]])[] = [
  ['2026-11-27', ['customer.note', 'customer.pin-note', 'dispute.submit', 'reward.rate', 'upstream.set-key', 'withdrawal.release']],
  ['2026-11-29', ['upstream.change', 'calls.repair', 'call.figure']],
]

/** The table in force and its version; version 0 is the built-in table. */
export async function readCurrentRules(sql: Sql): Promise<{ version: number; rules: readonly ApprovalRule[] }> {
  const newest = await findNewestRules(sql)
  if (!newest) return { version: 0, rules: DEFAULT_RULES }
  const rules = approvalRules.parse(newest.rules)
  const later = COMMANDS_BY_DAY.flatMap(([day, commands]) => (newest.at < new Date(`${day}T00:00:00+08:00`) ? commands : []))
  const unknown = later.filter((name) => !rules.some(({ command }) => command === name))
  return { version: newest.version, rules: [...rules, ...DEFAULT_RULES.filter(({ command }) => unknown.includes(command))] }
}

export interface RuleRequest {
  readonly command: Pick<OperatorCommand, 'name' | 'money' | 'permission'>
  readonly subject: string
  readonly weight: ApprovalWeight
  readonly operatorId: string
  readonly via: 'session' | 'token' | 'breakGlass'
}

/** The strictest level of the matching rules, and the table's version. Defaults to `reason`. */
export async function resolveLevel(
  deps: Pick<Deps, 'clock' | 'settings' | 'commands'>,
  sql: Sql,
  asked: RuleRequest,
): Promise<{ level: ApprovalLevel; version: number }> {
  const { version, rules } = await readCurrentRules(sql)
  let level = await resolveMoneyFloor(deps, sql, asked)
  for (const rule of rules) {
    if ((level && APPROVAL_LEVELS.indexOf(rule.level) <= APPROVAL_LEVELS.indexOf(level)) || !matchesName(rule.command, asked.command.name)) continue
    if (await matchesRule(sql, rule, { request: asked, now: deps.clock.now() })) level = rule.level
  }
  return { level: level ?? 'reason', version }
}

const matchesName = (pattern: string, name: string) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern)

async function matchesRule(
  sql: Sql,
  { when }: ApprovalRule,
  { request: { command, subject, weight, operatorId, via }, now }: { readonly request: RuleRequest; readonly now: Date },
): Promise<boolean> {
  const { amount = 0n, userId, rows = 1 } = weight
  if (when.subject !== undefined && !matchesName(when.subject, subject)) return false
  if (when.via !== undefined && when.via !== via) return false
  if (when.amountAbove !== undefined && amount <= parseUsd(when.amountAbove)) return false
  if (when.todayAbove !== undefined && addNano(await sumMovedToday(sql, operatorId, { names: [command.name], now }), amount) <= parseUsd(when.todayAbove))
    return false
  if (when.ownAccount && !(userId && (await isOwnAccount(sql, operatorId, userId)))) return false
  if (when.rowsAbove !== undefined && rows <= when.rowsAbove) return false
  if (when.ownersAtLeast !== undefined && (await listActiveOwners(sql)).length < when.ownersAtLeast) return false
  if (when.othersAtLeast !== undefined && (await listOthersWithPermission(sql, command.permission, operatorId)).length < when.othersAtLeast) return false
  if (when.accountYoungerThanDays !== undefined && !(userId && (await readAccountAgeDays(sql, userId, now)) < when.accountYoungerThanDays)) return false
  return when.outsideHours === undefined || isOutsideHours(when.outsideHours, now)
}

/** Checks if the account is the operator's own, by proven mail, or one that it invited: a gift to those returns to the operator as a reward. */
async function isOwnAccount(sql: Sql, operatorId: string, userId: string): Promise<boolean> {
  const operator = await findOperator(sql, operatorId)
  if (!operator) return false
  for (const each of [userId, await findInviter(sql, userId)]) if (each && (await findContact(sql, each))?.email === operator.mail) return true
  return false
}

function isOutsideHours([from, to]: readonly [number, number], now: Date): boolean {
  const hour = (now.getUTCHours() + 8) % 24
  return from <= to ? hour < from || hour >= to : hour < from && hour >= to
}
