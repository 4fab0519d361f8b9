import { expect } from 'vitest'
import type { Endpoint } from '#platform/shared/contract.ts'
import { TURN } from '#platform/testing/rounds.ts'
import { HOSTILE_VALUES } from './attacks.ts'

/**
 * With which hostile values a call is made for a field: with all that its schema takes, and with one of those that it refuses,
 * another one for each field and day (TURN). A route does nothing with an input before its schema has taken it, and answers every
 * refusal in the same place (platform/server/http/http.ts); that the schema names the field is seen here of all of them.
 */
export function listHostileValues(endpoint: Endpoint, input: Readonly<Record<string, unknown>>, field: string): readonly unknown[] {
  if (endpoint.path.includes(`{${field}}`)) return HOSTILE_VALUES
  const sent = (value: unknown) => (endpoint.method === 'GET' ? String(value) : value)
  const good = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, sent(value)]))
  const refusedFor = (value: unknown) =>
    endpoint.input.safeParse({ ...good, [field]: sent(value) }).error?.issues.map(({ path }: { path: readonly PropertyKey[] }) => path[0])
  const refused = HOSTILE_VALUES.filter((value) => refusedFor(value) !== undefined)
  for (const value of refused) expect([value, refusedFor(value)]).toEqual([value, expect.arrayContaining([field])])
  const drawn = refused[(TURN + field.length + endpoint.path.length) % refused.length]
  return HOSTILE_VALUES.filter((value) => value === drawn || !refused.includes(value))
}
