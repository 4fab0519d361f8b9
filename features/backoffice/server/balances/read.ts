import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { systemContract } from '../../contract-system.console.ts'
import { balanceFloors } from '../settings.ts'
import { CERTIFICATE_DAYS, findBalanceFloor } from './conditions.ts'
import * as data from './data.ts'

const DAYS = 14
const DAY_MS = 86_400_000

/** Balances at suppliers and channels with their last 14 days, and the expiry of certificates. */
export async function readSupplies({ db, clock, settings }: Ctx): Promise<ReplyOf<(typeof systemContract)['supplies']>> {
  const now = clock.now().getTime()
  const [floors, rows, looks, points, certs] = await Promise.all([
    settings.get(balanceFloors),
    ...([data.listBalances(db), data.listBalanceReads(db), data.listPointsSince(db, new Date(now - DAYS * DAY_MS)), data.listCertificates(db)] as const),
  ])
  return {
    sources: looks.map(({ source, lookedAt, failingSince, problem }) => ({
      ...{ source, lookedAt: lookedAt.toISOString(), failingSince: failingSince?.toISOString() ?? null, problem },
      balances: rows
        .filter((row) => row.source === source)
        .map(({ currency, amountNano: amount }) => {
          const floor = findBalanceFloor(floors, source, currency)
          const own = points.filter((point) => point.source === source && point.currency === currency)
          return {
            ...{ currency, amount: formatUsd(amount), floor: floor === undefined ? null : formatUsd(floor), isLow: floor !== undefined && amount < floor },
            points: own.map((point) => ({ at: point.at.toISOString(), amount: formatUsd(point.amountNano) })),
          }
        }),
    })),
    certificates: certs.map(({ name, issuer, expiresAt: at, failingSince, problem }) => ({
      ...{ name, issuer, expiresAt: at?.toISOString() ?? null, days: at ? Math.floor((at.getTime() - now) / DAY_MS) : null },
      ...{ isSoon: at !== null && at.getTime() - now < CERTIFICATE_DAYS * DAY_MS, failingSince: failingSince?.toISOString() ?? null, problem },
    })),
  }
}
