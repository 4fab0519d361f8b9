import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { computeMinorPercent } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { selectOurLines, planStatement, saveComparison, takeDueStatements } from './data.ts'
import { channelCosts } from '../settings.ts'
import { findDiscrepancies, formatLineKey } from './statement-discrepancies.ts'
import { findChannelById, listChannels, createChannelTools } from '../vendors/index.ts'
import { bookStatementCosts } from './book-statement-costs.ts'

const DAY_MS = 86_400_000

/** Plans yesterday's comparison for every channel that has settlement files. Runs daily; a missed day is planned once noticed. */
export async function planStatements(deps: Deps): Promise<void> {
  for (const back of [1, 2, 3]) {
    const day = toShanghaiDay(deps.clock.now().getTime() - back * DAY_MS)
    for (const { manifest } of listChannels(deps)) if (manifest.supports.statement) await planStatement(deps.db, manifest.id, day)
  }
}

/**
 * Job: fetches due statements, books the channel's fees of the matching lines, and records every difference, which waits in the journal for
 * an operator (P9).
 */
export async function compareStatements(deps: Deps): Promise<void> {
  for (const { channelType, day } of await takeDueStatements(deps.db)) {
    await compareStatementDay(deps, channelType, day).catch((error: unknown) =>
      deps.log.warn({ err: error, channelType, day }, 'a statement could not be compared yet'),
    )
  }
}

export async function compareStatementDay(deps: Deps, channelType: number, day: string): Promise<number> {
  const channel = findChannelById(deps, channelType)
  if (!channel) return 0
  const theirs = await channel.statement(createChannelTools(deps), day)
  const start = Date.parse(`${day}T00:00:00+08:00`)
  const known = await selectOurLines(deps.db, channelType, { from: new Date(start - DAY_MS), until: new Date(start + 2 * DAY_MS) })
  const ours = channel.manifest.supports.statement === 'payments' ? known.filter(({ kind }) => kind === 'payment') : known
  const percent = (await deps.settings.get(channelCosts))[String(channelType)]
  const faults = findDiscrepancies({ day, ours, theirs, ...(percent === undefined ? {} : { costOf: (minor: bigint) => computeMinorPercent(minor, percent) }) })
  await transact(deps.db, SYSTEM, async (tx) => {
    await saveComparison(tx, channelType, { day, lines: theirs.length, faults })
    // A line that differs waits for an operator, and so does its cost.
    const doubtful = new Set(faults.map(({ kind, subject }) => `${kind} ${subject}`))
    await bookStatementCosts(tx, channelType, { day, costs: theirs.filter((row) => !doubtful.has(formatLineKey(row))) })
    await tx.audit('statement.compared', `channel:${channelType}`, { day, lines: theirs.length, faults: faults.length })
  })
  for (const fault of faults) countEvent(`payments.statement_${fault.class}`)
  return faults.length
}
