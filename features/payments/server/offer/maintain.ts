import type { Deps, Handler } from '#platform/server/feature.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { paymentsContract } from '../../contract.ts'
import { readRechargePause } from './quote.ts'
import { maintenance } from '../settings.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

/** Returns the maintenance notice and whether it is active now. Its window may be open at either end. */
export async function readMaintenance(deps: Deps, lang: Lang) {
  const { isMaintain, startTime, endTime, message, closed } = await deps.settings.get(maintenance)
  const now = deps.clock.now().getTime()
  const within = !(startTime && Date.parse(startTime) > now) && !(endTime && Date.parse(endTime) <= now)
  return { isMaintain: isMaintain && within, startTime, endTime, message: message[lang], closed: isMaintain && within ? closed : [] }
}

/** True while maintenance closes this part of the product. */
export async function isPartClosed(deps: Deps, what: 'openCard' | 'withdraw' | 'revealCard' | 'recharge'): Promise<boolean> {
  return (await readMaintenance(deps, DEFAULT_LANG)).closed.includes(what)
}

export const maintain: Handler<typeof paymentsContract.maintain> = async (ctx) => ({
  ...(await readMaintenance(ctx, ctx.lang)),
  rechargePause: await readRechargePause(ctx),
})
