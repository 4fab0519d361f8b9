import type { Deps } from '#platform/server/feature.ts'
import { listen } from './data-bell.ts'
import type { Ear } from './data-bell.ts'

const RETRY_MS = 2_000
/** Without a line, and for a word lost with it, whoever waits looks anyway after this long. */
const LOOK_MS = 3_000
/** Waiting requests of one person; the oldest goes first: a browser forgot it. */
const PER_PERSON = 8

interface Waiter {
  readonly person: string
  readonly wake: () => void
}

interface Bell {
  /** Begins to wait before the caller looks, so that nothing falls between. */
  wait(conversationId: string, person: string): { rung: (ms: number) => Promise<void>; cancel: () => void }
  close(): Promise<void>
}

const bells = new WeakMap<object, Bell>()

/** One a process: opened by the first who waits. */
export function bellOf(deps: Pick<Deps, 'db' | 'log'>): Bell {
  const known = bells.get(deps.db)
  if (known) return known
  const bell = createBell(deps)
  bells.set(deps.db, bell)
  return bell
}

export async function closeBell(deps: Pick<Deps, 'db'>): Promise<void> {
  await bells.get(deps.db)?.close()
  bells.delete(deps.db)
}

function createBell({ db, log }: Pick<Deps, 'db' | 'log'>): Bell {
  const waiting = new Map<string, Set<Waiter>>()
  const people = new Map<string, Set<Waiter>>()
  let ear: Ear | undefined
  let closed = false

  const wakeAll = () => {
    for (const waiters of waiting.values()) for (const { wake } of waiters) wake()
  }
  const open = async () => {
    try {
      ear = await listen(
        db,
        log,
        (id) => {
          for (const { wake } of waiting.get(id) ?? []) wake()
        },
        again,
      )
      wakeAll()
      if (closed) await ear.close()
    } catch (error) {
      log.warn({ err: error }, 'support: no line for news')
      again()
    }
  }
  const again = () => {
    ear = undefined
    if (!closed) setTimeout(() => void open(), RETRY_MS).unref()
  }
  void open()

  return {
    wait: (conversationId, person) => {
      let wake!: () => void
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const waiter: Waiter = { person, wake }
      add(waiting, conversationId, waiter)
      add(people, person, waiter)
      const mine = people.get(person)!
      if (mine.size > PER_PERSON) for (const oldest of [...mine].slice(0, mine.size - PER_PERSON)) oldest.wake()
      return {
        rung: async (ms) => {
          let timer: NodeJS.Timeout | undefined
          const late = new Promise<void>((resolve) => {
            timer = setTimeout(resolve, Math.min(ms, ear ? ms : LOOK_MS)).unref()
          })
          await Promise.race([woken, late])
          clearTimeout(timer)
        },
        cancel: () => {
          drop(waiting, conversationId, waiter)
          drop(people, person, waiter)
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

function add(map: Map<string, Set<Waiter>>, key: string, waiter: Waiter): void {
  const set = map.get(key) ?? new Set()
  map.set(key, set.add(waiter))
}

function drop(map: Map<string, Set<Waiter>>, key: string, waiter: Waiter): void {
  const set = map.get(key)
  set?.delete(waiter)
  if (set?.size === 0) map.delete(key)
}
