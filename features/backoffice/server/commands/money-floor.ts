import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { OperatorCommand, ApprovalWeight } from '#platform/server/operator-command.ts'
import { parseUsd, addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { findOperator } from '../access/data.ts'
import { moneyPerDay, youngAccountDays } from '../settings.ts'
import type { ApprovalLevel } from '../../words.ts'
import { readAccountAgeDays, hasWithdrawn, sumMovedToday } from './data-rules.ts'

interface MoneyRequest {
  readonly command: Pick<OperatorCommand, 'name' | 'money'>
  readonly weight: ApprovalWeight
  readonly operatorId: string
}

/**
 * The least level of a command that moves money, whatever the rule table says: beyond its operator's sum of the day, over all such commands
 * together, and for the first withdrawal of a young account, a second person decides. Exact under parallel asks, which wait for each other
 * (`lockOperatorRequests`). Undefined: the table alone decides.
 */
export async function resolveMoneyFloor(
  deps: Pick<Deps, 'clock' | 'settings' | 'commands'>,
  sql: Sql,
  asked: MoneyRequest,
): Promise<ApprovalLevel | undefined> {
  const { command, weight, operatorId } = asked
  if (command.money !== 'counted') return undefined
  if (weight.amount === undefined) throw new Error(`the command ${command.name} moves money and does not say how much`)
  if (weight.amount === 0n) return undefined
  const now = deps.clock.now()
  const counted = [...(deps.commands?.values() ?? [])].filter(({ money }) => money === 'counted').map(({ name }) => name)
  const moved = addNano(await sumMovedToday(sql, operatorId, counted, now), weight.amount)
  if (moved > (await readDayLimit(deps, sql, operatorId))) return 'second'
  return (await isFirstPayoutOfNewAccount(deps, sql, asked, now)) ? 'second' : undefined
}

/** The largest sum of the operator's roles; a role without one moves nothing alone. */
async function readDayLimit({ settings }: Pick<Deps, 'settings'>, sql: Sql, operatorId: string): Promise<Nano> {
  const limits = await settings.get(moneyPerDay)
  const roles = (await findOperator(sql, operatorId))?.roles ?? []
  return roles.map((role) => parseUsd(limits[role] ?? '0')).reduce((most, next) => (next > most ? next : most), 0n)
}

/** Commands that let a withdrawal leave. */
const PAYOUT_COMMANDS: readonly string[] = ['withdrawal.approve', 'withdrawal.release']

async function isFirstPayoutOfNewAccount({ settings }: Pick<Deps, 'settings'>, sql: Sql, { command, weight }: MoneyRequest, now: Date): Promise<boolean> {
  const { userId } = weight
  if (!PAYOUT_COMMANDS.includes(command.name) || userId === undefined) return false
  return (await readAccountAgeDays(sql, userId, now)) < (await settings.get(youngAccountDays)) && !(await hasWithdrawn(sql, userId))
}
