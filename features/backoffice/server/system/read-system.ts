import { bind } from '#platform/server/feature.ts'
import { cacheSlowQueries } from '#platform/server/database/cache-slow-queries.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { systemContract } from '../../contract-system.console.ts'
import { listOpenAlarms } from '../alarms/data.ts'
import { readDatabaseFacts, readOutboxBacklog } from '../alarms/data-conditions.ts'
import { buildAlarmView } from '../alarms/read.ts'
import { readSupplies } from '../balances/read.ts'
import { listRunningBulks } from '../bulk/data.ts'
import * as data from './data.ts'

type C = typeof systemContract
const DAY_MS = 86_400_000

async function system({ db }: Ctx): Promise<ReplyOf<C['system']>> {
  const [database, nodes, migration, queues, news, alarms, bulks] = await Promise.all([
    ...([readDatabaseFacts(db), data.listGatewayNodes(db), data.findNewestMigration(db), data.listJobQueues(db)] as const),
    ...([readOutboxBacklog(db), listOpenAlarms(db), listRunningBulks(db)] as const),
  ])
  return {
    database: { version: database.version, bytes: Number(database.bytes), connections: database.connections, most: database.most },
    nodes: nodes.map(({ node, beatAt, open, alive }) => ({ node, beatAt: beatAt.toISOString(), openCalls: open, isAlive: alive })),
    migrations: { applied: migration.n, newest: migration.name, at: migration.at.toISOString() },
    queues: queues.map((row) => ({ ...row, oldest: row.oldest?.toISOString() ?? null })),
    news: { waiting: news.n, oldest: news.oldest?.toISOString() ?? null },
    alarms: alarms.map(buildAlarmView),
    bulks: bulks.length,
  }
}

/** Cached, because figures up to yesterday hardly change and take one row per customer, day and key. */
const pastDays = cacheSlowQueries((sql, from, to) => Promise.all([data.listFigureDays(sql, from!, to!), data.readFunnel(sql, from!, to!)]))

async function figures({ db, clock }: Ctx, { days }: InputOf<C['figures']>): Promise<ReplyOf<C['figures']>> {
  const now = clock.now().getTime()
  const [from, to] = [toShanghaiDay(now - days * DAY_MS), toShanghaiDay(now - DAY_MS)]
  const [rows, funnel] = await pastDays(db, from, to)
  return {
    days: rows.map((row) => ({
      ...{ day: row.day, received: formatUsd(row.received), paidBack: formatUsd(row.paidBack), charged: formatUsd(row.charged), costs: formatUsd(row.costs) },
      ...{
        margin: formatUsd(subtractNano(row.charged, row.costs)),
        customers: row.customers,
        calls: Number(row.calls),
        failed: Number(row.failed),
        signUps: row.signUps,
      },
    })),
    funnel: { signedUp: funnel.signedUp, paid: funnel.paid, called: funnel.called },
  }
}

export const systemRoutes = bind(systemContract, { system, supplies: readSupplies, figures })
