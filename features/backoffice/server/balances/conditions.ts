import type { Deps } from '#platform/server/feature.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { AlarmCondition } from '../alarms/conditions.ts'
import { balanceFloors } from '../settings.ts'
import { listBalances, listCertificates, listBalanceReads } from './data.ts'

/** Grace period, so that a short outage of a supplier raises no alarm. */
const UNKNOWN_GRACE_MS = 3_600_000
const DAY_MS = 86_400_000
export const CERTIFICATE_DAYS = 21
const URGENT_DAYS = 7
const ANY_CURRENCY = '*'

/** Minimum balance that operators set for a source, in units of its currency. */
export function findBalanceFloor(floors: Readonly<Record<string, string>>, source: string, currency: string): Nano | undefined {
  const text = floors[`${source} ${currency}`] ?? floors[source] ?? floors[ANY_CURRENCY]
  return text === undefined ? undefined : parseUsd(text)
}

/** Alarms for balances that are low or unknown, and for certificates that expire soon. */
export async function listSupplyConditions({ db, clock, settings }: Deps): Promise<AlarmCondition[]> {
  const now = clock.now().getTime()
  const [floors, rows, read, certs] = await Promise.all([settings.get(balanceFloors), listBalances(db), listBalanceReads(db), listCertificates(db)])
  const silent = ({ failingSince: since }: { failingSince: Date | null }) => since !== null && now - since.getTime() > UNKNOWN_GRACE_MS
  return [
    ...rows.flatMap(({ source, currency, amountNano: amount }) => {
      const floor = findBalanceFloor(floors, source, currency)
      return floor !== undefined && amount < floor
        ? [{ name: 'balance.low', key: `${source} ${currency}`, detail: `${source} ${currency} ${formatUsd(amount)} < ${formatUsd(floor)}` }]
        : []
    }),
    ...read.filter(silent).map(({ source, problem }) => ({ name: 'balance.unknown', key: source, detail: `${source}: ${problem}` })),
    ...certs.flatMap(({ name, expiresAt: at }) =>
      at && at.getTime() - now < CERTIFICATE_DAYS * DAY_MS
        ? [
            {
              ...{ name: 'certificate.expires', key: name, detail: `${name}, ${at.toISOString().slice(0, 10)}` },
              severity: at.getTime() - now < URGENT_DAYS * DAY_MS ? ('critical' as const) : ('serious' as const),
            },
          ]
        : [],
    ),
    ...certs.filter(silent).map(({ name, problem }) => ({ name: 'certificate.unknown', key: name, detail: `${name}: ${problem}` })),
  ]
}
