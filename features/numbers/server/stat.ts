import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { Failure } from '#platform/shared/errors.ts'
import { shareOf, usd } from '#platform/shared/money.ts'
import { hasCard } from '#features/cards/server/door.ts'
import { priceOf, quotaUsed, refuseClosed, tasksOf } from '#features/services/server/door.ts'
import type { numbersContract } from '../contract.ts'
import { NUMBER_SERVICES } from '../words.ts'
import { waitsOf } from './data-suppliers.ts'
import type { Wait } from './data-suppliers.ts'
import { numberMinutes, offered, packCount } from './settings.ts'
import { NUMBERS, numbersSpec, PACKS } from './spec.ts'
import { includedWith } from './uses/included.ts'
import { packLeft } from './uses/packs.ts'

type Reply = ReplyOf<(typeof numbersContract)['overseaMobileStat']>
const DAYS = 7
const STEP_S = 120
/** With fewer than this nothing is claimed. */
const ENOUGH = 20

export async function overseaMobileStat(ctx: Ctx): Promise<Reply> {
  const { userId, db, settings } = ctx
  const [allowed, used, packs, minutes, services, waits] = await Promise.all([
    includedWith(ctx, db, userId),
    quotaUsed(db, userId, NUMBERS, ''),
    packsOf(ctx),
    settings.get(numberMinutes),
    settings.get(offered),
    waitsOf(db, DAYS),
  ])
  const count = await settings.get(packCount)
  const price = await priceOf(ctx, PACKS, 'pack')
  const included = { allowed, used: Math.min(used, allowed), left: Math.max(0, allowed - used) }
  return {
    hasCard: await hasCard(db, userId),
    included,
    packs,
    remaining: included.left + packs.reduce((all, { left }) => all + left, 0),
    pack: { count, price: usd(price), each: usd(shareOf(price, 1n, BigInt(count))) },
    minutes,
    services: NUMBER_SERVICES.flatMap((service, index) => {
      const countries = services[service]
      return countries
        ? [
            {
              type: index + 1,
              service,
              countries,
              measured: measuredOf(
                waits.find((one) => one.service === service),
                minutes,
              ),
            },
          ]
        : []
    }),
    paused: await pausedWhy(ctx),
  }
}

async function pausedWhy(ctx: Ctx): Promise<string | null> {
  try {
    await refuseClosed(ctx, numbersSpec, { user_id: ctx.userId, product: 'number', facts: {} })
    return null
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_PAUSED') return String(error.data?.['reason'] ?? '')
    throw error
  }
}

async function packsOf({ db, userId }: Ctx): Promise<Reply['packs']> {
  const live = await tasksOf(db, { userId, service: PACKS, phases: ['using'], limit: 100 })
  return Promise.all(
    live.toReversed().map(async (pack) => {
      const { total, left, worth } = await packLeft(db, pack)
      return { id: pack.id, total, left, worth: usd(worth), boughtTime: pack.created_at.toISOString(), untilTime: String(pack.facts['until'] ?? '') || null }
    }),
  )
}

function measuredOf(wait: Wait | undefined, minutes: number): Reply['services'][number]['measured'] {
  const count = Number(wait?.count ?? 0)
  const received = Number(wait?.received ?? 0)
  const known = count >= ENOUGH
  const bins = Array.from({ length: Math.ceil((minutes * 60) / STEP_S) }, () => 0)
  for (const seconds of wait?.waits ?? []) bins[Math.min(bins.length - 1, Math.floor(Math.max(0, seconds) / STEP_S))]!++
  return {
    days: DAYS,
    count,
    received,
    percent: known ? Math.round((received / count) * 100) : null,
    half: known && wait?.half != null ? Math.round(wait.half) : null,
    waits: known ? bins : [],
  }
}
