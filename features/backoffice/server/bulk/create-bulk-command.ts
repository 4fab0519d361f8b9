import { createHash } from 'node:crypto'
import { z } from 'zod'
import { toCanonicalJson } from '#platform/server/http/idempotency.ts'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, OperatorCommand } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { Failure, fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { sumNano } from '#platform/shared/money.ts'
import { rehearseCommand } from '../commands/perform.ts'
import { prepareCommand } from '../commands/preview.ts'
import { resolveLevel } from '../commands/rules.ts'
import { insertBulk, insertItems } from './data.ts'

const MAX_ROWS = 10_000
const SAMPLE_SIZE = 10
interface BulkRowsInput {
  readonly rows: readonly Record<string, unknown>[]
}

/** Creates the bulk variant of a command, with the same permission and, row by row, the same rules. */
export function createBulkCommand(command: OperatorCommand): OperatorCommand {
  const name = `${command.name}-many`
  const subjectsOf = (deps: Deps, { rows }: BulkRowsInput) => Promise.all(rows.map((row) => command.subject(deps, row)))
  return defineCommand({
    name,
    summary: `${command.summary}: many at once, by a job with a result each`,
    permission: command.permission,
    ...(command.money === undefined ? {} : { money: command.money }),
    input: z.object({ rows: z.array(command.input).min(1).max(MAX_ROWS) }),
    resolve: (deps, input) => resolveAll(deps, command, input),
    subject: async (_deps, input) => `bulk:${createHash('sha256').update(toCanonicalJson(input)).digest('hex').slice(0, 16)}`,
    weigh: async (deps, { rows }) => {
      const weights = command.weigh ? await Promise.all(rows.map((row) => command.weigh!(deps, row))) : []
      return { amount: sumNano(weights.map(({ amount }) => amount ?? 0n)), rows: rows.length }
    },
    look: async (act, input) => ({ rows: input.rows.length, ...(await rehearseSample(act, command, input)) }),
    loose: ['sample', 'sampleRefused'],
    run: async ({ deps, tx, by, reason }, input) => {
      const now = deps.clock.now()
      const id = createId('blk', now.getTime())
      const subjects = await subjectsOf(deps, input)
      if (new Set(subjects).size !== subjects.length) fail('BULK_TWICE', { subject: subjects.find((each, at) => subjects.indexOf(each) !== at) })
      const weight = { rows: input.rows.length }
      const { level } = await resolveLevel(deps, tx, {
        command: { name, permission: command.permission },
        subject: `bulk:${id}`,
        weight,
        operatorId: by.id,
        via: 'session',
      })
      if (level === 'forbidden') return fail('COMMAND_FORBIDDEN')
      const made = { kind: command.name, title: command.name, terms: {}, rows: subjects.length }
      await insertBulk(tx, { id, ...made, reason, level, madeBy: by.id, madeAt: now })
      await insertItems(
        tx,
        id,
        input.rows.map((row, at) => ({ unit: String(at).padStart(6, '0'), subject: subjects[at]!, input: row, amountNano: null })),
      )
      await tx.audit('bulk.started', `bulk:${id}`, { kind: command.name, rows: subjects.length, reason })
      return { bulkId: id, rows: subjects.length }
    },
  })
}

/** Resolves the subject of each row to its id; the error names the row that cannot be resolved. */
async function resolveAll<I extends BulkRowsInput>(deps: Deps, command: OperatorCommand, input: I): Promise<I> {
  if (!command.resolve) return input
  const rows: Record<string, unknown>[] = []
  for (const [at, row] of input.rows.entries()) {
    rows.push(
      await command.resolve(deps, row).catch((error: unknown) => {
        if (error instanceof Failure) return fail('BAD_INPUT', { fields: [`rows.${at}`] })
        throw error
      }),
    )
  }
  return { ...input, rows }
}

/** Dry run of the first few rows: how many of them would be refused now. */
async function rehearseSample(
  { deps, tx, reason }: CommandExecution,
  command: OperatorCommand,
  { rows }: BulkRowsInput,
): Promise<{ sample: number; sampleRefused: number }> {
  const some = rows.slice(0, SAMPLE_SIZE)
  let refused = 0
  for (const row of some) {
    const { work } = await prepareCommand(deps, command, { sent: row, reason })
    if ((await rehearseCommand(deps, tx, work)).refusal) refused++
  }
  return { sample: some.length, sampleRefused: refused }
}
