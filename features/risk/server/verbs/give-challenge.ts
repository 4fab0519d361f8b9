import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { riskContract } from '../../contract.ts'
import { chosenCaptcha, openCaptcha, WAYS } from '../captchas.ts'
import { requireAllowed } from '../limits.ts'
import { challengesPerMinute } from '../settings.ts'
import { ipSubject } from '../subject.ts'

type Give = typeof riskContract.captchaChallenge

/** A challenge of the scene's captcha, or of the way around it that was asked for. Limited per address: each costs us work. */
export async function giveChallenge(ctx: Ctx, { scene, kind }: InputOf<Give>): Promise<ReplyOf<Give>> {
  const chosen = await chosenCaptcha(ctx, scene)
  if (chosen === 'off') return { challenge: { kind: 'off' }, ways: [] }
  await requireAllowed(ctx.db, 'risk.challenges', ipSubject(ctx.ip), await ctx.settings.get(challengesPerMinute), 60, ctx.clock.now())
  const asked = kind ?? chosen
  const captcha = await openCaptcha(ctx, asked)
  return { challenge: await captcha.challenge(scene, asked === chosen ? 'own' : 'way'), ways: WAYS.filter((way) => way !== asked) }
}
