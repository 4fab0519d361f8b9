import type { Handler } from '#platform/server/feature.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { countEventWithin, toIpSubject, requireAllowed } from '#features/risk/server/door.ts'
import type { siteContract } from '../../contract.ts'
import { countHelpAnswer } from '../data.ts'

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3600
const VOTES_PER_HOUR = 60

/**
 * Counts an answer once a day per address and article; a repetition succeeds and changes nothing. The address is stored only in the
 * limiter, as a hash that expires with its window.
 */
export const voteHelp: Handler<typeof siteContract.helpVote> = async (ctx, { article, answer }) => {
  const reader = toIpSubject(ctx.ip)
  await requireAllowed(ctx.db, 'site.help-vote', { subject: reader, limit: VOTES_PER_HOUR, windowSeconds: HOUR_SECONDS, now: ctx.clock.now() })
  const question = answer === 'yes' || answer === 'no' ? 'helped' : 'why'
  const first = await countEventWithin(ctx.db, `site.help-vote.${question}`, {
    subject: `${reader} ${article}`,
    limit: 1,
    windowSeconds: DAY_SECONDS,
    now: ctx.clock.now(),
  })
  if (first.allowed) await countHelpAnswer(ctx.db, toShanghaiDay(ctx.clock.now()), { article, language: ctx.lang, answer })
  return {}
}
