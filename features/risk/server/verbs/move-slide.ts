import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { riskContract } from '../../contract.ts'
import { openCaptcha } from '../captchas.ts'
import { uncountEvent, requireAllowed } from '../limits.ts'
import { failedMovesPerHour } from '../settings.ts'
import { toIpSubject } from '../subject.ts'

type MoveEndpoint = typeof riskContract.moveSlide

/** Makes one attempt at a puzzle. Misplaced pieces are counted per address, so that a program cannot guess the position. */
export async function moveSlide(ctx: Ctx, { id, x, trail }: InputOf<MoveEndpoint>): Promise<ReplyOf<MoveEndpoint>> {
  const subject = toIpSubject(ctx.ip)
  await requireAllowed(ctx.db, 'risk.failed-moves', { subject, limit: await ctx.settings.get(failedMovesPerHour), windowSeconds: 3600, now: ctx.clock.now() })
  const { proof, triesLeft } = await (await openCaptcha(ctx, 'slide')).put!(id, x, trail)
  if (proof === undefined) return { passed: false, triesLeft, param: '' }
  await uncountEvent(ctx.db, 'risk.failed-moves', subject)
  return { passed: true, triesLeft, param: `slide.${proof}` }
}
