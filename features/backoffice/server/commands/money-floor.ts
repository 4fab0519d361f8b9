import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { OperatorCommand, Weight } from '#platform/server/operator-command.ts'
import { parseUsd, plus } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { findOperator } from '../access/data.ts'
import { moneyPerDay, youngAccountDays } from '../settings.ts'
import type { Level } from '../../words.ts'
import { accountAgeDays, hasWithdrawn, movedToday } from './data-rules.ts'

interface AskedMoney {
  readonly command: Pick<OperatorCommand, 'name' | 'money'>
  readonly weight: Weight
  readonly operatorId: string
}

/**
 * The least level of a command that moves money, whatever the rule table says: beyond its operator's sum of the day, over all such commands
 * together, and for the first withdrawal of a young account, a second person decides. Exact under parallel asks, which wait for each other
 * (`oneAskAtATime`). Undefined: the table alone decides.
 */
export async function floorOf(deps: Pick<Deps, 'clock' | 'settings' | 'commands'>, sql: Sql, asked: AskedMoney): Promise<Level | undefined> {
  const { command, weight, operatorId } = asked
  if (command.money !== 'counted') return undefined
  if (weight.amount === undefined) throw new Error(`the command ${command.name} moves money and does not say how much`)
  if (weight.amount === 0n) return undefined
  const now = deps.clock.now()
  const counted = [...(deps.commands?.values() ?? [])].filter(({ money }) => money === 'counted').map(({ name }) => name)
  const moved = plus(await movedToday(sql, operatorId, counted, now), weight.amount)
  if (moved > (await dayLimitOf(deps, sql, operatorId))) return 'second'
  return (await isFirstOfYoung(deps, sql, asked, now)) ? 'second' : undefined
}

/** The largest sum of the operator's roles; a role without one moves nothing alone. */
async function dayLimitOf({ settings }: Pick<Deps, 'settings'>, sql: Sql, operatorId: string): Promise<Nano> {
  const limits = await settings.get(moneyPerDay)
  const roles = (await findOperator(sql, operatorId))?.roles ?? []
  return roles.map((role) => parseUsd(limits[role] ?? '0')).reduce((most, next) => (next > most ? next : most), 0n)
}

/** Commands that let a withdrawal leave. */
const LETS_LEAVE: readonly string[] = ['withdrawal.approve', 'withdrawal.release']

async function isFirstOfYoung({ settings }: Pick<Deps, 'settings'>, sql: Sql, { command, weight }: AskedMoney, now: Date): Promise<boolean> {
  const { userId } = weight
  if (!LETS_LEAVE.includes(command.name) || userId === undefined) return false
  return (await accountAgeDays(sql, userId, now)) < (await settings.get(youngAccountDays)) && !(await hasWithdrawn(sql, userId))
}
