import type { Ctx, Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { actionIsOn } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { flexContract } from '../contract.ts'
import type { FlexService } from '../packages.ts'
import { DESK_SUPPLIER, requireFlexPackage } from './service.ts'
import { hostDigits } from './settings.ts'
import { requireTaskOnPlatform } from './read.ts'
import { findSeatSupplier } from './vendors/index.ts'

type C = typeof flexContract
type EnterInput = InputOf<C['shareUrl']>
type EnterReply = ReplyOf<C['shareUrl']>

export const shareUrl: Handler<C['shareUrl']> = (ctx, asked) => enterPackage(ctx, asked, false)
export const shareTrialUrl: Handler<C['shareTrialUrl']> = (ctx, asked) => enterPackage(ctx, asked, true)

/** Requests a new URL for each entry and never stores it, because it grants access to the seat. */
async function enterPackage(ctx: Ctx, { platform, service: wished }: EnterInput, trial: boolean): Promise<EnterReply> {
  const task = await requireTaskOnPlatform(ctx, platform)
  const used = requireFlexPackage(task)
  if (used.trial !== trial) fail('FLEX_NOT_IN_USE')
  const fitting = used.services.filter((service) => platform === 3 || platformOfService(service) === platform)
  const service = wished ?? fitting[0]!
  if (!fitting.includes(service)) fail('FLEX_NOT_IN_USE')
  if (!(await actionIsOn(ctx, service === 'claude' ? 'enableClaude' : 'enableChatGPT', ctx.userId))) fail('SERVICE_PAUSED', { reason: '' })
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('flex.entered', `service:${task.id}`, { service }))
  const { url, secret, expiresAt } = await resolveEntry(ctx, task, service)
  return { shareUrl: url, chatSecret: secret, service, hostDigits: await ctx.settings.get(hostDigits), expiresTime: expiresAt.toISOString() }
}

const platformOfService = (service: FlexService): 1 | 2 | 6 => (service === 'claude' ? 2 : service === 'sora' ? 6 : 1)

async function resolveEntry(ctx: Ctx, task: Task, service: FlexService) {
  if (task.supplier === DESK_SUPPLIER) return { url: String(task.facts['shareUrl'] ?? ''), secret: '', expiresAt: task.expiresAt! }
  const ref = (task.facts['members'] as Record<string, string> | undefined)?.[platformOfService(service)]
  const supplier = findSeatSupplier(ctx, task.supplier)
  if (!supplier || ref === undefined) return fail('FLEX_SUPPLIER_AWAY')
  try {
    return await supplier.enter({ ref, service, lang: ctx.lang })
  } catch (error) {
    ctx.log.warn({ taskId: task.id, why: (error as Error).message }, 'a supplier gave no entry address')
    return fail('FLEX_SUPPLIER_AWAY')
  }
}
