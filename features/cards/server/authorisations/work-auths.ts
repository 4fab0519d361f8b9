import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { computeBackoffSeconds } from '../backoff.ts'
import { findIssuer } from '../vendors/index.ts'
import { convergeAuthorization } from './converge.ts'
import { scheduleAuth, takeDueAuths } from './data.ts'

const BATCH = 50

/** Job: queries authorisations without news for a while. */
export async function workAuths(deps: Deps): Promise<void> {
  for (const { id, issuer: name, ref, checks } of await takeDueAuths(deps.db, BATCH)) {
    const issuer = findIssuer(deps, name)
    if (!issuer) {
      countEvent('cards.issuer_gone')
      continue
    }
    await convergeAuthorization(deps, issuer, ref).catch(async (error: unknown) => {
      deps.log.warn({ err: error, ref }, 'an authorisation could not be looked at')
      await scheduleAuth(deps.db, id, computeBackoffSeconds(checks))
    })
  }
}
