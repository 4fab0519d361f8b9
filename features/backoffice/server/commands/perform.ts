import { createHash } from 'node:crypto'
import type { Deps } from '#platform/server/feature.ts'
import { joinedDb } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Act, Facts, OperatorCommand } from '#platform/server/operator-command.ts'
import { Failure } from '#platform/shared/errors.ts'
import { canonical } from '#platform/server/http/idempotency.ts'
import { templatesOf, waitBriefly, writtenSoFar } from './data.ts'
import type { Shown } from '../../words.ts'

/** A command with its subject, input and reason; the same for a preview, a run and a run after an approval. */
export interface Work {
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
export async function perform(deps: Deps, tx: Tx, { command, input, reason, gathered }: Work): Promise<Shown> {
  await waitBriefly(tx)
  const sent: { news: string[]; mails: string[] } = { news: [], mails: [] }
  const hooks: (() => void)[] = []
  const watched: Tx = {
    ...tx,
    emit: (event, payload) => {
      sent.news.push(event)
      return tx.emit(event, payload)
    },
    // hooks of rolled-back work must not run after the surrounding commit
    afterCommit: (hook) => {
      hooks.push(hook)
    },
  }
  const act: Act = {
    tx: watched,
    by: tx.actor,
    reason,
    gathered,
    deps: {
      ...deps,
      db: joinedDb(watched),
      jobs: {
        send: async (within, name, data, options) => {
          if (typeof data['mailId'] === 'string') sent.mails.push(data['mailId'])
          await deps.jobs.send(within, name, data, options)
        },
      },
    },
  }
  const before = await command.look(act, input)
  const written = await writtenSoFar(tx)
  try {
    const result = await retryLocked(() => {
      for (const list of [sent.news, sent.mails, hooks]) list.length = 0
      return tx.savepoint(() => command.run(act, input))
    })
    const rows: Record<string, number> = {}
    for (const [name, n] of await writtenSoFar(tx)) if (n > (written.get(name) ?? 0)) rows[name] = n - (written.get(name) ?? 0)
    // the daily limit counts declared amounts, so a command that declares none must not post
    if (rows['wallet_transfers'] && command.money === undefined) throw new Error(`the command ${command.name} moves money and does not declare it`)
    const after = await command.look(act, input)
    for (const hook of hooks) tx.afterCommit(hook)
    return { changes: changesOf(before, after), mails: await mailsBy(tx, sent.mails), news: sent.news.toSorted(), rows, result, refusal: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...nothingOf(before), refusal: { name: error.errorName, data: error.data ?? null } }
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

const nothingOf = (facts: Facts): Omit<Shown, 'refusal'> => ({ changes: changesOf(facts, facts), mails: {}, news: [], rows: {}, result: {} })

/** Pairs the facts before and after, by name. */
function changesOf(before: Facts, after: Facts): Shown['changes'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null }))
}

/** Mail counts by template; the operator may not see the recipients. */
async function mailsBy(tx: Tx, ids: readonly string[]): Promise<Record<string, number>> {
  const mails: Record<string, number> = {}
  for (const template of ids.length ? await templatesOf(tx, ids) : []) mails[template] = (mails[template] ?? 0) + 1
  return mails
}

/** Hash of a preview that the run must match: the figures that are not loose, and the mails. Generated numbers are excluded. */
export function hashOf({ command, subject, input }: Pick<Work, 'command' | 'subject' | 'input'>, { changes, mails, refusal }: Shown): Buffer {
  const bound = changes.filter(({ name }) => !command.loose?.includes(name))
  return createHash('sha256')
    .update(canonical({ name: command.name, subject, input, changes: bound, mails, refusal }))
    .digest()
}

/** Dry run: performs `work` and rolls it back. */
export async function rehearse(deps: Deps, tx: Tx, work: Work): Promise<Shown> {
  let would: Shown | undefined
  await tx
    .savepoint(async () => {
      would = await perform(deps, { ...tx, afterCommit: () => {} }, work)
      throw UNDONE
    })
    .catch((error: unknown) => {
      if (error !== UNDONE) throw error
    })
  return would!
}

const UNDONE = new Error('undone on purpose')
