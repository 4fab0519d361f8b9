import { countEvent } from '#platform/server/metrics.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { formatMinor } from '#platform/shared/money.ts'
import { nanoToCents } from '../figures.ts'
import { bookTransaction } from '../authorisations/book-transaction.ts'
import { listIssuers } from '../vendors/index.ts'
import type { Issuer, IssuerTransaction } from '../vendors/port.ts'
import { selectFirstCardDay, insertCardDiscrepancy, upsertComparedDay, selectLastComparedDay, resolveCardDiscrepancies, selectOurRows } from './data.ts'
import type { CardDiscrepancy, OurRow } from './data.ts'

const DAY_MS = 86_400_000

/** Job: compares every past day with the issuer's book, from the last compared day on. */
export async function compareCardBooks(deps: Deps): Promise<void> {
  for (const issuer of listIssuers(deps)) {
    const today = utcDay(deps.clock.now())
    const last = await selectLastComparedDay(deps.db, issuer.name)
    // Repeat the day before the last: entries late in either book have arrived by now. The first run covers all days since the first card.
    const from = last === undefined ? ((await selectFirstCardDay(deps.db, issuer.name)) ?? today) : subtractDays(last, 1)
    for (let day = from; day < today; day = nextDay(day)) await compareCardBookDay(deps, issuer, day)
  }
}

/** Compares the issuer's book of a day with ours. Each difference is a row and an alarm; a transaction that we lack is fetched and booked. */
export async function compareCardBookDay(deps: Deps, issuer: Issuer, day: string): Promise<readonly CardDiscrepancy[]> {
  const [from, to] = [new Date(`${day}T00:00:00Z`), new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS)]
  const theirs: IssuerTransaction[] = []
  for await (const row of issuer.book(from, to)) theirs.push(row)
  const ours = await selectOurRows(deps.db, issuer.name, { from, to, refs: theirs.map(({ ref }) => ref) })
  const faults = findCardDiscrepancies(ours, theirs)
  await transact(deps.db, SYSTEM, async (tx) => {
    await resolveCardDiscrepancies(tx, issuer.name, { day, standing: faults })
    for (const fault of faults) await insertCardDiscrepancy(tx, issuer.name, { day, discrepancy: fault })
    await upsertComparedDay(tx, issuer.name, { day, rows: theirs.length, faults: faults.length })
    await tx.audit('card.book_compared', `issuer:${issuer.name}`, { day, rows: theirs.length, faults: faults.length })
  })
  for (const { fault, ref } of faults) {
    countEvent('cards.book_differs')
    deps.log.error({ issuer: issuer.name, day, ref, fault }, 'the issuer’s book and ours differ')
  }
  for (const { ref } of faults.filter(({ fault }) => fault === 'missing'))
    await bookTransaction(deps, issuer, { ref }).catch((error: unknown) =>
      deps.log.warn({ err: error, ref }, 'a transaction that is missing could not be booked'),
    )
  return faults
}

/** All differences, each by its kind; never summed, so that none cancel out. */
export function findCardDiscrepancies(ours: readonly OurRow[], theirs: readonly IssuerTransaction[]): CardDiscrepancy[] {
  const faults: CardDiscrepancy[] = []
  const left = new Map(ours.map((row) => [row.ref, row]))
  const seen = new Set<string>()
  for (const row of theirs) {
    const own = left.get(row.ref)
    const said = formatMinor(row.minor)
    if (seen.has(row.ref)) faults.push({ ref: row.ref, fault: 'twice', ours: own ? formatMinor(nanoToCents(own.amount)) : '', theirs: said })
    else if (!own) faults.push({ ref: row.ref, fault: 'missing', ours: '', theirs: said })
    else if (own.kind !== row.kind) faults.push({ ref: row.ref, fault: 'kind', ours: own.kind, theirs: row.kind })
    else if (own.cardRef !== row.cardRef) faults.push({ ref: row.ref, fault: 'card', ours: own.cardRef ?? '', theirs: row.cardRef })
    else if (nanoToCents(own.amount) !== row.minor) faults.push({ ref: row.ref, fault: 'amount', ours: formatMinor(nanoToCents(own.amount)), theirs: said })
    seen.add(row.ref)
  }
  for (const own of ours)
    if (own.ofDay && !seen.has(own.ref)) faults.push({ ref: own.ref, fault: 'extra', ours: formatMinor(nanoToCents(own.amount)), theirs: '' })
  return faults
}

const utcDay = (at: Date) => at.toISOString().slice(0, 10)
const subtractDays = (day: string, days: number) => new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)
const nextDay = (day: string) => subtractDays(day, -1)
