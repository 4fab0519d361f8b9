import { createHash } from 'node:crypto'
import type { Deps } from '#platform/server/feature.ts'
import { createJoinedDb } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { CommandExecution, CommandFacts, OperatorCommand } from '#platform/server/operator-command.ts'
import { Failure } from '#platform/shared/errors.ts'
import { toCanonicalJson } from '#platform/server/http/idempotency.ts'
import { listMailTemplates, setShortLockTimeout, countWrittenRows } from './data.ts'
import type { CommandEffects } from '../../words.ts'

/** A command with its subject, input and reason; the same for a preview, a run and a run after an approval. */
export interface CommandWork {
  readonly command: OperatorCommand
  readonly subject: string
  readonly input: Record<string, unknown>
  readonly reason: string
  readonly gathered: unknown
}

/**
 * Runs a command in the transaction and returns its effects. A refusal rolls back only the command's effects and is returned with the current
 * figures. A busy row is waited for 1 s at a time, with what the command holds released in between, so that a preview blocks no customer.
 */
export async function performCommand(deps: Deps, tx: Tx, { command, input, reason, gathered }: CommandWork): Promise<CommandEffects> {
  await setShortLockTimeout(tx)
  const sent: { news: string[]; mails: string[] } = { news: [], mails: [] }
  const hooks: (() => void)[] = []
  const watched: Tx = {
    ...tx,
    emit: (event, payload) => {
      sent.news.push(event)
      return tx.emit(event, payload)
    },
    // Hooks of rolled-back work must not run after the surrounding commit
    afterCommit: (hook) => {
      hooks.push(hook)
    },
  }
  const act: CommandExecution = {
    tx: watched,
    by: tx.actor,
    reason,
    gathered,
    deps: {
      ...deps,
      db: createJoinedDb(watched),
      jobs: {
        send: async (within, job, data) => {
          if (typeof data['mailId'] === 'string') sent.mails.push(data['mailId'])
          await deps.jobs.send(within, job, data)
        },
      },
    },
  }
  const before = await command.look(act, input)
  let written: ReadonlyMap<string, number> = new Map()
  try {
    const result = await retryLocked(async () => {
      for (const list of [sent.news, sent.mails, hooks]) list.length = 0
      // PostgreSQL counts the rows of an attempt that was rolled back as well.
      written = await countWrittenRows(tx)
      return tx.savepoint(() => command.run(act, input))
    })
    const rows: Record<string, number> = {}
    for (const [name, n] of await countWrittenRows(tx)) if (n > (written.get(name) ?? 0)) rows[name] = n - (written.get(name) ?? 0)
    // The daily limit counts declared amounts, so a command that declares none must not post
    if (rows['wallet_transfers'] && command.money === undefined) throw new Error(`the command ${command.name} moves money and does not declare it`)
    const after = await command.look(act, input)
    for (const hook of hooks) tx.afterCommit(hook)
    return { changes: listChanges(before, after), mails: await countMailsByTemplate(tx, sent.mails), news: sent.news.toSorted(), rows, result, refusal: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...buildUnchanged(before), refusal: { name: error.errorName, data: error.data ?? null } }
  }
}

const LOCK_ATTEMPTS = 8
/** PostgreSQL's lock_not_available (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const LOCK_NOT_AVAILABLE = '55P03'

/** Repeats work that rolls itself back when a lock is not free in time. */
async function retryLocked<T>(work: () => Promise<T>): Promise<T> {
  for (let left = LOCK_ATTEMPTS; ; left--)
    try {
      return await work()
    } catch (error) {
      if (left <= 1 || (error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    }
}

const buildUnchanged = (facts: CommandFacts): Omit<CommandEffects, 'refusal'> => ({
  changes: listChanges(facts, facts),
  mails: {},
  news: [],
  rows: {},
  result: {},
})

/** Pairs the facts before and after, by name. */
function listChanges(before: CommandFacts, after: CommandFacts): CommandEffects['changes'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null }))
}

/** Mail counts by template; the operator may not see the recipients. */
async function countMailsByTemplate(tx: Tx, ids: readonly string[]): Promise<Record<string, number>> {
  const mails: Record<string, number> = {}
  for (const template of ids.length ? await listMailTemplates(tx, ids) : []) mails[template] = (mails[template] ?? 0) + 1
  return mails
}

/** Hash of a preview that the run must match: the figures that are not loose, and the mails. Generated numbers are excluded. */
export function hashEffects(
  { command, subject, input }: Pick<CommandWork, 'command' | 'subject' | 'input'>,
  { changes, mails, refusal }: CommandEffects,
): Buffer {
  const bound = changes.filter(({ name }) => !command.loose?.includes(name))
  return createHash('sha256')
    .update(toCanonicalJson({ name: command.name, subject, input, changes: bound, mails, refusal }))
    .digest()
}

/** Dry run: performs `work` and rolls it back. */
export async function rehearseCommand(deps: Deps, tx: Tx, work: CommandWork): Promise<CommandEffects> {
  let would: CommandEffects | undefined
  await tx
    .savepoint(async () => {
      would = await performCommand(deps, { ...tx, afterCommit: () => {} }, work)
      throw ROLLED_BACK
    })
    .catch((error: unknown) => {
      if (error !== ROLLED_BACK) throw error
    })
  return would!
}

const ROLLED_BACK = new Error('undone on purpose')
