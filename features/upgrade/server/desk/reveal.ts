import { crashPoint } from '#platform/server/crash.ts'
import { resolveConsolePort } from '#platform/server/config.ts'
import type { Ctx, Deps, Handler } from '#platform/server/feature.ts'
import { isOperatorProven } from '#platform/server/operator-proof.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { armTask, disarmTask, revealForTask } from '#features/cards/server/door.ts'
import { readDeskHours, lockTask, selectTask } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { upgradeDeskContract } from '../../contract.console.ts'
import { claimReveal, findUpgradeOrderByTask, unclaimReveal } from '../data.ts'
import type { UpgradeOrder } from '../data.ts'
import { UPGRADE } from '../service.ts'
import { revealMinutes } from '../settings.ts'

type C = typeof upgradeDeskContract

/**
 * Opens the issuer's frame with the card of a task (G6), for the operator who has taken it: once per authorization by payment password, within
 * the desk's hours, after step-up authentication, audited. It is claimed before the issuer is called, so a lost response counts as shown.
 */
export const upgradeReveal: Handler<C['upgradeReveal']> = async (ctx, { id, theme }) => {
  // API tokens cannot reveal cards
  if (ctx.operator?.by !== 'session') return fail('FORBIDDEN')
  if (!isOperatorProven(ctx)) return fail('OPERATOR_STEP_UP')
  const task = await selectTask(ctx.db, id)
  if (task?.service !== UPGRADE) return fail('SERVICE_TASK_UNKNOWN')
  const before = (await findUpgradeOrderByTask(ctx.db, id)) ?? fail('SERVICE_TASK_UNKNOWN')
  const { isOpen, opensAt } = await readDeskHours(ctx)
  if (!isOpen) fail('UPGRADE_CLOSED', { opens: opensAt.toISOString() })
  const seconds = await claim(ctx, task)
  crashPoint('upgrade.reveal-claimed')
  try {
    const { url, expiresAt, billingAddress } = await revealForTask(ctx, { taskId: id, origin: consoleOrigin(ctx.config), theme, seconds })
    return { url, expiresTime: expiresAt.toISOString(), billingAddress }
  } catch (error) {
    if (error instanceof Failure) await unclaim(ctx, before)
    throw error
  }
}

/** Claims the reveal and returns the frame's lifetime in seconds: until the operator's lease ends, at most fifteen minutes. */
async function claim(ctx: Ctx, { id }: Task): Promise<number> {
  const most = (await ctx.settings.get(revealMinutes)) * 60
  return transact(ctx.db, ctx.actor, async (tx) => {
    const task = (await lockTask(tx, id)) ?? fail('SERVICE_TASK_UNKNOWN')
    if (!task.waitsForPerson) fail('SERVICE_MOVED_ON')
    const left = task.takenBy === ctx.actor.id && task.takenUntil ? Math.floor((task.takenUntil.getTime() - task.now.getTime()) / 1000) : 0
    if (left < 1) fail('SERVICE_TAKEN', { until: task.takenUntil?.toISOString() ?? '' })
    if (!(await claimReveal(tx, id, ctx.actor.id))) fail('UPGRADE_SHOWN')
    await armTask(tx, id, ctx.clock.now())
    const seconds = Math.min(most, left)
    await tx.audit('upgrade.revealed', `service:${id}`, { seconds })
    return seconds
  })
}

async function unclaim(ctx: Ctx, before: UpgradeOrder): Promise<void> {
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (await unclaimReveal(tx, before)) await disarmTask(tx, before.taskId!)
    await tx.audit('upgrade.not_revealed', `service:${before.taskId}`)
  })
}

/** Origin of the operators' console, as sent to the issuer. */
function consoleOrigin(config: Deps['config']): string {
  const url = config['CONSOLE_URL']
  return new URL(typeof url === 'string' ? url : `http://localhost:${resolveConsolePort(config)}`).origin
}
