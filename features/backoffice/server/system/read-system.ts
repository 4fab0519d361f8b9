import { bind } from '#platform/server/feature.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { minus, usd } from '#platform/shared/money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { systemContract } from '../../contract-system.console.ts'
import { runningBulks } from '../bulk/data.ts'
import * as data from './data.ts'

type C = typeof systemContract
const DAY_MS = 86_400_000
/** News that is older than this is stuck: it is delivered within seconds. */
const STUCK_MS = 5 * 60_000
const MOST_CONNECTIONS = 0.85

async function system({ db, clock }: Ctx): Promise<ReplyOf<C['system']>> {
  const [database, nodes, migration, queues, news, dead, books, bulks] = await Promise.all([
    ...([data.databaseFacts(db), data.nodes(db), data.newestMigration(db), data.queues(db)] as const),
    ...([data.newsWaiting(db), data.deadLetters(db), data.bookAlarms(db), runningBulks(db)] as const),
  ])
  const isStuck = news.oldest !== null && clock.now().getTime() - news.oldest.getTime() > STUCK_MS
  return {
    database: { version: database.version, bytes: Number(database.bytes), connections: database.connections, most: database.most },
    nodes: nodes.map(({ node, beat_at, open, alive }) => ({ node, beatAt: beat_at.toISOString(), openCalls: open, isAlive: alive })),
    migrations: { applied: migration.n, newest: migration.name, at: migration.at.toISOString() },
    queues: queues.map((row) => ({ ...row, oldest: row.oldest?.toISOString() ?? null })),
    news: { waiting: news.n, oldest: news.oldest?.toISOString() ?? null },
    alarms: [
      ...(books?.alarms ?? []).map((alarm) => ({
        name: alarm.split(' ')[0]!,
        detail: `${books!.day} ${alarm.split(' ').slice(1).join(' ')}`.trim(),
        runbook: 'gateway-books',
      })),
      ...(dead ? [{ name: 'gateway.dead_letters', detail: String(dead), runbook: 'gateway-dead-letter' }] : []),
      ...(isStuck ? [{ name: 'outbox.stuck', detail: news.oldest!.toISOString(), runbook: 'README' }] : []),
      ...nodes.filter(({ alive }) => !alive).map(({ node }) => ({ name: 'gateway.node_dead', detail: node, runbook: 'gateway-journal' })),
      ...(database.connections > database.most * MOST_CONNECTIONS
        ? [{ name: 'database.connections', detail: `${database.connections} / ${database.most}`, runbook: 'README' }]
        : []),
    ],
    bulks: bulks.length,
  }
}

async function figures({ db, clock }: Ctx, { days }: InputOf<C['figures']>): Promise<ReplyOf<C['figures']>> {
  const now = clock.now().getTime()
  const [from, to] = [shanghaiDay(now - days * DAY_MS), shanghaiDay(now - DAY_MS)]
  const [rows, funnel] = await Promise.all([data.figureDays(db, from, to), data.funnelOf(db, from, to)])
  return {
    days: rows.map((row) => ({
      ...{ day: row.day, received: usd(row.received), paidBack: usd(row.paid_back), charged: usd(row.charged), costs: usd(row.costs) },
      ...{ margin: usd(minus(row.charged, row.costs)), customers: row.customers, calls: Number(row.calls), failed: Number(row.failed), signUps: row.sign_ups },
    })),
    funnel: { signedUp: funnel.signed_up, paid: funnel.paid, called: funnel.called },
  }
}

export const systemRoutes = bind(systemContract, { system, figures })
