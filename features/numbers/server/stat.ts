import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { Failure } from '#platform/shared/errors.ts'
import { computePartShare, formatUsd } from '#platform/shared/money.ts'
import { hasActiveCard } from '#features/cards/server/door.ts'
import { readServicePrice, selectQuotaUsed, requireServiceOpen, selectTasks } from '#features/services/server/door.ts'
import type { numbersContract } from '../contract.ts'
import { NUMBER_SERVICES } from '../words.ts'
import { listServiceWaits } from './data.ts'
import type { ServiceWait } from './data.ts'
import { numberMinutes, offeredNumbers, packCount } from './settings.ts'
import { NUMBERS_SERVICE, numbersSpec, PACKS_SERVICE } from './spec.ts'
import { countIncludedNumberUses } from './uses/included.ts'
import { computePackBalance } from './uses/packs.ts'

type StatReply = ReplyOf<(typeof numbersContract)['overseaMobileStat']>
const DAYS = 7
const WAIT_STEP_S = 120
/** Minimum sample size for a published figure. */
const MIN_SAMPLES = 20

export async function overseaMobileStat(ctx: Ctx): Promise<StatReply> {
  const { userId, db, settings } = ctx
  const [allowed, used, packs, minutes, services, waits] = await Promise.all([
    countIncludedNumberUses(ctx, db, userId),
    selectQuotaUsed(db, userId, { service: NUMBERS_SERVICE, period: '' }),
    listPacks(ctx),
    settings.get(numberMinutes),
    settings.get(offeredNumbers),
    listServiceWaits(db, DAYS),
  ])
  const count = await settings.get(packCount)
  const price = await readServicePrice(ctx, PACKS_SERVICE, 'pack')
  const included = { allowed, used: Math.min(used, allowed), left: Math.max(0, allowed - used) }
  return {
    hasCard: await hasActiveCard(db, userId),
    included,
    packs,
    remaining: included.left + packs.reduce((all, { left }) => all + left, 0),
    pack: { count, price: formatUsd(price), each: formatUsd(computePartShare(price, 1n, BigInt(count))) },
    minutes,
    services: NUMBER_SERVICES.flatMap((service, index) => {
      const countries = services[service]
      return countries
        ? [
            {
              type: index + 1,
              service,
              countries,
              measured: listMeasuredWaits(
                waits.find((one) => one.service === service),
                minutes,
              ),
            },
          ]
        : []
    }),
    paused: await readPauseReason(ctx),
  }
}

async function readPauseReason(ctx: Ctx): Promise<string | null> {
  try {
    await requireServiceOpen(ctx, numbersSpec, { task: { userId: ctx.userId, product: 'number', facts: {} } })
    return null
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_PAUSED') return String(error.data?.['reason'] ?? '')
    throw error
  }
}

async function listPacks({ db, userId }: Ctx): Promise<StatReply['packs']> {
  const live = await selectTasks(db, { userId, service: PACKS_SERVICE, phases: ['using'], limit: 100 })
  return Promise.all(
    live.toReversed().map(async (pack) => {
      const { total, left, worth } = await computePackBalance(db, pack)
      return {
        id: pack.id,
        total,
        left,
        worth: formatUsd(worth),
        boughtTime: pack.createdAt.toISOString(),
        untilTime: String(pack.facts['until'] ?? '') || null,
      }
    }),
  )
}

function listMeasuredWaits(wait: ServiceWait | undefined, minutes: number): StatReply['services'][number]['measured'] {
  const count = Number(wait?.count ?? 0)
  const received = Number(wait?.received ?? 0)
  const known = count >= MIN_SAMPLES
  const bins = Array.from({ length: Math.ceil((minutes * 60) / WAIT_STEP_S) }, () => 0)
  for (const seconds of wait?.waits ?? []) bins[Math.min(bins.length - 1, Math.floor(Math.max(0, seconds) / WAIT_STEP_S))]!++
  return {
    days: DAYS,
    count,
    received,
    percent: known ? Math.round((received / count) * 100) : null,
    half: known && wait?.half != null ? Math.round(wait.half) : null,
    waits: known ? bins : [],
  }
}
