import type { Deps } from '#platform/server/feature.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { ALARMS } from '../../alarms.ts'
import type { AlarmSeverity } from '../../alarms.ts'
import * as facts from './data-conditions.ts'

export interface AlarmCondition {
  readonly name: string
  readonly key?: string
  readonly detail: string
  /** Overrides the severity in the catalogue. */
  readonly severity?: AlarmSeverity
}
/** Age at which an undelivered event counts as stuck; events are normally delivered within seconds. */
const STUCK_MS = 5 * 60_000
const MAX_CONNECTION_SHARE = 0.85
/** Raises the alarm about a lost node for one day only, because a redeployed node gets a new name. */
const LOST_MS = 86_400_000
const DAY_MS = 86_400_000

/** Alarm conditions that hold now, read from the database. */
export async function listSystemConditions({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<AlarmCondition[]> {
  const now = clock.now().getTime()
  const [database, nodes, news, dead, books, failed, late] = await Promise.all([
    ...([
      facts.readDatabaseFacts(db),
      facts.listGatewayHeartbeats(db),
      facts.readOutboxBacklog(db),
      facts.countDeadLetters(db),
      facts.readBookAlarms(db),
    ] as const),
    ...([facts.listFailedJobs(db, new Date(now - DAY_MS)), facts.sumLateCorrections(db, new Date(now - DAY_MS))] as const),
  ])
  const isStuck = news.oldest !== null && now - news.oldest.getTime() > STUCK_MS
  return [
    ...(books?.alarms ?? []).map((alarm) => {
      const [name = '', ...rest] = alarm.split(' ')
      return { name, key: rest.join(' '), detail: `${books!.day} ${rest.join(' ')}`.trim() }
    }),
    ...(dead ? [{ name: 'gateway.dead_letters', detail: String(dead) }] : []),
    // Total of a day's corrections in dollars: charged later, refunded
    ...(late.corrected ? [{ name: 'gateway.late_figure', detail: `${late.corrected}, +${formatUsd(late.charged)} −${formatUsd(late.givenBack)}` }] : []),
    ...(late.provisional ? [{ name: 'gateway.provisional', detail: `${late.provisional}, ${formatUsd(late.held)}` }] : []),
    ...(isStuck ? [{ name: 'outbox.stuck', detail: `${news.n}, ${news.oldest!.toISOString()}` }] : []),
    ...nodes
      .filter(({ alive, beatAt }) => !alive && now - beatAt.getTime() < LOST_MS)
      .map(({ node, beatAt }) => ({ name: 'gateway.node_dead', key: node, detail: `${node}, ${beatAt.toISOString()}` })),
    ...(database.connections > database.most * MAX_CONNECTION_SHARE
      ? [{ name: 'database.connections', detail: `${database.connections} / ${database.most}` }]
      : []),
    ...failed.map(({ name, n, last }) => ({ name: name === 'wallet.verify' ? name : 'job.failed', key: name, detail: `${name} ${n}, ${last.toISOString()}` })),
  ].filter(({ name }) => name in ALARMS)
}
