import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { backoffSeconds } from '../backoff.ts'
import { issuerNamed } from '../issuers.ts'
import { converge } from './converge.ts'
import { scheduleAuth, takeDueAuths } from './data.ts'

const BATCH = 50

/** Job: queries authorisations without news for a while. */
export async function workAuths(deps: Deps): Promise<void> {
  for (const { id, issuer: name, ref, checks } of await takeDueAuths(deps.db, BATCH)) {
    const issuer = issuerNamed(deps, name)
    if (!issuer) {
      countEvent('cards.issuer_gone')
      continue
    }
    await converge(deps, issuer, ref).catch(async (error: unknown) => {
      deps.log.warn({ err: error, ref }, 'an authorisation could not be looked at')
      await scheduleAuth(deps.db, id, backoffSeconds(checks))
    })
  }
}
