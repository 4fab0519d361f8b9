import type { Deps, Feature } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { deleteBalances, deleteCertificates, storeBalance, storeCertificate, recordBalanceRead } from './data.ts'
import { connect } from 'node:tls'
import { certificateHosts } from '../settings.ts'

interface PresentedCertificate {
  readonly issuer: string
  readonly expiresAt: Date
}
type ReadTlsCertificate = (name: string) => Promise<PresentedCertificate>

const DEADLINE_MS = 8_000

/** TLS hosts to check, as `host` or `host:port`: our own origins and those that operators configure. */
async function listTlsHosts({ config, settings, publicUrl, siteUrl }: Pick<Deps, 'config' | 'settings' | 'publicUrl' | 'siteUrl'>): Promise<string[]> {
  const own = [publicUrl(), siteUrl(), config['CONSOLE_URL']].flatMap((url) => (typeof url === 'string' && url.startsWith('https:') ? [new URL(url).host] : []))
  return [...new Set([...own, ...(await settings.get(certificateHosts))])].toSorted()
}

/** Reads the certificate that a host presents. It is not validated, so an invalid one is reported too. */
function readTlsCertificate(name: string): Promise<PresentedCertificate> {
  const [host = '', port = '443'] = name.split(':')
  return new Promise((tell, refuse) => {
    const socket = connect({ host, port: Number(port), servername: host, rejectUnauthorized: false, timeout: DEADLINE_MS }, () => {
      const found = socket.getPeerCertificate()
      socket.destroy()
      const expiresAt = new Date(found.valid_to)
      if (Number.isNaN(expiresAt.getTime())) refuse(new Error('no certificate'))
      else tell({ issuer: String(found.issuer?.O ?? found.issuer?.CN ?? '').slice(0, 200), expiresAt })
    })
    socket.on('timeout', () => socket.destroy(new Error(`no answer within ${DEADLINE_MS / 1000} s`)))
    socket.on('error', (error: NodeJS.ErrnoException) => refuse(new Error(error.code ?? error.message)))
  })
}

const RETENTION_MS = 90 * 86_400_000
const MAX_PROBLEM_LENGTH = 200

const describeError = (error: unknown): string => (error as Error).message.slice(0, MAX_PROBLEM_LENGTH) || 'no answer'
const catchProblem = (work: Promise<unknown>): Promise<string | null> => work.then(() => null, describeError)

/** Reads our balance at every supplier and channel, each independently, so that an unavailable one delays no other. */
export const createBalancesCheck =
  (features: readonly Feature[]) =>
  async (deps: Deps): Promise<void> => {
    const now = deps.clock.now()
    const sources = (await Promise.all(features.map(({ balances }) => balances?.(deps) ?? []))).flat()
    const answers = await Promise.all(
      sources.map(async ({ id, read }) => {
        try {
          return { id, found: await read(), problem: null }
        } catch (error) {
          return { id, found: [], problem: describeError(error) }
        }
      }),
    )
    await transact(deps.db, SYSTEM, async (tx) => {
      for (const { id, found, problem } of answers.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        // A response that cannot be stored must not affect others either
        const unkept = problem === null ? await catchProblem(tx.savepoint(() => storeBalance(tx, id, { read: found, at: now }))) : problem
        await recordBalanceRead(tx, id, { problem: unkept, at: now })
      }
      await deleteBalances(
        tx,
        sources.map(({ id }) => id),
        new Date(now.getTime() - RETENTION_MS),
      )
    })
  }

/** Records the expiry of our own hosts' certificates, as browsers see them, and of those that features hold. */
export const createCertificatesCheck =
  (features: readonly Feature[], look: ReadTlsCertificate = readTlsCertificate) =>
  async (deps: Deps): Promise<void> => {
    const now = deps.clock.now()
    const own = await Promise.all(
      (await listTlsHosts(deps)).map(async (name) => {
        try {
          return { name, ...(await look(name)), problem: null }
        } catch (error) {
          return { name, issuer: '', expiresAt: null, problem: describeError(error) }
        }
      }),
    )
    const theirs = (await Promise.all(features.map(async ({ certificates }) => (await certificates?.(deps)) ?? [])))
      .flat()
      .map((one) => ({ ...one, problem: null }))
    const all = [...own, ...theirs]
    await transact(deps.db, SYSTEM, async (tx) => {
      for (const one of all.toSorted((a, b) => (a.name < b.name ? -1 : 1))) await storeCertificate(tx, one, now)
      await deleteCertificates(
        tx,
        all.map(({ name }) => name),
      )
    })
  }
