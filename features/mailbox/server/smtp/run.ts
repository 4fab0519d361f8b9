import { createHash, randomUUID } from 'node:crypto'
import type { Deps } from '#platform/server/feature.ts'
import { computePercentFull, readMailboxLimits } from '../boxes/fullness.ts'
import { listMailDomains, readSmtpConfig } from '../config.ts'
import { findReceivingMailbox, deleteReceiver, upsertReceiver, countMails } from '../data.ts'
import { storeMail } from '../inbox/store-mail.ts'
import { createMailReader } from '../reading/reader.ts'
import { startMailServer } from './server.ts'

const HEARTBEAT_MS = 15_000
const LIMITS = { connections: 20, mails: 1_200, strangers: 20 } as const
/** A machine's share exceeds the largest mail size that can be configured. */
const BUFFER_LIMITS = { all: 192 * 1024 * 1024, ofOne: 64 * 1024 * 1024 } as const

/** Runs the role `mail`: receives mail for our domains and registers its port. Resolves to a function that stops it. */
export async function runMail(deps: Deps): Promise<() => Promise<void>> {
  const { log } = deps
  const domains = listMailDomains(deps)
  if (!domains.length) return async () => {}
  const { isNamed, zoneFile, ...at } = readSmtpConfig(deps)
  const reader = createMailReader(log, { zoneFile })
  const server = await startMailServer({
    ...at,
    limits: LIMITS,
    room: BUFFER_LIMITS,
    reader,
    log,
    now: () => Date.now(),
    digest: () => createHash('sha256'),
    whose: (address) => resolveRecipient(deps, domains, address),
    keep: (mail) => storeMail(deps, mail),
  }).catch((error: unknown) => {
    // The default port is taken by another process: run without receiving mail
    if (isNamed) throw error
    log.warn({ err: error, port: at.port }, 'mail is not received by this process: the default port is taken')
    return undefined
  })
  if (!server) return () => reader.stop()
  const node = randomUUID()
  const see = () => upsertReceiver(deps.db, node, server.port).catch((error: unknown) => log.warn({ err: error }, 'mail: heartbeat could not be stored'))
  await see()
  const timer = setInterval(() => void see(), HEARTBEAT_MS).unref()
  log.info({ port: server.port, domains }, 'mail is received')
  return async () => {
    clearInterval(timer)
    await server.close()
    await reader.stop()
    await deleteReceiver(deps.db, node).catch(() => {})
  }
}

async function resolveRecipient(deps: Deps, domains: readonly string[], address: string): Promise<'ours' | 'relay' | 'unknown' | 'full'> {
  if (!domains.includes(address.split('@').at(-1) ?? '')) return 'relay'
  const box = await findReceivingMailbox(deps.db, address)
  if (!box) return 'unknown'
  const mails = (await countMails(deps.db, [box.taskId])).get(box.taskId)?.mails ?? 0
  return computePercentFull({ mails, bytes: box.bytes }, await readMailboxLimits(deps)) >= 100 ? 'full' : 'ours'
}
