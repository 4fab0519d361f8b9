import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { findCarrier, listCarriers, findSmsRegion } from '../carriers.ts'
import type { Carrier } from '../carriers.ts'
import { claimNotice, endNotice, isWaiting, releaseNotice, clearAttempt, holdSms, markAttempt, selectUncertainCarrier } from '../data.ts'
import type { WaitingNotice } from '../data.ts'
import type { RenderedSms } from '../render.ts'
import { unsealNotice } from '../seal.ts'
import type { ReadySms } from '../vendors/port.ts'

const LEASE_MS = 30_000
/** Delay in milliseconds before a carrier is asked about an attempt with an unknown result. */
const HOLD_MS = 10_000

/**
 * Makes one attempt. Carriers do not deduplicate, so an attempt with an unknown result (a killed process,
 * a lost response) is only repeated after its carrier confirmed that it does not have the message. The
 * message arrives at most once, and not at all if the carrier cannot confirm before the code expires.
 */
export async function deliverSms(deps: Deps, smsId: string): Promise<void> {
  const now = deps.clock.now()
  const waiting = await claimNotice(deps.db, 'sms', { id: smsId, now, until: new Date(now.getTime() + LEASE_MS) })
  if (!waiting) {
    if (await isWaiting(deps.db, 'sms', smsId)) throw new Error('the message is being sent by another run')
    return
  }
  const asked = await selectUncertainCarrier(deps.db, smsId)
  if (waiting.goodUntil <= now) {
    countEvent('sms_expired')
    return endNotice(deps.db, 'sms', { id: smsId, state: 'expired', vendor: asked, now })
  }
  const sms = toReadySms(deps, waiting)
  if (asked && (await resolvePriorAttempt(deps, sms, asked))) return
  const carriers = await listCarriers(deps, sms.region)
  if (!carriers.length) {
    await releaseNotice(deps.db, 'sms', { id: smsId, problem: 'no carrier serves this region' })
    throw new Error('no carrier serves this region')
  }
  await attemptSms(deps, sms, carriers[(waiting.attempts - 1) % carriers.length]!)
}

/** Looks up an attempt with an unknown result; true if the carrier took the message. Throws while the carrier cannot tell. */
async function resolvePriorAttempt(deps: Deps, sms: ReadySms, vendor: string): Promise<boolean> {
  const found = await findCarrier(deps, vendor)
    ?.find(sms)
    .catch((error: unknown) => void deps.log.warn({ vendor, why: asSupplierError(error).message }, 'a carrier could not be asked about a message'))
  if (found === 'taken') {
    await endNotice(deps.db, 'sms', { id: sms.id, state: 'sent', vendor, now: deps.clock.now() })
    return true
  }
  if (found === 'absent') return false
  await holdSms(deps.db, sms.id, { until: new Date(deps.clock.now().getTime() + HOLD_MS), problem: `${vendor}: cannot say whether it has the message` })
  countEvent('sms_unknown')
  throw new Error(`${vendor} cannot say whether it has the message`)
}

async function attemptSms(deps: Deps, sms: ReadySms, carrier: Carrier): Promise<void> {
  await markAttempt(deps.db, sms.id, carrier.id)
  const failed = await carrier.send(sms).then(() => undefined, asSupplierError)
  crashPoint('notices.sms-taken')
  const now = deps.clock.now()
  if (!failed) return endNotice(deps.db, 'sms', { id: sms.id, state: 'sent', vendor: carrier.id, now })
  const { kind, message, ours } = failed
  const reason = `${carrier.id}: ${message}`
  if (kind === 'rejected') {
    countEvent('sms_refused')
    return endNotice(deps.db, 'sms', { id: sms.id, state: 'refused', vendor: carrier.id, now, problem: reason })
  }
  if (kind === 'unknown') {
    countEvent('sms_unknown')
    await holdSms(deps.db, sms.id, { until: new Date(now.getTime() + HOLD_MS), problem: reason })
  } else {
    countEvent(ours ? 'sms_carrier_misconfigured' : 'sms_attempt_failed')
    if (ours) deps.log.error({ reason }, 'the carrier refuses our account: see docs/vendors')
    await clearAttempt(deps.db, sms.id)
    await releaseNotice(deps.db, 'sms', { id: sms.id, problem: reason })
  }
  throw new Error(reason)
}

function toReadySms(deps: Deps, { id, recipient, content, createdAt, attempts }: WaitingNotice): ReadySms {
  const { text, code, alarm } = JSON.parse(unsealNotice(deps.secretKeys, id, content)) as RenderedSms
  return { id, to: recipient, region: findSmsRegion(recipient)!, text, code, ...(alarm ? { alarm } : {}), orderedAt: createdAt, attempt: attempts }
}
