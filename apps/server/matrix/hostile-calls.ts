import { expect } from 'vitest'
import type { Endpoint } from '#platform/shared/contract.ts'
import { TURN } from '#platform/testing/rounds.ts'

// Inputs of the tests generated from the route table: money.md L12, Z2, Z3, Z4.

/** Values that no field expects. */
const HOSTILE_VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1e30,
  1e-9,
  'NaN',
  '１００',
  '1,000',
  '0x10',
  '-0',
  'Infinity',
  [],
  {},
  { $gt: '' },
  true,
  'x'.repeat(70_000),
  '\u0000',
  "' or 1=1 --",
  '../../etc/passwd',
  '2024-02-30',
  '9007199254740993',
  '<script>alert(1)</script>',
]

/** Extra body fields that an attacker sends in the hope that they are stored (money.md Z3). */
export const buildForeignFields = ({ userId }: { readonly userId: string }): Readonly<Record<string, unknown>> => ({
  ...{ role: 'operator', roles: ['operator'], isAdmin: true, permissions: ['*'], scope: 'admin', access: 'public' },
  ...{ userId, user_id: userId, owner: `user:${userId}`, accountId: '1', id: userId, sessionId: 'ses_made_up', createdAt: 0, createdTime: '2020-01-01' },
  ...{ balance: '1000000', posted: '1000000', granted: '1000000', credit: 1_000_000, amountNano: 1, purchased: '1000000' },
  ...{ status: 'paid', state: 'fulfilled', isPaid: true, paidAt: '2026-01-01', payStatus: 1, priceCents: 1, fee: '0', payAmount: '0.01', rate: '0.0001' },
  ...{
    kycLevel: 9,
    verified: true,
    identityStatus: 'SUCCESS',
    facePassedAt: '2020-01-01',
    emailVerifyStatus: 1,
    verifiedAt: '2020-01-01',
    passwordHash: 'x',
    deletedAt: null,
    __proto__x: 1,
  },
})

/** The same id as a filter, a list, a pattern or another spelling of itself (money.md Z2). */
export const buildIdVariants = (id: string): readonly unknown[] => [
  ...[[id], [id, id], { $eq: id }, { id }, { 0: id }],
  ...[id.toLowerCase(), ` ${id} `, `${id}\n`, `${id}\u0000`, `${id}%00`, encodeURIComponent(`${id}/..`), `./${id}`],
  ...['%', '*', `${id.slice(0, -1)}%`, `${id.slice(0, -1)}_`, `${id},${id}`, `${id}' or '1'='1`, `${id}&userId=1`],
]

/** Alternative spellings of a path or a method that have been used to bypass checks (money.md Z4). */
export const buildPathVariants = (path: string): readonly string[] => [
  path.toUpperCase(),
  `/${path}`,
  path.replace(/\/(?=[^/]*$)/, '//'),
  path.replace(/\/(?=[^/]*$)/, '/./'),
  path.replace(/\/(?=[^/]*$)/, '/%2e/'),
  path.replace(/\/(?=[^/]*$)/, '/x/../'),
  path.replace(/\/(?=[^/]*$)/, '%2f'),
  `${path}.`,
  `${path}/`,
  `${path}%20`,
  `${path};x=1`,
  `${path}.json`,
  path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
]

/** The address of an endpoint with the input's own path parameters. */
export const formatEndpointPath = (endpoint: Endpoint, input: Record<string, unknown>) =>
  endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name] ?? '')))

/**
 * Lists the hostile values to send for a field: all that its schema accepts, and one that it refuses, which varies by field and day (TURN).
 * A route does nothing with an input before its schema has accepted it, and handles every refusal in the same place
 * (platform/server/http/http.ts). For every refused value, checks here that the schema names the field.
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
