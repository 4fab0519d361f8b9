import { createHash, randomUUID } from 'node:crypto'
import type { Deps } from '#platform/server/feature.ts'
import { percentFull, roomOf } from '../boxes/fullness.ts'
import { domainsOf, smtpOf } from '../config.ts'
import { boxAt, leaveReceiver, seeReceiver } from '../data.ts'
import { countMails } from '../data-mails.ts'
import { keepMail } from '../inbox/keep-mail.ts'
import { createReader } from '../reading/reader.ts'
import { startMailServer } from './server.ts'

const SEEN_MS = 15_000
const LIMITS = { connections: 20, mails: 1_200, strangers: 20 } as const
/** A machine's part is more than the largest mail may be set to. */
const ROOM = { all: 192 * 1024 * 1024, ofOne: 64 * 1024 * 1024 } as const

/** The role `mail`: receives for our domains, and tells the others that it does. Resolves to what ends it. */
export async function runMail(deps: Deps): Promise<() => Promise<void>> {
  const { log } = deps
  const domains = domainsOf(deps)
  if (!domains.length) return async () => {}
  const { isNamed, zoneFile, ...at } = smtpOf(deps)
  const reader = createReader(log, { zoneFile })
  const server = await startMailServer({
    ...at,
    limits: LIMITS,
    room: ROOM,
    reader,
    log,
    now: () => Date.now(),
    digest: () => createHash('sha256'),
    whose: (address) => whose(deps, domains, address),
    keep: (mail) => keepMail(deps, mail),
  }).catch((error: unknown) => {
    // The default port is taken by another process: run without receiving mail
    if (isNamed) throw error
    log.warn({ err: error, port: at.port }, 'mail is not received by this process: the default port is taken')
    return undefined
  })
  if (!server) return () => reader.stop()
  const node = randomUUID()
  const see = () => seeReceiver(deps.db, node, server.port).catch((error: unknown) => log.warn({ err: error }, 'mail: heartbeat could not be stored'))
  await see()
  const timer = setInterval(() => void see(), SEEN_MS).unref()
  log.info({ port: server.port, domains }, 'mail is received')
  return async () => {
    clearInterval(timer)
    await server.close()
    await reader.stop()
    await leaveReceiver(deps.db, node).catch(() => {})
  }
}

async function whose(deps: Deps, domains: readonly string[], address: string): Promise<'ours' | 'relay' | 'unknown' | 'full'> {
  if (!domains.includes(address.split('@').at(-1) ?? '')) return 'relay'
  const box = await boxAt(deps.db, address)
  if (!box) return 'unknown'
  const mails = (await countMails(deps.db, [box.task_id])).get(box.task_id)?.mails ?? 0
  return percentFull({ mails, bytes: box.bytes }, await roomOf(deps)) >= 100 ? 'full' : 'ours'
}
