import type { IncomingHttpHeaders } from 'node:http'
import { writeFileSync } from 'node:fs'
import { readTariffs } from './tariff.ts'
import type { Tariff } from './tariff.ts'

/** A request that the vendor accepted. Refused requests are not recorded: they cost nothing. */
export interface AttackBookEntry {
  /** The response's request id; on a socket, the response's id. */
  readonly id: string
  /** The strategy that sent it. */
  readonly who: string
  readonly path: string
  readonly model: string
  /** Amount billed in nano-dollars. Grows while a visible answer is generated. */
  nano: bigint
  /** running: response in progress. whole: ended with usage. bare: ended without usage. left: the client disconnected. */
  status: 'running' | 'whole' | 'bare' | 'left'
  /** The request, for reports. */
  readonly asked: string
  readonly used: string
}

/** The vendor's own book of what it bills. */
export interface AttackVendorBook {
  readonly tariffs: ReadonlyMap<string, Tariff>
  readonly entries: readonly AttackBookEntry[]
  add(entry: Omit<AttackBookEntry, 'id' | 'status'>, id?: string): AttackBookEntry
  save(file: string): void
}

export function openAttackVendorBook(): AttackVendorBook {
  const entries: AttackBookEntry[] = []
  const tariffs = readTariffs()
  return {
    tariffs,
    entries,
    add(entry, id = `vendor_${entries.length + 1}`) {
      const made: AttackBookEntry = { ...entry, id, status: 'running' }
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

/** Reads the strategy name from the user agent, from an SDK header if the user agent is not forwarded, or from the prompt. */
export function findStrategyName(headers: IncomingHttpHeaders, body = ''): string {
  const told = `${headers['user-agent'] ?? ''} ${String(headers['x-stainless-helper'] ?? '')} ${body.slice(0, 4_000)}`
  return /attack:([a-z0-9-]+)/.exec(told)?.[1] ?? ''
}
