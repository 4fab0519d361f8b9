import type { Deps, Feature } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { forgetBalances, forgetCertificates, keepBalance, keepCertificate, noteLook } from './data.ts'
import { certificateOf, tlsNames } from './tls.ts'
import type { TlsLook } from './tls.ts'

const KEPT_MS = 90 * 86_400_000
const LONGEST = 200

const wordsOf = (error: unknown): string => (error as Error).message.slice(0, LONGEST) || 'no answer'
const problemOf = (work: Promise<unknown>): Promise<string | null> => work.then(() => null, wordsOf)

/** Asks every supplier and channel what we have there: each by itself, so that one that is away holds up none. */
export const lookAtBalances =
  (features: readonly Feature[]) =>
  async (deps: Deps): Promise<void> => {
    const now = deps.clock.now()
    const sources = (await Promise.all(features.map(({ balances }) => balances?.(deps) ?? []))).flat()
    const answers = await Promise.all(
      sources.map(async ({ id, read }) => {
        try {
          return { id, found: await read(), problem: null }
        } catch (error) {
          return { id, found: [], problem: wordsOf(error) }
        }
      }),
    )
    await transact(deps.db, SYSTEM, async (tx) => {
      for (const { id, found, problem } of answers.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        // nor one whose answer cannot be kept
        const unkept = problem === null ? await problemOf(tx.savepoint(() => keepBalance(tx, id, found, now))) : problem
        await noteLook(tx, id, unkept, now)
      }
      await forgetBalances(
        tx,
        sources.map(({ id }) => id),
        new Date(now.getTime() - KEPT_MS),
      )
    })
  }

/** How long our own names' certificates last, as a customer's browser sees them, and those that features hold. */
export const lookAtCertificates =
  (features: readonly Feature[], look: TlsLook = certificateOf) =>
  async (deps: Deps): Promise<void> => {
    const now = deps.clock.now()
    const own = await Promise.all(
      (await tlsNames(deps)).map(async (name) => {
        try {
          return { name, ...(await look(name)), problem: null }
        } catch (error) {
          return { name, issuer: '', expiresAt: null, problem: wordsOf(error) }
        }
      }),
    )
    const theirs = (await Promise.all(features.map(async ({ certificates }) => (await certificates?.(deps)) ?? [])))
      .flat()
      .map((one) => ({ ...one, problem: null }))
    const all = [...own, ...theirs]
    await transact(deps.db, SYSTEM, async (tx) => {
      for (const one of all.toSorted((a, b) => (a.name < b.name ? -1 : 1))) await keepCertificate(tx, one, now)
      await forgetCertificates(
        tx,
        all.map(({ name }) => name),
      )
    })
  }
