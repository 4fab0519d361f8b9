import type { Ctx, Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { fail } from '#platform/shared/errors.ts'
import { hashMark } from '../marks/marks.ts'
import { selectActiveBlocks, addBlockDigests } from './data.ts'
import { createNetworkMatcher } from './network.ts'

interface BlockSnapshot {
  readonly readAt: number
  readonly isIn: (ip: string) => boolean
  readonly domains: ReadonlySet<string>
  readonly digests: ReadonlySet<string>
}
/** Lifetime of the process's cache in milliseconds: a flood of sign-ins costs one statement. */
const FRESH_MS = 2_000
const snapshots = new WeakMap<Deps['db'], Promise<BlockSnapshot>>()

async function loadSnapshot({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<BlockSnapshot> {
  const now = clock.now()
  const rows = await selectActiveBlocks(db, now)
  const values = (kind: string) => rows.filter((row) => row.kind === kind).map(({ value }) => value)
  return {
    ...{ readAt: now.getTime(), isIn: createNetworkMatcher(values('network')), domains: new Set(values('mailDomain')) },
    digests: new Set(rows.filter(({ kind }) => kind === 'device').flatMap(({ digests }) => digests.map((digest) => digest.toString('hex')))),
  }
}

async function getBlockSnapshot(deps: Pick<Deps, 'db' | 'clock'>): Promise<BlockSnapshot> {
  const kept = await snapshots.get(deps.db)?.catch(() => undefined)
  if (kept && Math.abs(deps.clock.now().getTime() - kept.readAt) <= FRESH_MS) return kept
  const fresh = loadSnapshot(deps)
  snapshots.set(deps.db, fresh)
  return fresh
}

/** A domain and all its parents, because a block of spam.example covers mail.spam.example. */
function listParentDomains(email: string): string[] {
  const labels = email.toLowerCase().split('@').at(-1)!.split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}

/**
 * Refuses blocked callers at sign-up and sign-in before any other check: by network, by device, and by the mail domain of a new account.
 * Throws FORBIDDEN; only our log has the matching block. Call it outside a transaction.
 */
export async function requireUnblocked(ctx: Pick<Ctx, 'db' | 'clock' | 'ip' | 'device' | 'secretKeys' | 'log'>, newMail?: string): Promise<void> {
  const blocks = await getBlockSnapshot(ctx)
  const device = ctx.device ? hashMark(ctx, 'device', ctx.device).hashes : []
  const met = blocks.isIn(ctx.ip)
    ? 'network'
    : device.some(({ digest }) => blocks.digests.has(digest.toString('hex')))
      ? 'device'
      : newMail !== undefined && listParentDomains(newMail).some((domain) => blocks.domains.has(domain))
        ? 'mailDomain'
        : undefined
  if (met === undefined) return
  const fresh = device.filter(({ digest }) => !blocks.digests.has(digest.toString('hex')))
  if (met === 'device' && fresh.length)
    await addBlockDigests(
      ctx.db,
      'device',
      device.map(({ digest }) => digest),
    )
  countEvent('risk_blocked')
  ctx.log.info({ met, ip: ctx.ip }, 'a sign-up or sign-in was blocked')
  fail('FORBIDDEN')
}
