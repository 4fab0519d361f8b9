import type { IncomingHttpHeaders } from 'node:http'
import { writeFileSync } from 'node:fs'
import { readTariffs } from './tariff.ts'
import type { Tariff } from './tariff.ts'

/** One request that the vendor took. Requests that it refused are not in here: they cost nothing. */
export interface Entry {
  /** As the answer's request id says; of a socket, the response's. */
  readonly id: string
  /** The strategy that asked. */
  readonly who: string
  readonly path: string
  readonly model: string
  /** What is billed for it, in nano-dollars. Grows while an answer is made that can be seen. */
  nano: bigint
  /** running: its answer is under way. whole: the answer went out with its usage. bare: it went out, and told no usage. left: the asker had gone. */
  status: 'running' | 'whole' | 'bare' | 'left'
  /** What was asked, for a report. */
  readonly asked: string
  readonly used: string
}

/** The vendor's own book of what it bills. */
export interface Book {
  readonly tariffs: ReadonlyMap<string, Tariff>
  readonly entries: readonly Entry[]
  add(entry: Omit<Entry, 'id' | 'status'>, id?: string): Entry
  save(file: string): void
}

export function openBook(): Book {
  const entries: Entry[] = []
  const tariffs = readTariffs()
  return {
    tariffs,
    entries,
    add(entry, id = `vendor_${entries.length + 1}`) {
      const made: Entry = { ...entry, id, status: 'running' }
      entries.push(made)
      return made
    },
    save: (file) =>
      writeFileSync(
        file,
        JSON.stringify(entries, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 1),
      ),
  }
}

/** The strategy stands in the user agent, in a header of the SDKs' own where that is not passed on, or in the prompt. */
export function whoAsks(headers: IncomingHttpHeaders, body = ''): string {
  const told = `${headers['user-agent'] ?? ''} ${String(headers['x-stainless-helper'] ?? '')} ${body.slice(0, 4_000)}`
  return /attack:([a-z0-9-]+)/.exec(told)?.[1] ?? ''
}
