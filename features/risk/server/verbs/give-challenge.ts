import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { riskContract } from '../../contract.ts'
import { resolveCaptcha, openCaptcha, CAPTCHA_WAYS } from '../captchas.ts'
import { requireAllowed } from '../limits.ts'
import { challengesPerMinute } from '../settings.ts'
import { toIpSubject } from '../subject.ts'

type ChallengeEndpoint = typeof riskContract.captchaChallenge

/** Creates a challenge of the scene's captcha, or of the requested alternative. Limited per address, because each costs CPU time. */
export async function createCaptchaChallenge(ctx: Ctx, { scene, kind }: InputOf<ChallengeEndpoint>): Promise<ReplyOf<ChallengeEndpoint>> {
  const chosen = await resolveCaptcha(ctx, scene)
  if (chosen === 'off') return { challenge: { kind: 'off' }, ways: [] }
  await requireAllowed(ctx.db, 'risk.challenges', {
    subject: toIpSubject(ctx.ip),
    limit: await ctx.settings.get(challengesPerMinute),
    windowSeconds: 60,
    now: ctx.clock.now(),
  })
  const asked = kind ?? chosen
  const captcha = await openCaptcha(ctx, asked)
  return { challenge: await captcha.challenge(scene, asked === chosen ? 'own' : 'way'), ways: CAPTCHA_WAYS.filter((way) => way !== asked) }
}
