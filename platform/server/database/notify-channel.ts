import pg from 'pg'
import type { Deps } from '../feature.ts'
import type { Log } from '../log.ts'
import type { Db } from './db.ts'

interface NotifySubscription {
  close(): Promise<void>
}

/**
 * Listens for `pg_notify(channel, …)` on a dedicated connection. `heard` receives each payload; `lost` is called once, when the connection
 * breaks. Rejects if the connection cannot be opened; `lost` is not called then, so each failure causes one retry.
 */
async function openSubscription(
  db: Pick<Db, 'pool'>,
  log: Log,
  { channel, heard, lost }: { readonly channel: string; readonly heard: (word: string) => void; readonly lost: () => void },
): Promise<NotifySubscription> {
  const { connectionString, options } = db.pool.options
  const client = new pg.Client({ connectionString, options, application_name: `mingxi-${channel}` })
  let isOpen = false
  const end = (error?: Error) => {
    if (!isOpen) return
    isOpen = false
    if (error) log.warn({ err: error, channel }, 'LISTEN connection lost')
    client.end().catch(() => {})
    lost()
  }
  client.on('error', end)
  client.on('end', () => end())
  client.on('notification', ({ payload }) => heard(payload ?? ''))
  try {
    await client.connect()
    ;(client as pg.Client & { unref(): void }).unref()
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
  } catch (error) {
    client.end().catch(() => {})
    throw error
  }
  isOpen = true
  return {
    close: async () => {
      isOpen = false
      await client.end()
    },
  }
}

const RETRY_MS = 2_000
/** Polling interval while the LISTEN connection is down: its notifications are lost. */
const FALLBACK_POLL_MS = 3_000
/** Maximum waiting requests per person; the oldest is released first, because its browser has abandoned it. */
const MAX_WAITERS_PER_PERSON = 8

interface Waiter {
  readonly person: string
  readonly wake: () => void
}

interface NotifyChannel {
  /** Starts waiting before the caller reads, so that no notification is missed in between. */
  wait(word: string, person: string): { rung: (ms: number) => Promise<void>; cancel: () => void }
  close(): Promise<void>
}

const channels = new WeakMap<object, Map<string, NotifyChannel>>()

/** Returns the process's subscription to a NOTIFY channel, opened on first use: requests wait on it for `pg_notify` from other processes. */
export function getNotifyChannel(deps: Pick<Deps, 'db' | 'log'>, channel: string): NotifyChannel {
  const known = channels.get(deps.db) ?? new Map<string, NotifyChannel>()
  channels.set(deps.db, known)
  const bell = known.get(channel) ?? createNotifyChannel(deps, channel)
  known.set(channel, bell)
  return bell
}

export async function closeNotifyChannel(deps: Pick<Deps, 'db'>, channel: string): Promise<void> {
  await channels.get(deps.db)?.get(channel)?.close()
  channels.get(deps.db)?.delete(channel)
}

function createNotifyChannel({ db, log }: Pick<Deps, 'db' | 'log'>, channel: string): NotifyChannel {
  const waiting = new Map<string, Set<Waiter>>()
  const people = new Map<string, Set<Waiter>>()
  let ear: NotifySubscription | undefined
  let closed = false

  const wakeAll = () => {
    for (const waiters of waiting.values()) for (const { wake } of waiters) wake()
  }
  const open = async () => {
    try {
      ear = await openSubscription(db, log, {
        channel,
        heard: (word) => {
          for (const { wake } of waiting.get(word) ?? []) wake()
        },
        lost: again,
      })
      wakeAll()
      if (closed) await ear.close()
    } catch (error) {
      log.warn({ err: error, channel }, 'LISTEN connection failed')
      again()
    }
  }
  const again = () => {
    ear = undefined
    if (!closed) setTimeout(() => void open(), RETRY_MS).unref()
  }
  void open()

  return {
    wait: (word, person) => {
      let wake!: () => void
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const waiter: Waiter = { person, wake }
      addWaiter(waiting, word, waiter)
      addWaiter(people, person, waiter)
      const mine = people.get(person)!
      if (mine.size > MAX_WAITERS_PER_PERSON) for (const oldest of [...mine].slice(0, mine.size - MAX_WAITERS_PER_PERSON)) oldest.wake()
      return {
        rung: async (ms) => {
          let timer: NodeJS.Timeout | undefined
          const late = new Promise<void>((resolve) => {
            timer = setTimeout(resolve, Math.min(ms, ear ? ms : FALLBACK_POLL_MS)).unref()
          })
          await Promise.race([woken, late])
          clearTimeout(timer)
        },
        cancel: () => {
          removeWaiter(waiting, word, waiter)
          removeWaiter(people, person, waiter)
        },
      }
    },
    close: async () => {
      closed = true
      wakeAll()
      await ear?.close()
    },
  }
}

function addWaiter(map: Map<string, Set<Waiter>>, key: string, waiter: Waiter): void {
  const set = map.get(key) ?? new Set()
  map.set(key, set.add(waiter))
}

function removeWaiter(map: Map<string, Set<Waiter>>, key: string, waiter: Waiter): void {
  const set = map.get(key)
  set?.delete(waiter)
  if (set?.size === 0) map.delete(key)
}
