import { createHash } from 'node:crypto'
import type { Deps } from '#platform/server/feature.ts'
import { joinedDb } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Act, Facts, OperatorCommand } from '#platform/server/operator-command.ts'
import { Failure } from '#platform/shared/errors.ts'
import { canonical } from '#platform/server/http/idempotency.ts'
import { templatesOf, waitBriefly, writtenSoFar } from './data.ts'
import type { Shown } from '../../words.ts'

/** What is done to what, and why: the same for a preview, a run and a run after an approval. */
export interface Work {
  readonly command: OperatorCommand
  readonly subject: string
  readonly input: Record<string, unknown>
  readonly reason: string
  readonly gathered: unknown
}

/**
 * Runs a command in the transaction and says what it did. Its refusal undoes its effects alone, and is told with the figures of now.
 * Waits at most a second for a lock.
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
    // what is undone must not be heard of after the commit of what surrounds it
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
    const result = await tx.savepoint(() => command.run(act, input))
    const rows: Record<string, number> = {}
    for (const [name, n] of await writtenSoFar(tx)) if (n > (written.get(name) ?? 0)) rows[name] = n - (written.get(name) ?? 0)
    // an operator's day is counted by what a command declares: one that declares nothing must post nothing
    if (rows['wallet_transfers'] && command.money === undefined) throw new Error(`the command ${command.name} moves money and does not declare it`)
    const after = await command.look(act, input)
    for (const hook of hooks) tx.afterCommit(hook)
    return { changes: changesOf(before, after), mails: await mailsBy(tx, sent.mails), news: sent.news.toSorted(), rows, result, refusal: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...nothingOf(before), refusal: { name: error.errorName, data: error.data ?? null } }
  }
}

const nothingOf = (facts: Facts): Omit<Shown, 'refusal'> => ({ changes: changesOf(facts, facts), mails: {}, news: [], rows: {}, result: {} })

/** Facts before and after, side by side, by name. */
function changesOf(before: Facts, after: Facts): Shown['changes'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null }))
}

/** By template, and how many: whom they go to is not the operator's to see. */
async function mailsBy(tx: Tx, ids: readonly string[]): Promise<Record<string, number>> {
  const mails: Record<string, number> = {}
  for (const template of ids.length ? await templatesOf(tx, ids) : []) mails[template] = (mails[template] ?? 0) + 1
  return mails
}

/** What a run must do again to be what was shown: the figures that are not loose, and the mails. Made-up numbers are not compared. */
export function hashOf({ command, subject, input }: Pick<Work, 'command' | 'subject' | 'input'>, { changes, mails, refusal }: Shown): Buffer {
  const bound = changes.filter(({ name }) => !command.loose?.includes(name))
  return createHash('sha256')
    .update(canonical({ name: command.name, subject, input, changes: bound, mails, refusal }))
    .digest()
}

/** Runs `work` in the transaction and undoes it: what would be. */
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
